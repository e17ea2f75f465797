import FoundationGaps

/// Looks through a value expression for key paths that lead nowhere.
struct ExpressionCheck {
    private let plan: EntityPlan
    private let source: ModelLayout
    private let destination: ModelLayout

    init(_ plan: EntityPlan, _ source: ModelLayout, _ destination: ModelLayout) {
        (self.plan, self.source, self.destination) = (plan, source, destination)
    }

    /// What is wrong with an expression; nil: nothing that shows without its values.
    func problem(in expression: NSExpression) -> String? {
        switch expression.node {
        case .keyPath(let operand, let path): return problem(in: operand) ?? problem(at: path.keys, of: operand)
        case .function(_, let arguments): return first(arguments)
        case .message(let receiver, _, let arguments): return first([receiver] + arguments)
        case .set(_, let left, let right): return first([left, right])
        case .subquery(let collection, _, _): return problem(in: collection)
        case .aggregate(let elements): return first(elements)
        case .conditional(_, let whenTrue, let whenFalse): return first([whenTrue, whenFalse])
        case .assignment(_, let value): return problem(in: value)
        case .fetch(let request, let context, _): return first([request, context])
        case .constant, .evaluatedObject, .variable, .anyKey, .symbol, .block, .custom: return nil
        }
    }

    private func first(_ expressions: [NSExpression]) -> String? { expressions.lazy.compactMap(problem).first }

    private func problem(at keys: [String], of operand: NSExpression) -> String? {
        switch operand.variableName {
        case NSMigrationSourceObjectKey: problem(at: keys, plan.source, source)
        case NSMigrationDestinationObjectKey: problem(at: keys, plan.destination, destination)
        case NSMigrationManagerKey: known(keys, NSMigrationManager.keys, "manager")
        case NSMigrationEntityMappingKey: known(keys, NSEntityMapping.keys, "entityMapping")
        case NSMigrationPropertyMappingKey: known(keys, NSPropertyMapping.keys, "propertyMapping")
        default: nil
        }
    }

    private func known(_ keys: [String], _ all: [String], _ variable: String) -> String? {
        guard let key = keys.first, !all.contains(key) else { return nil }
        return "$\(variable) has no value for \(key)"
    }

    /// Follows a path through a model, as far as the model says where it leads.
    private func problem(at keys: [String], _ start: EntityLayout?, _ model: ModelLayout) -> String? {
        var entity = start
        for (index, key) in keys.enumerated() {
            // Operators, and what every object has.
            if key.hasPrefix("@") || Self.commonKeys.contains(key) { return nil }
            guard let current = entity else { return nil }
            let rest = keys[index...].joined(separator: ".")
            if current.slot(named: rest) != nil { return nil }
            guard let slot = current.slot(named: key) else {
                return "the entity \(current.name) has no property \(key)"
            }
            guard slot.kind.isRelationship else { return nil }
            entity = model[slot.destination]
        }
        return nil
    }

    private static let commonKeys: Set<String> = [
        "self", "objectID", "entity", "managedObjectContext", "description", "isFault", "hasChanges",
    ]
}
