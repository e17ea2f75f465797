import Foundation
import PredicateBase

/// The compound predicates that this module makes. Foundation's own evaluate well, but a copy of one is a constant, and any two of them count as
/// equal.
final class CompoundPredicate: CompoundPredicateBase {
    override var predicateFormat: String { formatText }

    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        orTrap { try holds(in: EvaluationScope(object: object, variables: bindings ?? [:])) }
    }

    override func copy(with zone: NSZone? = nil) -> Any {
        CompoundPredicate(compoundPredicateType, of: subpredicates)
    }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPredicate).map(isEqualTree) ?? false
    }

    override var hash: Int { treeHash }

    override var description: String { formatText }

    override var debugDescription: String { formatText }
}
