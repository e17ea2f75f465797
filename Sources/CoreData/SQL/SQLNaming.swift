import Foundation

/// How a SQL store names what it makes of a model.
package enum SQLNaming {
    /// The table or column of a name: `Z` and the name in upper case; the dots of a composite's path become
    /// underscores.
    package static func column(_ path: String) -> String { "Z" + upper(path) }

    /// The column with the entity of a to-one's destination: `Z` + number + `_` + NAME, with the to-one's own digit.
    static func entityColumn(_ number: Int64, for column: String) -> String { "Z\(number)_" + column.dropFirst() }

    /// The sort key column for a key column: `ZPARENT` has `Z_FOK_PARENT`, a join table's `Z_1PARENT` has
    /// `Z_FOK_1PARENT`.
    package static func orderColumn(for column: String) -> String {
        "Z_FOK_" + column.dropFirst(column.hasPrefix("Z_") ? 2 : 1)
    }

    /// The column of a to-many without inverse, in its destination's table.
    static func sourceColumn(_ number: Int64, _ name: String) -> String { "Z\(number)" + upper(name) }

    /// A join table, or a key column of one.
    static func join(_ number: Int64, _ name: String) -> String { "Z_\(number)" + upper(name) }

    /// The key column for the other direction of a relationship that is its own inverse.
    package static let reflexive = "REFLEXIVE"

    /// The name, or where it is taken the name with the first free digit appended.
    static func unused(_ base: String, in taken: Set<String>) -> String {
        guard taken.contains(base) else { return base }
        var digit = 1
        while taken.contains(base + "\(digit)") { digit += 1 }
        return base + "\(digit)"
    }

    /// The name, or where it is taken whatever its case the name with the first free digit appended: tables, indexes
    /// and triggers have one name space, which ignores case.
    ///
    /// - Parameter taken: Names in upper case.
    static func unusedIgnoringCase(_ base: String, in taken: Set<String>) -> String {
        guard taken.contains(base.uppercased()) else { return base }
        let free = unused(base.uppercased(), in: taken)
        return base + free.dropFirst(base.uppercased().count)
    }

    private static func upper(_ path: String) -> String {
        path.replacingOccurrences(of: ".", with: "_").uppercased()
    }
}

extension SlotKind {
    /// The type that a column is declared with.
    package var columnType: String {
        switch self {
        case .int16, .int32, .int64, .boolean, .toOne: "INTEGER"
        case .double, .float: "FLOAT"
        case .decimal: "DECIMAL"
        case .string, .uri, .objectID: "VARCHAR"
        case .date: "TIMESTAMP"
        case .binary, .uuid, .transformable: "BLOB"
        case .undefined, .composite, .toMany, .orderedToMany, .fetched:
            defect("A \(self) property has no column of its own.")
        }
    }

    /// Which group of a table's columns an attribute belongs to, the groups in their order.
    var columnGroup: Int {
        switch self {
        case .int16, .int32, .int64, .boolean, .toOne: 0
        // 1 are the columns of to-manys without inverse, 2 the sort keys.
        case .date, .double, .float: 3
        case .decimal: 4
        case .string, .objectID: 5
        case .uri, .uuid: 6
        case .transformable: 7
        default: 8
        }
    }
}
