import FoundationGaps

/// What a dictionary fetch asks for.
struct SQLDictionaryOutput {
    let columns: [StoreColumn]
    let groups: [StoreColumn]
    let having: NSPredicate?
    let isDistinct: Bool
}

extension SQLTranslation {
    /// Fills the select of a dictionary fetch.
    ///
    /// - Returns: The columns of the dictionaries.
    func dictionaries(
        _ output: SQLDictionaryOutput, sortedBy descriptors: [NSSortDescriptor], isPaged: Bool
    ) throws -> [SQLResultColumn] {
        var environment = SQLEnvironment(this: root)
        environment.aggregatesRows = true
        let columns = try output.columns.map { try append($0, environment) }
        builder.select.isDistinct = output.isDistinct
        builder.select.groups = try output.groups.flatMap { group in
            try outputs(of: group, SQLEnvironment(this: root)).expressions
        }
        // Predicate and order of the groups may speak of the columns by name.
        environment.columns = Dictionary(
            output.columns.map { ($0.name, $0.expression) }, uniquingKeysWith: { first, _ in first })
        if let having = output.having {
            guard !output.groups.isEmpty else {
                throw SQLTranslationError.unsupported(
                    "havingPredicate is about groups, and propertiesToGroupBy names none")
            }
            builder.select.having = try condition(having, environment)
        }
        let hasRowsOfItsOwn = !output.isDistinct && output.groups.isEmpty
        try sort(descriptors, environment, isPaged: isPaged && hasRowsOfItsOwn)
        return columns
    }

    private func append(_ column: StoreColumn, _ environment: SQLEnvironment) throws -> SQLResultColumn {
        let (expressions, kind) = try outputs(of: column, environment)
        defer { builder.select.columns += expressions }
        return SQLResultColumn(name: column.name, index: builder.select.columns.count, kind: kind)
    }

    /// The columns of the statement that one column of the result takes.
    private func outputs(
        of column: StoreColumn, _ environment: SQLEnvironment
    ) throws -> (expressions: [SQLExpression], kind: SQLResultColumn.Kind) {
        switch try operand(column.expression, environment) {
        case .object(let scope): return outputs(of: scope)
        case .term(let term): return ([term.expression], .value(term.type.delivered(as: column.type)))
        case .constant(let value):
            let term = try constant(value, as: nil)
            return ([term.expression], .value(term.type.delivered(as: column.type)))
        case .members: throw SQLTranslationError.toMany("column \"\(column.name)\", \(column.expression)")
        case .list:
            throw SQLTranslationError.unsupported("the column \"\(column.name)\" is a list, \(column.expression)")
        }
    }

    private func outputs(of scope: SQLScope) -> (expressions: [SQLExpression], kind: SQLResultColumn.Kind) {
        objects.keys.append(scope.key)
        let entities = scope.layout.selfAndDescendants.filter { !$0.isAbstract }
        guard let entity = entities.first, entities.count == 1 else {
            objects.entities.append(scope.entity)
            return ([scope.key, scope.entity], .referenceWithEntity)
        }
        return ([scope.key], .reference(entity: entity.number))
    }
}

extension SQLType {
    /// The type in which a value is delivered that the request declares to have a type.
    func delivered(as declared: NSAttributeType) -> SQLType {
        switch declared {
        case .integer16AttributeType: .integer(.bits16)
        case .integer32AttributeType: .integer(.bits32)
        case .integer64AttributeType: .integer(.bits64)
        case .booleanAttributeType: .boolean
        case .doubleAttributeType: .double
        case .floatAttributeType: .float
        case .decimalAttributeType: .decimal
        case .stringAttributeType: .string
        case .dateAttributeType: .date
        case .UUIDAttributeType: .uuid
        case .URIAttributeType: .uri
        case .binaryDataAttributeType: self == .externalData ? .externalData : .data
        case .transformableAttributeType, .objectIDAttributeType, .compositeAttributeType, .undefinedAttributeType: self
        }
    }
}
