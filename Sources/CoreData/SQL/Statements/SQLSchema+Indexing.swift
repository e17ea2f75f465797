import FoundationGaps

/// The indexes that a model asks for.
extension SQLSchema {
    /// The entity's own fetch indexes over columns, and those that older models ask for with other words.
    package func fetchIndexes(of layout: EntityLayout, _ dialect: any SQLDialect) -> [SQLIndexDefinition] {
        var taken: Set<String> = []
        func made(
            _ name: String, _ elements: [(name: String?, description: NSFetchIndexElementDescription?)],
            _ predicate: NSPredicate? = nil
        ) -> SQLIndexDefinition? {
            let free = SQLNaming.unusedIgnoringCase(name, in: taken)
            taken.insert(free.uppercased())
            return fetchIndex(free, elements, predicate, of: layout, dialect)
        }
        let asked = layout.entity.indexes.compactMap { index in
            made(index.name, index.elements.map { ($0.propertyName, $0) }, index.partialIndexPredicate)
        }
        return asked
            + olderIndexes(of: layout).compactMap { names in
                made(names.joined(separator: "_"), names.map { ($0, nil) })
            }
    }

    /// - Parameter elements: Property names, each with the description that says how it is indexed.
    private func fetchIndex(
        _ name: String, _ elements: [(name: String?, description: NSFetchIndexElementDescription?)],
        _ predicate: NSPredicate?, of layout: EntityLayout, _ dialect: any SQLDialect
    ) -> SQLIndexDefinition? {
        let columns = elements.compactMap { indexColumn($0, $1, of: layout, dialect) }
        guard !columns.isEmpty, columns.count == elements.count else { return nil }
        // Every to-one relationship has an index already. Apple's framework makes no second one (Photos library,
        // osxphotos-13).
        if elements.count == 1, predicate == nil, let name = elements[0].name, layout.slot(named: name)?.kind == .toOne
        {
            return nil
        }
        // A predicate that the database can't judge by itself makes an index of all rows: it answers the same fetches.
        return SQLIndexDefinition(
            name: "Z_\(layout.name)_\(name)", table: table(of: layout).name, columns: columns,
            condition: predicate.flatMap { SQLIndexPredicate(schema: self, layout: layout).condition($0) })
    }

    /// Nil for what a binary index can't be over.
    private func indexColumn(
        _ name: String?, _ element: NSFetchIndexElementDescription?, of layout: EntityLayout, _ dialect: any SQLDialect
    ) -> SQLIndexColumn? {
        guard element?.collationType ?? .binary == .binary else { return nil }
        let isAscending = element?.isAscending ?? true
        if let expression = (element?.property as? NSExpressionDescription)?.expression {
            if let column = column(of: expression, of: layout) { return .binary(column, isAscending: isAscending) }
            return SQLIndexExpression(expression, of: layout, in: self, dialect).map {
                .expression($0.definition, isAscending: isAscending)
            }
        }
        return name.flatMap { columnName($0, of: layout) }.map { .binary($0, isAscending: isAscending) }
    }

    /// The column that an expression means: the key for `SELF`, the attribute's column for its name, the number of the
    /// entity for `entity` (Photos library, osxphotos-13).
    private func column(of expression: NSExpression, of layout: EntityLayout) -> String? {
        switch expression.node {
        case .evaluatedObject: return "Z_PK"
        case .keyPath(let operand, let path) where operand.expressionType == .evaluatedObject && path.keys.count == 1:
            let key = path.keys[0]
            return columnName(key, of: layout) ?? (key == "entity" ? "Z_ENT" : nil)
        default: return nil
        }
    }

    /// What models marked before there were fetch indexes: single attributes, and lists of properties.
    ///
    /// Models of today say the same a second time for older systems; that counts once.
    private func olderIndexes(of layout: EntityLayout) -> [[String]] {
        let known = Set(layout.entity.indexes.map { $0.elements.map { $0.propertyName ?? "" } })
        let names = Set(layout.entity.indexes.map(\.name))
        let marked = layout.slots[(layout.parent?.slots.count ?? 0)...]
            .filter { $0.property.isIndexed && $0.isStoredInRow && $0.kind != .toOne }.map { [$0.name] }
        let lists = layout.entity.compoundIndexes.map { list in
            list.compactMap { ($0 as? String) ?? ($0 as? NSPropertyDescription)?.name }
        }
        return (marked + lists).filter { !known.contains($0) && !names.contains($0.joined(separator: "_")) }
    }

    // MARK: Uniqueness

    func uniquenessIndexes() -> [SQLIndexDefinition] { uniqueness().map(\.index) }

    /// The uniqueness constraints of all entities, each with its index.
    package func uniqueness() -> [(layout: EntityLayout, names: [String], index: SQLIndexDefinition)] {
        layouts.layouts.filter { contains($0) }.flatMap { layout in
            layout.ownUniquenessConstraints.compactMap { constraint in
                let columns = constraint.compactMap { columnName($0, of: layout) }
                guard columns.count == constraint.count, !columns.isEmpty else { return nil }
                let index = SQLIndexDefinition(
                    name: "Z_\(layout.name)_UNIQUE_\(constraint.joined(separator: "_"))",
                    table: table(of: layout).name, isUnique: true,
                    columns: columns.map { .binary($0, isAscending: true) })
                return (layout, constraint, index)
            }
        }
    }

    // MARK: Places

    /// The tables of spatial indexes, each with the triggers that keep it.
    func spatialIndexes() -> [SQLStatement] {
        spatialParts().flatMap { [.createSpatialTable($0.table)] + $0.triggers.map { .createTrigger($0) } }
    }

    /// A spatial index in its parts.
    struct SpatialParts {
        let table: SQLSpatialTable
        /// The table with the rows that are in the index.
        let entityTable: String
        let triggers: [SQLTrigger]
        /// What brings all rows into the index.
        let filling: SQLStatement
    }

    func spatialParts() -> [SpatialParts] {
        layouts.layouts.filter { contains($0) }.flatMap { layout in
            layout.entity.indexes.compactMap { spatialParts($0, of: layout) }
        }
    }

    private func spatialParts(_ index: NSFetchIndexDescription, of layout: EntityLayout) -> SpatialParts? {
        guard let spatial = SQLSpatialIndex(index, of: layout, in: self) else { return nil }
        let table = SQLSpatialTable(name: spatial.table, bounds: spatial.axes.flatMap { [$0.low, $0.high] })
        let columns = spatial.axes.map(\.column)
        var rows = SQLSelect(from: .table(self.table(of: layout).name, .only))
        rows.columns = (["Z_PK"] + columns.flatMap { [$0, $0] }).map { .own($0) }
        rows.conditions = [numbersBelow(layout).map { .isOne(.own("Z_ENT"), of: $0) }].compactMap { $0 }
        return SpatialParts(
            table: table, entityTable: self.table(of: layout).name,
            triggers: spatialTriggers(table, columns, layout),
            filling: .insert(SQLInsert(table: table.name, columns: ["Z_PK"] + table.bounds, .rows(rows))))
    }

    /// A row's place is a box of no extent.
    private func spatialTriggers(
        _ boxes: SQLSpatialTable, _ columns: [String], _ layout: EntityLayout
    ) -> [SQLTrigger] {
        let values = ["Z_PK"] + columns.flatMap { [$0, $0] }
        let enter = SQLTrigger.Action.run(
            .insert(
                SQLInsert(
                    table: boxes.name, columns: ["Z_PK"] + boxes.bounds,
                    values: values.map { .column($0, of: .newRow) }, conflict: .replacesTheOldRow(key: "Z_PK"))))
        let leave = SQLTrigger.Action.run(
            .delete(SQLDelete(table: boxes.name, conditions: [.equal(.own("Z_PK"), .column("Z_PK", of: .oldRow))])))
        let condition = numbersBelow(layout).map { SQLExpression.isOne(.column("Z_ENT", of: .newRow), of: $0) }
        let table = table(of: layout).name
        return [
            SQLTrigger(boxes.name, .insert, on: table, when: condition, do: [enter]),
            SQLTrigger(boxes.name, .update(of: columns), on: table, when: condition, do: [enter]),
            SQLTrigger(boxes.name, .delete, on: table, do: [leave]),
        ]
    }
}
