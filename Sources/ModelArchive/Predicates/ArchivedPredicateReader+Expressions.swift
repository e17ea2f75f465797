import FoundationGaps

extension ArchivedPredicateReader {
    /// The expression in a field that must be there.
    func operand(_ object: ArchivedObject, _ key: String, depth: Int) throws -> NSExpression {
        guard let operand = try object.object(key) else { throw object.unexpected(key, "expression") }
        return try expression(operand, depth: depth + 1)
    }

    private func operands(_ object: ArchivedObject, _ key: String, depth: Int) throws -> [NSExpression] {
        try object.elements(key).map { element in
            guard let element = element.object else { throw object.unexpected(key, "list of expressions") }
            return try expression(element, depth: depth + 1)
        }
    }

    func expression(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        try enter(depth)
        switch object.className {
        case "NSSelfExpression":
            return .expressionForEvaluatedObject()
        case "NSAnyKeyExpression":
            return .expressionForAnyKey()
        case "NSConstantValueExpression":
            return NSExpression(forConstantValue: try constant(object["NSConstantValue"], depth: depth))
        case "NSVariableExpression":
            return NSExpression(forVariable: try object.requiredString("NSVariable"))
        case "NSKeyPathSpecifierExpression":
            return NSExpression(node: .keyPath(operand: .expressionForEvaluatedObject(), path: try keyPath(object)))
        case "NSKeyPathExpression":
            return try keyPathExpression(object, depth: depth)
        case "NSFunctionExpression":
            return try function(object, depth: depth)
        case "NSAggregateExpression":
            return NSExpression(forAggregate: try operands(object, "NSCollection", depth: depth))
        default:
            return try rareExpression(object, depth: depth)
        }
    }

    private func rareExpression(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        switch object.className {
        case "NSSubqueryExpression":
            return NSExpression(
                forSubquery: try operand(object, "NSCollection", depth: depth),
                usingIteratorVariable: try object.requiredString("NSVariable"),
                predicate: try condition(object, depth: depth))
        case "NSSetExpression":
            return try set(object, depth: depth)
        case "NSTernaryExpression":
            return NSExpression(
                forConditional: try condition(object, depth: depth),
                trueExpression: try operand(object, "NSTrueExpression", depth: depth),
                falseExpression: try operand(object, "NSFalseExpression", depth: depth))
        case "NSSymbolicExpression":
            let name = try object.requiredString("NSSymbol")
            guard let symbol = ExpressionNode.IndexSymbol(rawValue: name) else {
                throw object.unexpected("NSSymbol", "index")
            }
            return NSExpression(node: .symbol(symbol))
        case "NSVariableAssignmentExpression":
            let value = try operand(object, "NSSubexpression", depth: depth)
            return NSExpression(node: .assignment(variable: try object.requiredString("NSVariable"), value: value))
        case "NSFetchRequestExpression":
            let request = try operand(object, "NSFRExpression", depth: depth)
            let context = try operand(object, "NSMOCExpression", depth: depth)
            let countOnly = try object.flag("NSCountOnlyFlag")
            return NSExpression(node: .fetch(request: request, context: context, countOnly: countOnly))
        default:
            throw corruptArchive("The keyed archive has an expression of unknown class “\(object.className)”.")
        }
    }

    private func condition(_ object: ArchivedObject, depth: Int) throws -> NSPredicate {
        guard let predicate = try object.object("NSPredicate") else {
            throw object.unexpected("NSPredicate", "predicate")
        }
        return try self.predicate(predicate, depth: depth + 1)
    }

    private func set(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        let left = try operand(object, "NSLeftExpression", depth: depth)
        let right = try operand(object, "NSRightExpression", depth: depth)
        switch try object.integer("NSExpressionType") {
        case 5: return NSExpression(forUnionSet: left, with: right)
        case 6: return NSExpression(forIntersectSet: left, with: right)
        case 7: return NSExpression(forMinusSet: left, with: right)
        default: throw object.unexpected("NSExpressionType", "operation on sets")
        }
    }

    private func keyPath(_ object: ArchivedObject) throws -> PredicateKeyPath {
        let text = try object.requiredString("NSKeyPath")
        let path = PredicateKeyPath(text)
        guard !path.keys.isEmpty, !path.keys.contains("") else {
            throw object.unexpected("NSKeyPath", "key path (\(text))")
        }
        return path
    }

    private func keyPathExpression(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        let operand = try object.object("NSOperand").map { try expression($0, depth: depth + 1) }
        guard let path = try object.elements("NSArguments").first?.object,
            path.className == "NSKeyPathSpecifierExpression"
        else { throw object.unexpected("NSArguments", "key path") }
        return NSExpression(
            node: .keyPath(operand: operand ?? .expressionForEvaluatedObject(), path: try keyPath(path)))
    }

    /// A built-in function, or an app's own that an object is asked for.
    private func function(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        let name = try object.requiredString("NSSelectorName")
        let arguments = try operands(object, "NSArguments", depth: depth)
        let receiver = try object.object("NSOperand")
        let receiverClass = try receiver?.string("NSConstantValueClassName")
        if receiver == nil || receiverClass == ArchivedPredicateWriter.functionsClass {
            guard let function = PredicateFunction(rawValue: name), function.takes(arguments.count) else {
                throw object.unexpected("NSSelectorName", "function of predicates (\(name))")
            }
            return NSExpression(node: .function(function, arguments))
        }
        return NSExpression(
            forFunction: try operand(object, "NSOperand", depth: depth), selectorName: name, arguments: arguments)
    }
}

extension PredicateFunction {
    /// Whether the function may be called with so many arguments: one for each colon of its name, but any number for
    /// those that work on all of them.
    fileprivate func takes(_ count: Int) -> Bool {
        switch self {
        case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: true
        default: count == rawValue.count { $0 == ":" }
        }
    }
}
