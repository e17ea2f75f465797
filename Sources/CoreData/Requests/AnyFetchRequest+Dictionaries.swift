import FoundationGaps

extension AnyFetchRequest {
    /// The columns of a dictionary fetch, checked against the entity.
    ///
    /// - Throws: `NSPersistentStoreOperationError` naming the property that the entity does not have.
    func dictionaryOutput(for layout: EntityLayout) throws -> StoreFetch.Output {
        let attributes = layout.slots.filter { $0.kind.isAttribute && !$0.isTransient && $0.kind != .composite }
        let wanted: [Any] = propertiesToFetch ?? attributes.map(\.name)
        let columns: [StoreColumn] = try wanted.map { try column($0, of: layout) }
        let groups: [StoreColumn] = try (propertiesToGroupBy ?? []).map { try column($0, of: layout) }
        return .dictionaries(columns, groupBy: groups, having: havingPredicate, distinct: returnsDistinctResults)
    }

    private func column(_ property: Any, of layout: EntityLayout) throws -> StoreColumn {
        switch property {
        case let expression as NSExpressionDescription:
            return try column(expression, of: layout)
        case let description as NSPropertyDescription: return try column(named: description.name, of: layout)
        case let name as String: return try column(named: name, of: layout)
        default:
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "\(property) is neither a property's name nor a property or expression description.")
        }
    }

    /// The column of an expression; without one, the name is that of the attribute that is meant.
    private func column(_ description: NSExpressionDescription, of layout: EntityLayout) throws -> StoreColumn {
        let name = description.name
        if let tree = description.expression {
            return StoreColumn(name: name, expression: tree, type: description.expressionResultType)
        }
        let first = name.split(separator: ".").first.map(String.init) ?? name
        guard layout.slot(named: first) != nil else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "The expression description \"\(name)\" has no expression, and the entity \(layout.name) has no property of that name. Set its expression."
            )
        }
        let column = try column(named: name, of: layout)
        let type = description.expressionResultType
        return StoreColumn(
            name: name, expression: column.expression, type: type == .undefinedAttributeType ? column.type : type)
    }

    private func column(named name: String, of layout: EntityLayout) throws -> StoreColumn {
        let type = layout.slot(named: name)?.attribute?.attributeType ?? .undefinedAttributeType
        let first = name.split(separator: ".").first.map(String.init) ?? name
        guard layout.slot(named: first) != nil || first == "objectID" || first == "self" else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError, "The entity \(layout.name) has no property \"\(name)\" to fetch.")
        }
        return StoreColumn(name: name, expression: NSExpression(forKeyPath: name), type: type)
    }
}
