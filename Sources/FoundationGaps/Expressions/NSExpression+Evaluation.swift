import Foundation

extension NSExpression {
    /// The expression's value.
    ///
    /// - Throws: `PredicateEvaluationError` when there is none.
    package func value(in scope: EvaluationScope) throws -> PredicateValue {
        switch node {
        case .constant(_, let value): return value
        case .evaluatedObject: return PredicateValue(scope.object)
        case .variable(let name): return try Self.value(ofVariable: name, in: scope)
        case .keyPath(let operand, let path): return try Self.value(at: path, of: operand, in: scope)
        case .function(let function, let arguments):
            return try function.value(of: arguments, in: scope)
        case .message(let receiver, let selector, let arguments):
            return PredicateValue(try receiver.call(selector, arguments, in: scope))
        case .set(let operation, let left, let right):
            return try operation.value(left.value(in: scope), right.value(in: scope))
        case .subquery(let collection, let variable, let predicate):
            return try Self.elements(of: collection, as: variable, fulfilling: predicate, in: scope)
        case .aggregate(let elements):
            let values = try elements.map { try $0.value(in: scope).boxed ?? NSNull() }
            return .collection(PredicateCollection(array: values))
        case .anyKey:
            throw PredicateEvaluationError("ANYKEY has no value; it stands for the attributes of a metadata query")
        case .symbol(let symbol):
            throw PredicateEvaluationError("\(symbol.rawValue) is an index and has no value of its own")
        case .block(let block, let arguments):
            return PredicateValue(block(scope.object, arguments, scope.mutableContext))
        case .conditional(let predicate, let whenTrue, let whenFalse):
            return try predicate.holds(in: scope) ? whenTrue.value(in: scope) : whenFalse.value(in: scope)
        case .assignment(let variable, let value):
            return try Self.assign(value.value(in: scope), to: variable, in: scope)
        case .fetch(let request, let context, let countOnly):
            return try Self.fetch(request, context, countOnly: countOnly, in: scope)
        case .custom:
            return PredicateValue(expressionValue(with: scope.object, context: scope.mutableContext))
        }
    }

    private static func value(ofVariable name: String, in scope: EvaluationScope) throws -> PredicateValue {
        guard let bound = scope.value(ofVariable: name) else {
            throw PredicateEvaluationError(
                """
                the variable $\(name) has no value: give it one by withSubstitutionVariables(_:) \
                or evaluate(with:substitutionVariables:)
                """)
        }
        if let expression = bound as? NSExpression { return try expression.value(in: scope) }
        return PredicateValue(bound)
    }

    private static func elements(
        of collection: NSExpression, as variable: String, fulfilling predicate: NSPredicate, in scope: EvaluationScope
    ) throws -> PredicateValue {
        switch try collection.value(in: scope) {
        case .null: return .null
        case .collection(let collection):
            let elements = try collection.elements.filter { try predicate.holds(in: scope.binding(variable, to: $0)) }
            return .collection(PredicateCollection(array: elements))
        case let value:
            throw PredicateEvaluationError(
                "SUBQUERY needs a collection, and the value of \(collection) is \(value.kindName)")
        }
    }

    private static func assign(
        _ value: PredicateValue, to variable: String, in scope: EvaluationScope
    ) throws -> PredicateValue {
        guard let context = scope.context else {
            throw PredicateEvaluationError(
                "$\(variable) := … needs a context to store into: use expressionValue(with:context:)")
        }
        context[variable] = value.boxed ?? NSNull()
        return value
    }

    private static func fetch(
        _ request: NSExpression, _ context: NSExpression, countOnly: Bool, in scope: EvaluationScope
    ) throws -> PredicateValue {
        guard let fetcher = try context.value(in: scope).boxed as? any FetchExpressionContext,
            let request = try request.value(in: scope).boxed
        else {
            throw PredicateEvaluationError("FETCH needs a fetch request and a managed object context")
        }
        return PredicateValue(try fetcher.resultOfFetchExpression(request, countOnly: countOnly))
    }
}

// MARK: - Functions by name

extension NSExpression {
    /// Calls the function that a name means for this expression's value.
    func call(_ name: String, _ arguments: [NSExpression], in scope: EvaluationScope) throws -> Any? {
        let values = try arguments.map { try $0.value(in: scope).boxed }
        if let function = try functionOfOwner(named: name, in: scope) {
            return try NamedFunctions.shared.call(function, name, values)
        }
        return try NamedFunctions.shared.call(name, receiver: value(in: scope).boxed, arguments: values)
    }

    /// What the object with the value says that a name means for it; nil where there is no such object, or it says
    /// nothing.
    private func functionOfOwner(
        named name: String, in scope: EvaluationScope
    ) throws -> (([Any?]) throws -> Any?)? {
        guard case .keyPath(let operand, let path) = node, let key = path.keys.last else { return nil }
        let way = PredicateKeyPath(keys: Array(path.keys.dropLast()))
        let owner =
            way.keys.isEmpty
            ? try Self.startOfPath(operand, in: scope) : try Self.value(at: way, of: operand, in: scope).boxed
        return owner.flatMap(NamedFunctions.messageReceiver)?.function(named: name, of: key)
    }
}

// MARK: - Key paths

extension NSExpression {
    private static func value(
        at path: PredicateKeyPath, of operand: NSExpression, in scope: EvaluationScope
    ) throws -> PredicateValue {
        let start = try startOfPath(operand, in: scope)
        guard let start else { return .null }
        if let reader = scope.reader, let object = instance(in: start),
            let value = try reader.value(of: object, at: path)
        {
            return value
        }
        return PredicateValue(FoundationGaps.value(of: start, forKeys: path.keys[...]))
    }

    private static func startOfPath(_ operand: NSExpression, in scope: EvaluationScope) throws -> Any? {
        switch operand.node {
        case .evaluatedObject: return scope.object
        case .variable(let name):
            // An element of a subquery: no need to look what kind of value it is.
            let bound = scope.value(ofVariable: name)
            if let bound, !(bound is NSExpression) { return bound }
            return try operand.value(in: scope).boxed
        default: return try operand.value(in: scope).boxed
        }
    }
}

extension EvaluationScope {
    /// The context as blocks get it: the one that was given, with the variables that are bound.
    fileprivate var mutableContext: NSMutableDictionary? {
        if variables.isEmpty { return context }
        let all = context ?? NSMutableDictionary()
        for (name, value) in variables { all[name] = value }
        return all
    }
}

// MARK: - Sets

extension ExpressionNode.SetOperation {
    fileprivate func value(_ left: PredicateValue, _ right: PredicateValue) throws -> PredicateValue {
        let first = try elements(left)
        let second = try elements(right)
        var seen = Set<PredicateValue>()
        func distinct(_ elements: [PredicateValue]) -> [PredicateValue] { elements.filter { seen.insert($0).inserted } }
        let result: [PredicateValue]
        switch self {
        case .union: result = distinct(first + second)
        case .intersect:
            let others = Set(second)
            result = distinct(first).filter(others.contains)
        case .minus:
            let others = Set(second)
            result = distinct(first).filter { !others.contains($0) }
        }
        let values = result.map { $0.boxed ?? NSNull() }
        return .collection(PredicateCollection(NSSet(array: values), kind: .set, elements: values))
    }

    private func elements(_ value: PredicateValue) throws -> [PredicateValue] {
        switch value {
        case .null: []
        case .collection(let collection): collection.elements.map { PredicateValue($0) }
        default:
            throw PredicateEvaluationError("\(rawValue) needs collections on both sides, and one is \(value.kindName)")
        }
    }
}
