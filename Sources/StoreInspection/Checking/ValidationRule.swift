import CoreData
import FoundationGaps

/// A validation predicate of a model of unknown origin.
///
/// A predicate can do much more than compare a value with bounds, and stops the program where it asks a value for a key
/// that it does not have. So a predicate is evaluated only if every part of it is known to be harmless: comparisons of
/// the value or its length with constants, and what AND, OR and NOT make of them, which is all that Xcode writes.
struct ValidationRule {
    let predicate: NSPredicate

    /// - Parameter kind: What the values are.
    /// - Returns: nil for a predicate that can't be evaluated safely.
    init?(_ predicate: NSPredicate, of kind: SlotKind) {
        guard Parts(hasLength: kind == .string || kind == .binary).isHarmless(predicate) else { return nil }
        self.predicate = predicate
    }

    /// Whether a value, which has a length if the rule asks for it, fulfils the rule; nil where the two can't be
    /// compared.
    func holds(for value: Any) -> Bool? { try? predicate.evaluateOrThrow(with: value) }
}

/// The parts that a harmless predicate may have.
private struct Parts {
    /// Whether the values have a length; a number stops the program when it is asked for one.
    let hasLength: Bool

    func isHarmless(_ predicate: NSPredicate) -> Bool {
        switch predicate {
        case let compound as NSCompoundPredicate:
            compound.subpredicates.allSatisfy(isHarmless)
        case let comparison as NSComparisonPredicate:
            comparison.predicateOperatorType != .customSelector
                && [comparison.leftExpression, comparison.rightExpression].allSatisfy(isHarmless)
        default: false
        }
    }

    private func isHarmless(_ expression: NSExpression) -> Bool {
        switch expression.expressionType {
        case .evaluatedObject, .constantValue: true
        case .keyPath: hasLength && expression.keyPath == "length"
        case .aggregate: (expression.collection as? [NSExpression])?.allSatisfy(isHarmless) ?? false
        default: false
        }
    }
}
