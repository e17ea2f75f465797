import FoundationGaps

/// An expression that a fetch index is over: arithmetic and conversions of the entity's own attributes.
///
/// What needs a function of this framework (`canonical:`, `lowercase:`) makes no index: a file with an index that calls
/// a function can only be written by programs that have the function.
struct SQLIndexExpression {
    /// As the translation of a fetch has it.
    let expression: SQLExpression

    init?(_ expression: NSExpression, of layout: EntityLayout, in schema: SQLSchema) {
        guard schema.contains(layout) else { return nil }
        let translation = SQLTranslation(schema: schema, store: 0, root: layout)
        guard case .term(let term)? = try? translation.operand(expression, SQLEnvironment(this: translation.root)),
            translation.builder.select.joins.isEmpty, !term.expression.isColumn,
            Self.text(term.expression, storageName: { _ in "" }, prefix: { _ in "" }) != nil
        else { return nil }
        self.expression = term.expression
    }

    /// As an index has it.
    func text(in dialect: any SQLDialect) -> String { Self.text(expression, in: dialect, prefix: { _ in "" }) ?? "" }

    /// The expressions that indexes of an entity and its superentities are over.
    static func all(of layout: EntityLayout, in schema: SQLSchema) -> [SQLIndexExpression] {
        var found: [SQLIndexExpression] = []
        var owner: EntityLayout? = layout
        while let current = owner, schema.contains(current) {
            let elements = current.entity.indexes.flatMap(\.elements)
            found += elements.compactMap { element in
                (element.property as? NSExpressionDescription)?.expression.flatMap {
                    SQLIndexExpression($0, of: current, in: schema)
                }
            }
            owner = current.parent
        }
        return found
    }

    /// The expression without parameters; nil where there is more in it than an index can be over.
    static func text(
        _ expression: SQLExpression, in dialect: any SQLDialect, prefix: (SQLAlias) -> String
    ) -> String? {
        text(expression, storageName: dialect.name(of:), prefix: prefix)
    }

    private static func text(
        _ expression: SQLExpression, storageName: (SQLStorage) -> String, prefix: (SQLAlias) -> String
    ) -> String? {
        switch expression {
        case .column(let name, let alias): return prefix(alias) + SQLSchema.name(name)
        case .integer(let number): return String(number)
        case .value(.int(let number)): return String(number)
        case .value(.double(let number)) where number.isFinite: return "\(number)"
        case .value(.text(let text)): return text.sqlLiteral
        case .arithmetic(let operation, let left, let right):
            guard let a = text(left, storageName: storageName, prefix: prefix),
                let b = text(right, storageName: storageName, prefix: prefix)
            else { return nil }
            return "(\(a) \(operation.rawValue) \(b))"
        case .bitwiseNot(let operand):
            return text(operand, storageName: storageName, prefix: prefix).map { "~\($0)" }
        case .cast(let operand, let storage):
            return text(operand, storageName: storageName, prefix: prefix).map {
                "CAST(\($0) AS \(storageName(storage)))"
            }
        default: return nil
        }
    }
}

extension SQLSelect {
    /// The select with the expressions that indexes are over written as the indexes have them.
    func naming(_ indexed: [SQLExpression]) -> SQLSelect {
        var select = self
        select.conditions = conditions.map { $0.naming(indexed) }
        select.order = order.map {
            SQLOrder($0.expression.naming(indexed), ascending: $0.ascending, comparison: $0.comparison)
        }
        if case .select(let inner) = source { select.source = .select(inner.naming(indexed)) }
        return select
    }
}

extension SQLExpression {
    fileprivate var isColumn: Bool { if case .column = self { true } else { false } }

    fileprivate func naming(_ indexed: [SQLExpression]) -> SQLExpression {
        if indexed.contains(self) { return .indexed(self) }
        func named(_ part: SQLExpression) -> SQLExpression { part.naming(indexed) }
        switch self {
        case .compare(let comparison, let left, let right): return .compare(comparison, named(left), named(right))
        case .between(let operand, let low, let high): return .between(named(operand), named(low), named(high))
        case .isMember(let operand, let values): return .isMember(named(operand), of: values)
        case .all(let parts): return .all(parts.map(named))
        case .any(let parts): return .any(parts.map(named))
        case .not(let operand): return .not(named(operand))
        case .isNull(let operand): return .isNull(named(operand))
        case .isNotNull(let operand): return .isNotNull(named(operand))
        default: return self
        }
    }
}
