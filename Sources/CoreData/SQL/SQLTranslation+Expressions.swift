import FoundationGaps

extension SQLTranslation {
    /// What an expression stands for.
    ///
    /// Whatever depends on nothing that is in the store is computed in memory and becomes one parameter.
    func operand(_ expression: NSExpression, _ environment: SQLEnvironment) throws -> SQLOperand {
        if expression.isConstant { return .constant(try expression.value(in: EvaluationScope(object: nil))) }
        switch expression.node {
        case .constant(_, let value): return .constant(value)
        case .evaluatedObject: return .object(environment.this)
        case .variable(let name): return try operand(variable: name, environment)
        case .keyPath(let start, let path): return try operand(path, from: start, environment)
        case .function(let function, let arguments):
            return try self.function(function, arguments, of: expression, environment)
        case .message(let receiver, let name, let arguments):
            guard let function = TextFunction(rawValue: name) else { throw unanswerable(expression) }
            return .term(try search(function, receiver, arguments, "\"\(expression)\"", environment))
        case .subquery(let collection, let variable, let predicate):
            return try subquery(collection, variable, predicate, environment)
        case .aggregate(let elements): return .list(elements)
        case .conditional(let predicate, let first, let second):
            return .term(try conditional(predicate, first, second, environment))
        default: throw unanswerable(expression)
        }
    }

    private func unanswerable(_ expression: NSExpression) -> CocoaError {
        SQLTranslationError.unsupported("\"\(expression)\" \(expression.node.reason)")
    }

    private func operand(variable name: String, _ environment: SQLEnvironment) throws -> SQLOperand {
        if let element = environment.variables[name] { return element.operand }
        if let column = environment.columns[name] { return try operand(column, environment) }
        throw SQLTranslationError.unsupported("the variable $\(name) has no value")
    }

    private func operand(
        _ path: PredicateKeyPath, from start: NSExpression, _ environment: SQLEnvironment
    ) throws -> SQLOperand {
        if case .evaluatedObject = start.node, let key = path.keys.first, let column = environment.columns[key],
            path.keys.count == 1, environment.this.layout.slot(named: key) == nil
        {
            return try operand(column, environment)
        }
        return try operand(path, from: try operand(start, environment), environment)
    }

    private func subquery(
        _ collection: NSExpression, _ variable: String, _ predicate: NSPredicate, _ environment: SQLEnvironment
    ) throws -> SQLOperand {
        guard case .members(var members) = try operand(collection, environment) else {
            throw SQLTranslationError.unsupported("SUBQUERY needs a to-many relationship, \"\(collection)\" is none")
        }
        var inner = environment
        inner.variables[variable] = members.element
        inner.aggregatesRows = false
        let condition = try condition(predicate, inner)
        if condition != .truth(true) { members.builder.select.conditions += condition.conjuncts }
        members.isList = true
        return .members(members)
    }

    private func conditional(
        _ predicate: NSPredicate, _ first: NSExpression, _ second: NSExpression, _ environment: SQLEnvironment
    ) throws -> SQLTerm {
        let condition = try condition(predicate, environment)
        let (yes, no) = try values(operand(first, environment), operand(second, environment), "TERNARY")
        let branch = SQLBranch(condition: condition, result: yes.expression)
        return SQLTerm(.choice([branch], otherwise: no.expression), yes.type == .unknown ? no.type : yes.type)
    }

    /// Two operands as values, a constant as what the other's type makes of it.
    func values(_ first: SQLOperand, _ second: SQLOperand, _ what: String) throws -> (SQLTerm, SQLTerm) {
        if case .constant = first {
            let other = try value(second, what)
            return (try value(first, what, beside: other.type), other)
        }
        let term = try value(first, what)
        return (term, try value(second, what, beside: term.type))
    }

    /// An operand as a value.
    func value(_ operand: SQLOperand, _ what: String, beside type: SQLType? = nil) throws -> SQLTerm {
        switch operand {
        case .term(let term): return term
        case .object(let scope): return scope.term
        case .constant(let value): return try constant(value, as: type)
        case .members: throw SQLTranslationError.toMany(what)
        case .list: throw SQLTranslationError.unsupported("\(what) takes a single value, not a list")
        }
    }
}

extension NSExpression {
    /// Whether the value is the same for all objects.
    var isConstant: Bool {
        switch node {
        case .constant: true
        case .keyPath(let operand, _): operand.isConstant
        case .function(.random, _), .function(.randomBelow, _): false
        case .function(_, let arguments): arguments.allSatisfy(\.isConstant)
        case .message(let receiver, _, let arguments): receiver.isConstant && arguments.allSatisfy(\.isConstant)
        case .set(_, let left, let right): left.isConstant && right.isConstant
        case .aggregate(let elements): elements.allSatisfy(\.isConstant)
        case .symbol: true
        default: false
        }
    }
}

extension ExpressionNode {
    /// Why a SQL store can't answer it.
    fileprivate var reason: String {
        switch self {
        case .message: "calls a function of its own, which only runs in memory"
        case .set: "combines sets, which only memory can do"
        case .anyKey: "means any key; name the keys"
        case .block: "is a block, which only runs in memory"
        case .fetch: "is a fetch inside a fetch; run it first and compare with its results"
        case .assignment: "assigns a variable"
        default: "is an expression of a class of its own"
        }
    }
}
