import FoundationGaps
import PropertyLists

extension ArchivedPredicateWriter {
    /// - Throws: `CocoaError.fileWriteUnknown` (512) for blocks and for constants that no archive of a model holds.
    mutating func add(_ expression: NSExpression) throws -> ArchiveReference {
        switch expression.node {
        case .constant(let value, let known):
            return constant(try add(value, known))
        case .evaluatedObject:
            return evaluatedObject()
        case .variable(let name):
            return self.expression("NSVariableExpression", type: 2, ["NSVariable": string(name)])
        case .keyPath(let operand, let path):
            return keyPath(path.keys.joined(separator: "."), of: try add(operand))
        case .function(let function, let arguments):
            return try call(function.rawValue, of: functionsReceiver(), arguments)
        case .message(let receiver, let selector, let arguments):
            return try call(selector, of: add(receiver), arguments)
        case .aggregate(let elements):
            let collection = builder.array(try add(elements))
            return self.expression("NSAggregateExpression", type: 14, ["NSCollection": collection.value])
        default:
            return try addRare(expression)
        }
    }

    private mutating func addRare(_ expression: NSExpression) throws -> ArchiveReference {
        switch expression.node {
        case .set(_, let left, let right):
            return self.expression(
                "NSSetExpression", type: Int(expression.expressionType.rawValue),
                ["NSLeftExpression": try add(left).value, "NSRightExpression": try add(right).value])
        case .subquery(let collection, let variable, let predicate):
            return self.expression(
                "NSSubqueryExpression", type: 13,
                [
                    "NSCollection": try add(collection).value, "NSVariable": string(variable),
                    "NSPredicate": try add(predicate).value,
                ])
        case .conditional(let predicate, let whenTrue, let whenFalse):
            return self.expression(
                "NSTernaryExpression", type: 20,
                [
                    "NSPredicate": try add(predicate).value, "NSTrueExpression": try add(whenTrue).value,
                    "NSFalseExpression": try add(whenFalse).value,
                ])
        case .fetch(let request, let context, let countOnly):
            return self.expression(
                "NSFetchRequestExpression", type: 50,
                [
                    "NSFRExpression": try add(request).value, "NSMOCExpression": try add(context).value,
                    "NSCountOnlyFlag": .boolean(countOnly),
                ])
        case .assignment(let variable, let value):
            return self.expression(
                "NSVariableAssignmentExpression", type: 12,
                ["NSVariable": string(variable), "NSSubexpression": try add(value).value])
        case .symbol(let symbol):
            return self.expression("NSSymbolicExpression", type: 11, ["NSSymbol": string(symbol.rawValue)])
        case .anyKey:
            return self.expression("NSAnyKeyExpression", type: 15)
        default:
            throw unwritableValue(
                "An expression that is a block or a class of its own can't be archived: \(expression).")
        }
    }

    private mutating func add(_ expressions: [NSExpression]) throws -> [ArchiveReference] {
        var references: [ArchiveReference] = []
        for expression in expressions { references.append(try add(expression)) }
        return references
    }

    private mutating func call(
        _ name: String, of receiver: ArchiveReference, _ arguments: [NSExpression]
    ) throws -> ArchiveReference {
        let arguments = builder.array(try add(arguments), .mutableArray)
        return expression(
            "NSFunctionExpression", type: 4,
            ["NSOperand": receiver.value, "NSSelectorName": string(name), "NSArguments": arguments.value])
    }

    /// What built-in functions are asked of.
    private mutating func functionsReceiver() -> ArchiveReference {
        expression(
            "NSConstantValueExpression", type: 0, ["NSConstantValueClassName": string(Self.functionsClass)])
    }

    private mutating func string(_ text: String) -> PropertyListValue {
        (builder.string(text) as ArchiveReference).value
    }
}
