import FoundationGaps

/// An expression that a fetch index is over: arithmetic and conversions of the entity's own attributes.
///
/// What needs a function of this framework (`canonical:`, `lowercase:`) makes no index: a file with an index that calls
/// a function can only be written by programs that have the function.
struct SQLIndexExpression {
    /// As the translation of a fetch has it.
    let expression: SQLExpression

    /// As an index has it: with constants in the place of parameters, and columns that stand alone.
    let definition: SQLExpression

    init?(_ expression: NSExpression, of layout: EntityLayout, in schema: SQLSchema, _ dialect: any SQLDialect) {
        guard schema.contains(layout) else { return nil }
        let translation = SQLTranslation(schema: schema, store: 0, root: layout, dialect: dialect)
        guard case .term(let term)? = try? translation.operand(expression, SQLEnvironment(this: translation.root)),
            translation.builder.select.joins.isEmpty, !term.expression.isColumn,
            let definition = term.expression.withoutParameters?.withLoneColumns
        else { return nil }
        self.expression = term.expression
        self.definition = definition
    }

    /// The expressions that indexes of an entity and its superentities are over.
    static func all(of layout: EntityLayout, in schema: SQLSchema, _ dialect: any SQLDialect) -> [SQLIndexExpression] {
        var found: [SQLIndexExpression] = []
        var owner: EntityLayout? = layout
        while let current = owner, schema.contains(current) {
            let elements = current.entity.indexes.flatMap(\.elements)
            found += elements.compactMap { element in
                (element.property as? NSExpressionDescription)?.expression.flatMap {
                    SQLIndexExpression($0, of: current, in: schema, dialect)
                }
            }
            owner = current.parent
        }
        return found
    }
}

extension SQLExpression {
    /// The expression with constants in the place of parameters; nil where there is more in it than an index can be
    /// over.
    fileprivate var withoutParameters: SQLExpression? {
        switch self {
        case .column, .integer: return self
        case .value(.double(let number)): return number.isFinite ? .constant(.double(number)) : nil
        case .value(.int), .value(.text):
            guard case .value(let value) = self else { return nil }
            return .constant(value)
        case .arithmetic(let operation, let left, let right):
            guard let left = left.withoutParameters, let right = right.withoutParameters else { return nil }
            return .arithmetic(operation, left, right)
        case .bitwiseNot(let operand): return operand.withoutParameters.map { .bitwiseNot($0) }
        case .cast(let operand, let storage): return operand.withoutParameters.map { .cast($0, storage) }
        default: return nil
        }
    }

    fileprivate var withLoneColumns: SQLExpression {
        if case .column(let name, _) = self { return .own(name) }
        return replacingOperands { $0.withLoneColumns }
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
        if indexed.contains(self), let constant = withoutParameters { return .indexed(constant) }
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
