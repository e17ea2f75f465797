import CoreData

/// `Z_PRIMARYKEY`, tables and columns.
extension StoreCheck {
    /// The framework's own entities, those of the history, have numbers from here on.
    static let firstFrameworkEntity: Int64 = 16_000

    private struct ListedEntity {
        let number: Int64
        let name: String
        let parent: Int64
        let maximum: Int64?
    }

    func checkEntities() throws {
        let listed = try listedEntities()
        for (name, rows) in Dictionary(grouping: listed, by: \.name) where rows.count > 1 {
            report(.duplicateEntity, table: "Z_PRIMARYKEY", entity: name, "is there \(rows.count) times")
        }
        if schema != nil {
            checkNames(listed)
            checkParents(listed)
        }
        for entity in listed { try checkMaximum(of: entity, listed) }
    }

    private func listedEntities() throws -> [ListedEntity] {
        var listed: [ListedEntity] = []
        try forEachRow("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") { row in
            guard let name = row.text(1), !name.isEmpty else {
                return report(.unknownEntity, table: "Z_PRIMARYKEY", "the entity with number \(row.int(0)) has no name")
            }
            listed.append(
                ListedEntity(
                    number: row.int(0), name: name, parent: row.int(2), maximum: row.isNull(3) ? nil : row.int(3)))
        }
        return listed
    }

    private func checkNames(_ listed: [ListedEntity]) {
        let names = Set(listed.map(\.name))
        var known = Set(layouts.map(\.name))
        for layout in layouts where !names.contains(layout.name) {
            if let old = layout.entity.renamingIdentifier, names.contains(old) {
                known.insert(old)
            } else {
                report(.missingEntity, table: "Z_PRIMARYKEY", entity: layout.name, "is not there")
            }
        }
        for entity in listed where entity.number < Self.firstFrameworkEntity && !known.contains(entity.name) {
            report(.unknownEntity, table: "Z_PRIMARYKEY", entity: entity.name, "is no entity of the model")
        }
    }

    private func checkParents(_ listed: [ListedEntity]) {
        for entity in listed {
            guard let layout = schema?.layout(numbered: entity.number), layout.name == entity.name else { continue }
            let parent = layout.parent.flatMap { parent in
                schema?.contains(parent) ?? false ? schema?.number(of: parent) : nil
            }
            guard entity.parent != parent ?? 0 else { continue }
            report(
                .wrongParent, table: "Z_PRIMARYKEY", entity: entity.name,
                "Z_SUPER is \(entity.parent) instead of \(parent ?? 0)")
        }
    }

    /// `Z_MAX` is kept on the root entity of each tree.
    private func checkMaximum(of entity: ListedEntity, _ listed: [ListedEntity]) throws {
        guard isRoot(entity), let table = tableName(of: entity), inspection.columns[table] != nil else { return }
        let highest = try connection.integer("SELECT max(Z_PK) FROM \(table.quotedForSQL)") ?? 0
        guard entity.maximum ?? 0 < highest else { return }
        report(
            .keyMaximum, table: "Z_PRIMARYKEY", entity: entity.name,
            "Z_MAX is \(entity.maximum.map(String.init) ?? "NULL"), but \(table) has a row with the key \(highest)")
    }

    /// The model knows better than a damaged `Z_SUPER`.
    private func isRoot(_ entity: ListedEntity) -> Bool {
        schema?.layout(numbered: entity.number).map { $0.parent == nil } ?? (entity.parent == 0)
    }

    private func tableName(of entity: ListedEntity) -> String? {
        if entity.number >= Self.firstFrameworkEntity { return "A" + entity.name }
        guard let schema else { return SQLNaming.column(entity.name) }
        return schema.layout(numbered: entity.number).map { schema.table(of: $0).name }
    }

    // MARK: Tables and columns

    func checkTables() {
        for layout in layouts {
            guard hasTable(layout) else {
                if layout.parent == nil {
                    report(.missingTable, table: table(of: layout), entity: layout.name, "is not there")
                }
                continue
            }
            for slot in ownSlots(of: layout) where !slot.isTransient { checkPlace(of: slot, layout) }
        }
    }

    private func checkPlace(of slot: PropertySlot, _ layout: EntityLayout) {
        let table = table(of: layout)
        if slot.kind.isToMany {
            guard slot.destination > 0, schema?.contains(schema!.layouts[slot.destination]) ?? false else { return }
            if schema?.link(of: layout, slot: slot.index) == nil {
                report(
                    .missingColumn, table: table, entity: layout.name, property: slot.name,
                    "no table or column holds this relationship")
            }
            return
        }
        guard slot.isStoredInRow else { return }
        guard let column = schema?.column(of: layout, slot: slot.index) else {
            return report(
                .missingColumn, table: table, entity: layout.name, property: slot.name, "there is no column for it")
        }
        let declared = inspection.columns[table]?.first { $0.name == column.name }?.type ?? ""
        if declared.uppercased() != slot.kind.columnType {
            report(
                .columnType, table: table, entity: layout.name, property: slot.name,
                "the column \(column.name) is declared \(declared.isEmpty ? "without a type" : declared) "
                    + "instead of \(slot.kind.columnType)")
        }
    }

    // MARK: Rows

    /// Keys, entities and versions of the rows of a tree's table.
    func checkRows(of root: EntityLayout) throws {
        let name = table(of: root)
        let table = name.quotedForSQL
        try forEachRow("SELECT Z_PK FROM \(table) WHERE Z_PK IS NULL OR typeof(Z_PK) <> 'integer' OR Z_PK < 1") { row in
            report(.rowKey, table: name, key: row.int(0), "\(row.text(0) ?? "NULL") is no key")
        }
        try forEachRow("SELECT Z_PK, count(*) FROM \(table) GROUP BY Z_PK HAVING count(*) > 1") { row in
            report(.rowKey, table: name, key: row.int(0), "\(row.int(1)) rows have this key")
        }
        try checkEntityNumbers(of: root, name)
        try forEachRow("SELECT Z_PK, Z_ENT, Z_OPT FROM \(table) WHERE typeof(Z_OPT) <> 'integer' OR Z_OPT < 1") { row in
            report(
                .rowVersion, table: name, entity: self.name(ofEntity: row.int(1)), key: row.int(0),
                "Z_OPT is \(row.text(2) ?? "NULL")")
        }
    }

    private func checkEntityNumbers(of root: EntityLayout, _ name: String) throws {
        let valid = root.selfAndDescendants.filter { schema?.contains($0) ?? false && !$0.isAbstract }
            .compactMap { schema?.number(of: $0) }
        let list = valid.map(String.init).joined(separator: ", ")
        try forEachRow(
            "SELECT Z_PK, Z_ENT FROM \(name.quotedForSQL) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(list))"
        ) { row in
            let number = row.text(1) ?? "NULL"
            let entity = schema?.layout(numbered: row.int(1))
            let message: String
            switch entity {
            case let entity? where entity.rootNumber == root.number:
                message = "Z_ENT is \(number), that of \(entity.name), which is abstract"
            case let entity?: message = "Z_ENT is \(number), that of \(entity.name): its rows are not in this table"
            case nil: message = "Z_ENT is \(number), which is no entity’s number"
            }
            report(.rowEntity, table: name, entity: root.name, key: row.int(0), message)
        }
    }
}
