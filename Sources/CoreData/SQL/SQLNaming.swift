import Foundation

/// How a kind of database names, and types, what it makes of a model.
///
/// A name that is taken gets a digit. The three columns that all tables of entities have are called `Z_PK`, `Z_ENT` and
/// `Z_OPT` in all trees; a dialect may write other names for them.
package protocol SQLNamingStyle: Sendable {
    /// Names that no column of a property may have.
    var reservedColumns: Set<String> { get }
    /// The table of an entity tree, by its root.
    func table(of entity: String) -> String
    /// The column of an attribute or a to-one; the path of a composite's element has dots.
    ///
    /// - Parameter entity: The one that declares it.
    func column(of path: String, in entity: String) -> String
    /// The column with the entity of a to-one's destination.
    ///
    /// - Parameter number: That of the destination that the model says.
    func entityColumn(for column: String, number: Int64) -> String
    /// The column of sort keys for a column of keys.
    func orderColumn(for column: String) -> String
    /// The column of a to-many without inverse, in its destination's table.
    func sourceColumn(of relationship: String, in entity: SQLNumberedEntity) -> String
    /// The table of a many-to-many.
    func joinTable(of relationship: String, in entity: SQLNumberedEntity) -> String
    /// The column of a join table with the keys of a relationship's targets.
    ///
    /// - Parameter source: The entity that declares the relationship.
    func joinColumn(of relationship: String, in source: String, to entity: SQLNumberedEntity) -> String
    /// The type that a column of an attribute or a to-one is declared with.
    func type(of kind: SlotKind) -> String
    /// The column beside one of an attribute with external storage: it tells large values from each other without a
    /// look at them. Nil for a database that needs none.
    func stamp(of column: String, in table: String) -> SQLTableColumn?
    /// The types of the columns that all tables of entities have: the key, the entity's number, the version.
    var systemTypes: (key: String, entity: String, version: String) { get }
    /// The type of columns with the number of an entity, and of those with sort keys.
    var sideTypes: (entity: String, order: String) { get }
}

extension SQLNamingStyle {
    package func stamp(of column: String, in table: String) -> SQLTableColumn? { nil }
}

/// An entity, and its number in the store.
package struct SQLNumberedEntity {
    package let name: String
    package let number: Int64
}

/// The names and types of Apple's framework.
struct AppleNaming: SQLNamingStyle {
    var reservedColumns: Set<String> { [] }
    func table(of entity: String) -> String { SQLNaming.column(entity) }
    func column(of path: String, in entity: String) -> String { SQLNaming.column(path) }
    func entityColumn(for column: String, number: Int64) -> String { SQLNaming.entityColumn(number, for: column) }
    func orderColumn(for column: String) -> String { SQLNaming.orderColumn(for: column) }
    func sourceColumn(of relationship: String, in entity: SQLNumberedEntity) -> String {
        SQLNaming.sourceColumn(entity.number, relationship)
    }
    func joinTable(of relationship: String, in entity: SQLNumberedEntity) -> String {
        SQLNaming.join(entity.number, relationship)
    }
    func joinColumn(of relationship: String, in source: String, to entity: SQLNumberedEntity) -> String {
        SQLNaming.join(entity.number, relationship)
    }
    func type(of kind: SlotKind) -> String { kind.columnType }
    var systemTypes: (key: String, entity: String, version: String) { ("INTEGER PRIMARY KEY", "INTEGER", "INTEGER") }
    var sideTypes: (entity: String, order: String) { ("INTEGER", "INTEGER") }
}

/// The parts of the names that Apple's framework gives.
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
