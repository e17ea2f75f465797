import CoreData
import StoreBrowsing

/// A column of a file, and the attribute that its values are for.
final class ImportColumn {
    /// What the column is called in the file.
    let title: String
    let key: String
    let rules: AttributeRules
    /// Whether objects are told apart by it.
    let isKey: Bool
    /// The attribute's place in a row, and what an empty field stands for; known when the first row is filled.
    private(set) var slot = 0
    private var standard = Slot.null

    init(_ title: String, key: String, rules: AttributeRules, isKey: Bool) {
        (self.title, self.key, self.rules, self.isKey) = (title, key, rules, isKey)
    }

    /// - Throws: `NSPersistentStoreOperationError` for an attribute that a batch can't set.
    func prepare(for row: BatchRowBuilder) throws {
        let property = try row.slot(named: key)
        (slot, standard) = (property.index, try row.defaultValue(of: property))
    }

    /// Sets the attribute of a row. An empty field is the attribute's default, or nil.
    @inline(__always)
    func set(_ value: InputValue, in row: BatchRowBuilder) throws(AttributeRules.Problem) {
        if case .null = value, !standard.isNull {
            row.set(slot, standard)
        } else if isKey, case .null = value {
            throw AttributeRules.Problem(reason: "A value of --key can't be empty.")
        } else {
            row.set(slot, try rules.slot(value))
        }
    }
}

/// Which attribute each column of a file is for: the one of its name, or what `--map` says.
package struct ImportMapping {
    package let entity: NSEntityDescription
    /// Keys by column; an empty key leaves the column out.
    private let map: [String: String]
    /// The attributes that objects are told apart by.
    package let keys: [String]

    /// - Parameters:
    ///   - map: What `--map` says: `column=key`.
    ///   - keys: What `--key` says.
    /// - Throws: `ToolFailure` for an abstract entity, and for keys that no uniqueness constraint has.
    package init(_ entity: NSEntityDescription, map: [String], keys: [String]) throws {
        (self.entity, self.keys) = (entity, keys)
        self.map = try Self.parsed(map)
        if entity.isAbstract {
            throw ToolFailure(
                .invalidQuery, "\(entity.name ?? "") is abstract; import objects of one of its subentities.")
        }
        if !keys.isEmpty { try checkConstraint() }
    }

    private static func parsed(_ items: [String]) throws -> [String: String] {
        var map: [String: String] = [:]
        for item in items {
            guard let mark = item.lastIndex(of: "="), mark != item.startIndex else {
                throw ToolFailure(.invalidQuery, "--map takes column=key, and not “\(item)”.")
            }
            map[String(item[..<mark])] = String(item[item.index(after: mark)...])
        }
        return map
    }

    private func checkConstraint() throws {
        let constraints = sequence(first: entity, next: \.superentity).flatMap(\.uniquenessConstraints).map {
            $0.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }
        }
        if constraints.contains(where: { Set($0) == Set(keys) }) { return }
        let known = constraints.map { $0.joined(separator: ",") }
        throw ToolFailure(
            .invalidQuery,
            """
            \(entity.name ?? "") has no uniqueness constraint of \(keys.joined(separator: ",")), and only such a one can \
            tell which rows are there already; its constraints: \(list: known).
            """)
    }

    /// The column of a title; nil for one that is left out.
    ///
    /// - Throws: `ToolFailure` for a title that is no attribute's.
    func column(_ title: String, in file: String) throws -> ImportColumn? {
        let key = map[title] ?? title
        if key.isEmpty { return nil }
        let attribute: NSAttributeDescription
        do {
            attribute = try entity.attribute(at: key)
        } catch  where map[title] == nil {
            throw ToolFailure(
                .invalidQuery,
                """
                \(file) has the column “\(title)”, which is no attribute of \(entity.name ?? ""). --map '\(title)=KEY' \
                names the attribute, and --map '\(title)=' leaves the column out. The attributes: \
                \(list: entity.attributesByName.keys.sorted { $0.precedesByCodePoint($1) }).
                """)
        }
        return ImportColumn(
            title, key: key, rules: try AttributeRules(attribute, of: entity), isKey: keys.contains(key))
    }

    /// The columns of a header, each with its place.
    ///
    /// - Throws: `ToolFailure` where two columns are for one attribute, a column of `--map` or of `--key` is
    ///   missing, or a title is no attribute's.
    func columns(_ header: [String], in file: String) throws -> [(place: Int, column: ImportColumn)] {
        for title in map.keys.sorted() where !header.contains(title) {
            throw ToolFailure(
                .invalidQuery, "\(file) has no column “\(title)”, which --map names; it has \(list: header).")
        }
        var columns: [(place: Int, column: ImportColumn)] = []
        for (place, title) in header.enumerated() {
            guard let column = try column(title, in: file) else { continue }
            if let other = columns.first(where: { $0.column.key == column.key }) {
                throw ToolFailure(
                    .invalidQuery,
                    "The columns “\(other.column.title)” and “\(title)” of \(file) are both for “\(column.key)”.")
            }
            columns.append((place, column))
        }
        if let key = keys.first(where: { key in !columns.contains { $0.column.key == key } }) {
            throw ToolFailure(.invalidQuery, "\(file) has no column for “\(key)”, which --key names.")
        }
        return columns
    }
}
