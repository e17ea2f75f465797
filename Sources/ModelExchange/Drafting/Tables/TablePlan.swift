import ModelDocument

/// What becomes of a table: an entity, with a property for each of its columns.
struct TablePlan {
    let table: ForeignTable
    var entity: Model.Entity
    var names: TakenNames
    /// The properties by the columns that they come from.
    var properties: [String: String] = [:]
    /// The column that tells the rows apart, where the objects' own keys take its place.
    let key: String?

    init(_ table: ForeignTable, named name: String) {
        self.table = table
        entity = Model.Entity(drafted: name)
        names = TakenNames(entity: name)
        key = table.ownKey
        entity.userInfo.add("documentation", table.comment)
    }

    /// The columns that are neither the key nor part of a reference that becomes a relationship.
    func plainColumns(without references: [ForeignTable.Reference]) -> [ForeignTable.Column] {
        let used = Set(references.flatMap(\.columns))
        return table.columns.filter { $0.name != key && !used.contains($0.name) }
    }
}

extension ForeignTable {
    /// The one integer column of the primary key, unless it refers to another table.
    var ownKey: String? {
        guard primaryKey.count == 1, let column = column(primaryKey[0]), column.type.isInteger,
            !references.contains(where: { $0.columns.contains(column.name) })
        else { return nil }
        return column.name
    }

    /// Whether the table does nothing but relate the rows of two tables.
    func isJoinTable(among tables: [ForeignTable]) -> Bool {
        guard references.count == 2, references.allSatisfy({ $0.columns.count == 1 }),
            references[0].columns != references[1].columns
        else { return false }
        let ends = Set(references.flatMap(\.columns))
        let others = columns.map(\.name).filter { !ends.contains($0) && $0 != ownKey }
        return others.isEmpty
            && references.allSatisfy { reference in
                tables.contains { $0.name == reference.target && $0.name != name }
            }
    }
}

extension ForeignType {
    /// Whether a mapped table may have such keys.
    var isMappedKey: Bool {
        isInteger || values.isEmpty && ["uuid", "text", "varchar", "bpchar", "citext"].contains(name)
    }

    var isInteger: Bool {
        let integers: Set = [
            "int", "integer", "int2", "int4", "int8", "bigint", "smallint", "serial", "bigserial", "smallserial",
            "mediumint", "serial4", "serial8", "tinyint",
        ]
        return values.isEmpty && !name.hasSuffix("[]")
            && name.split(separator: " ").contains { integers.contains(String($0)) }
    }
}
