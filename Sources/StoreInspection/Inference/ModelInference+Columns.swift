import CoreData
import FoundationGaps
import ModelFormat

/// What a table's columns say.
extension ModelInference {
    /// The properties of a tree, all given to its root.
    mutating func inferColumns(of root: StoreInspection.NumberedEntity) throws {
        let table = SQLNaming.column(root.name)
        guard let columns = inspection.columns[table] else {
            notes.append("\(root.name) is in Z_PRIMARYKEY, but there is no table \(table).")
            return
        }
        let real = Set(columns.map(\.name))
        for column in columns where !["Z_PK", "Z_ENT", "Z_OPT"].contains(column.name) {
            try inferColumn(column, of: root, table: table, real: real)
        }
    }

    private mutating func inferColumn(
        _ column: SQLTableColumn, of root: StoreInspection.NumberedEntity, table: String, real: Set<String>
    ) throws {
        guard column.name.hasPrefix("Z"), !column.name.hasPrefix("Z_FOK_") else { return }
        if let parts = NumberedParts(column.name, prefix: "Z") {
            // `Z4_OWNER` beside `ZOWNER` belongs to it; `Z3ITEMS` is a to-many relationship of entity 3.
            if parts.name.hasPrefix("_"), real.contains("Z" + parts.name.dropFirst()) { return }
            return inferSourceColumn(parts, in: root)
        }
        let name = column.name.dropFirst().lowercased()
        guard SQLNaming.column(name) == column.name else {
            notes.append("The column \(column.name) of \(table) can’t be told by a property’s name, and is left out.")
            return
        }
        if let reference = try reference(column, of: root, table: table, real: real, name: name) {
            if claim(name, in: root) { references.append(reference) }
        } else {
            add(try attribute(name, column, table: table), to: root)
        }
    }

    // MARK: Attributes

    private func attribute(_ name: String, _ column: SQLTableColumn, table: String) throws -> Model.Attribute {
        var attribute = Model.Attribute(name: name, type: Self.type(declared: column.type))
        attribute.isOptional = true
        guard attribute.type == .binary else { return attribute }
        if try holds(column.name, table, all: "length(c) = 16") {
            attribute.type = .uuid
        } else if try holds(
            column.name, table, all: "substr(c, 1, 1) IN (x'01', x'02')",
            some: "length(c) = 38 AND substr(c, 1, 1) = x'02' AND substr(c, 38) = x'00' "
                + "AND CAST(substr(c, 10, 1) AS TEXT) = '-'")
        {
            attribute.allowsExternalBinaryDataStorage = true
        }
        return attribute
    }

    private static func type(declared: String) -> Model.AttributeType {
        let type = declared.uppercased()
        func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        if has("INT") { return .integer64 }
        if has("CHAR", "TEXT", "CLOB") { return .string }
        if has("TIME", "DATE") { return .date }
        if has("DEC", "NUMERIC") { return .decimal }
        return has("FLOA", "REAL", "DOUB") ? .double : .binary
    }

    /// Whether a column has values, all of one kind, and some of another.
    private func holds(_ column: String, _ table: String, all: String, some: String = "1") throws -> Bool {
        try integer(
            "SELECT count(*) > 0 AND min(\(all)) = 1 AND max(\(some)) = 1 FROM "
                + "(SELECT \(column.quotedForSQL) AS c FROM \(table.quotedForSQL)) WHERE c IS NOT NULL") == 1
    }

    // MARK: To-ones

    /// The to-one that a column is taken for, or nil for an attribute.
    private mutating func reference(
        _ column: SQLTableColumn, of root: StoreInspection.NumberedEntity, table: String, real: Set<String>,
        name: String
    ) throws -> InferredReference? {
        guard column.type.uppercased() == "INTEGER" else { return nil }
        let isOrdered = real.contains(SQLNaming.orderColumn(for: column.name))
        func reference(to destination: StoreInspection.NumberedEntity) -> InferredReference {
            InferredReference(
                source: root, destination: destination, name: name, column: column.name, isOrdered: isOrdered)
        }
        if let destination = sideEntity(of: column.name, real) { return reference(to: destination) }
        guard try isOrdered || hasIndex("\(table)_\(column.name)_INDEX") else { return nil }
        if let destination = try destinationByName(column.name, table) { return reference(to: destination) }
        let fitting = try listed.filter { try parent(of: $0) == nil && fits(column.name, table, $0, mostOf: 1) }
        if fitting.count == 1 { return reference(to: fitting[0]) }
        let candidates = fitting.map(\.name).sorted { $0.isOrderedByScalars($1) }.joined(separator: " or ")
        notes.append(
            "\(root.name).\(name) is indexed, as references are, but it is not clear what it refers to"
                + (candidates.isEmpty ? "" : " (\(candidates))") + ": it is read as an integer.")
        return nil
    }

    /// The destination that a column such as `Z4_OWNER` beside `ZOWNER` names.
    private func sideEntity(of column: String, _ real: Set<String>) -> StoreInspection.NumberedEntity? {
        let suffix = "_" + column.dropFirst()
        let parts = real.lazy.compactMap { NumberedParts($0, prefix: "Z") }
        return parts.first { $0.name == suffix }.flatMap { entity(numbered: $0.number) }
    }

    /// The entity with the name that is most like the column's, if the values don't speak against it.
    private func destinationByName(_ column: String, _ table: String) throws -> StoreInspection.NumberedEntity? {
        let name = String(column.dropFirst())
        let alike = listed.filter { entity in
            let other = entity.name.uppercased()
            return name == other
                || min(name.count, other.count) >= 3 && (other.hasSuffix(name) || name.hasSuffix(other))
        }
        let ranked = alike.sorted {
            abs($0.name.count - name.count) < abs($1.name.count - name.count)
        }
        return try ranked.first { try fits(column, table, $0, mostOf: 2) }
    }

    /// Whether the values are keys of the entity's rows: all of them, or for a column without values and with
    /// `mostOf` 2 at least half.
    private func fits(
        _ column: String, _ table: String, _ entity: StoreInspection.NumberedEntity, mostOf share: Int64
    ) throws -> Bool {
        let other = tableName(of: entity)
        guard inspection.columns[other] != nil else { return false }
        let name = column.quotedForSQL
        let count = try integer("SELECT count(\(name)) FROM \(table.quotedForSQL)")
        let found = try integer(
            "SELECT count(*) FROM \(table.quotedForSQL) s JOIN \(other.quotedForSQL) t ON t.Z_PK = s.\(name)")
        return share == 1 ? count > 0 && found == count : found * share >= count
    }

    // MARK: To-manys without inverse

    private mutating func inferSourceColumn(_ parts: NumberedParts, in root: StoreInspection.NumberedEntity) {
        let name = parts.name.lowercased()
        guard let owner = entity(numbered: parts.number), claim(name, in: owner) else {
            notes.append(
                "The column Z\(parts.number)\(parts.name) of \(root.name) is left out: no entity has that number.")
            return
        }
        var relationship = Model.Relationship(name: name, destinationName: root.name)
        (relationship.maxCount, relationship.isOptional) = (0, true)
        relationship.isOrdered =
            inspection.columns[SQLNaming.column(root.name)]?.contains {
                $0.name == SQLNaming.orderColumn(for: "Z\(parts.number)\(parts.name)")
            } ?? false
        add(relationship, to: owner)
        notes.append("\(owner.name).\(name) is a to-many relationship to \(root.name).")
    }
}

/// A name with an entity's number after its prefix.
struct NumberedParts {
    let number: Int64
    let name: String

    init?(_ text: String, prefix: String) {
        guard text.hasPrefix(prefix) else { return nil }
        let rest = text.dropFirst(prefix.count)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), rest.count > digits.count else { return nil }
        self.number = number
        name = String(rest.dropFirst(digits.count))
    }
}
