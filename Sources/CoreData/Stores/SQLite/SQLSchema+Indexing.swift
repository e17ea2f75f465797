import FoundationGaps

/// The indexes that a model asks for.
extension SQLSchema {
    /// The entity's own fetch indexes over columns, and those that older models ask for with other words.
    func fetchIndexes(of layout: EntityLayout) -> [String] {
        var taken: Set<String> = []
        func made(
            _ name: String, _ elements: [(name: String?, description: NSFetchIndexElementDescription?)],
            _ predicate: NSPredicate? = nil
        ) -> String? {
            let free = SQLNaming.unusedIgnoringCase(name, in: taken)
            taken.insert(free.uppercased())
            return fetchIndex(free, elements, predicate, of: layout)
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
        _ predicate: NSPredicate?, of layout: EntityLayout
    ) -> String? {
        let columns = elements.compactMap { name, description -> String? in
            guard description?.collationType ?? .binary == .binary else { return nil }
            let direction = description?.isAscending ?? true ? "ASC" : "DESC"
            if let expression = (description?.property as? NSExpressionDescription)?.expression {
                if let column = column(of: expression, of: layout) {
                    return "\(Self.name(column)) COLLATE BINARY \(direction)"
                }
                return SQLIndexExpression(expression, of: layout, in: self).map {
                    "(\($0.text(in: SQLiteDialect(hasJSON: false)))) \(direction)"
                }
            }
            guard let name, let column = columnName(name, of: layout) else { return nil }
            return "\(Self.name(column)) COLLATE BINARY \(direction)"
        }
        guard !columns.isEmpty, columns.count == elements.count else { return nil }
        // Every to-one relationship has an index already. Apple's framework makes no second one (Photos library,
        // osxphotos-13).
        if elements.count == 1, predicate == nil, let name = elements[0].name, layout.slot(named: name)?.kind == .toOne
        {
            return nil
        }
        // A predicate that the database can't judge by itself makes an index of all rows: it answers the same fetches.
        let part = predicate.flatMap { SQLIndexPredicate(schema: self, layout: layout).sql($0) }
        return "CREATE INDEX \(Self.name("Z_\(layout.name)_\(name)")) ON \(Self.name(table(of: layout).name)) "
            + "(\(columns.joined(separator: ", ")))" + (part.map { " WHERE \($0)" } ?? "")
    }

    /// The column that an expression means: the key for `SELF`, the attribute's column for its name.
    private func column(of expression: NSExpression, of layout: EntityLayout) -> String? {
        switch expression.node {
        case .evaluatedObject: return "Z_PK"
        case .keyPath(let operand, let path) where operand.expressionType == .evaluatedObject && path.keys.count == 1:
            return columnName(path.keys[0], of: layout)
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

    func uniquenessIndexes() -> [String] {
        layouts.layouts.filter { contains($0) }.flatMap { layout in
            layout.ownUniquenessConstraints.compactMap { constraint in
                let columns = constraint.compactMap { columnName($0, of: layout) }
                guard columns.count == constraint.count, !columns.isEmpty else { return nil }
                let name = "Z_\(layout.name)_UNIQUE_\(constraint.joined(separator: "_"))"
                let list = columns.map { "\(Self.name($0)) COLLATE BINARY ASC" }.joined(separator: ", ")
                return "CREATE UNIQUE INDEX \(Self.name(name)) ON \(Self.name(table(of: layout).name)) (\(list))"
            }
        }
    }

    // MARK: Places

    /// The R-trees of spatial indexes, each with the triggers that keep it.
    func spatialIndexes() -> [String] {
        layouts.layouts.filter { contains($0) }.flatMap { layout in
            layout.entity.indexes.flatMap { spatialIndex($0, of: layout) }
        }
    }

    private func spatialIndex(_ index: NSFetchIndexDescription, of layout: EntityLayout) -> [String] {
        guard let spatial = SQLSpatialIndex(index, of: layout, in: self) else { return [] }
        let ranges = spatial.axes.flatMap { [$0.low, $0.high] }.map { Self.name($0) }
        let table =
            "CREATE VIRTUAL TABLE \(Self.name(spatial.table)) USING RTREE "
            + "(Z_PK INTEGER PRIMARY KEY, \(ranges.map { "\($0) FLOAT" }.joined(separator: ", ")))"
        return [table]
            + spatialTriggers(spatial.table, spatial.axes.map(\.column), ranges, layout).map { $0.creation() }
    }

    /// A row's place is a box of no extent.
    private func spatialTriggers(
        _ prefix: String, _ columns: [String], _ ranges: [String], _ layout: EntityLayout
    ) -> [SQLTrigger] {
        let values = columns.map { "NEW.\(Self.name($0)), NEW.\(Self.name($0))" }.joined(separator: ", ")
        let enter =
            "INSERT OR REPLACE INTO \(Self.name(prefix)) (Z_PK, \(ranges.joined(separator: ", "))) "
            + "VALUES (NEW.Z_PK, \(values))"
        let numbers = layout.selfAndDescendants.compactMap { contains($0) ? number(of: $0) : nil }
        let condition = layout.parent.map { _ in
            "NEW.Z_ENT IN (\(numbers.map { "\($0)" }.joined(separator: ", ")))"
        }
        let table = table(of: layout).name
        return [
            SQLTrigger(prefix, .insert, on: table, when: condition, do: [enter]),
            SQLTrigger(prefix, .update(of: columns), on: table, when: condition, do: [enter]),
            SQLTrigger(
                prefix, .delete, on: table, do: ["DELETE FROM \(Self.name(prefix)) WHERE Z_PK = OLD.Z_PK"]),
        ]
    }
}
