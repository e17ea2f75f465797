import Foundation

// What the evaluator, the printer and the translation to SQL ask of any predicate, Foundation's own included.

extension NSPredicate {
    /// The value of `NSPredicate(value:)`, nil for every other predicate.
    package var constantTruth: Bool? {
        // Foundation keeps the kind to itself, but tells constants apart: a block equals nothing but itself.
        guard type(of: self) == NSPredicate.self else { return nil }
        if isEqual(NSPredicate(value: true)) { return true }
        return isEqual(NSPredicate(value: false)) ? false : nil
    }

    /// Whether the predicate is `NSPredicate(block:)`, or an app's subclass that evaluates itself: it can be evaluated
    /// and nothing else.
    package var isBlock: Bool {
        if self is NSComparisonPredicate || plainCompound != nil { return false }
        return constantTruth == nil
    }

    /// The predicate as a compound without an override of its evaluation, made here or by Foundation.
    package var plainCompound: NSCompoundPredicate? {
        guard let compound = self as? NSCompoundPredicate else { return nil }
        let type = type(of: compound)
        return type == CompoundPredicate.self || type == NSCompoundPredicate.self ? compound : nil
    }

    /// A copy with the tree's content, which `copy()` of Foundation's own compound predicates isn't.
    package var treeCopy: NSPredicate {
        guard let compound = plainCompound else { return copy() as? NSPredicate ?? self }
        return CompoundPredicate(compound.compoundPredicateType, of: compound.subpredicates.map(\.treeCopy))
    }

    /// Whether two predicates have equal trees, however they were made.
    package func isEqualTree(_ other: NSPredicate) -> Bool {
        if self === other { return true }
        if let left = plainCompound {
            guard let right = other.plainCompound else { return false }
            return left.compoundPredicateType == right.compoundPredicateType
                && left.subpredicates.count == right.subpredicates.count
                && zip(left.subpredicates, right.subpredicates).allSatisfy { $0.isEqualTree($1) }
        }
        if let left = self as? NSComparisonPredicate {
            return (other as? NSComparisonPredicate).map(left.hasEqualParts) ?? false
        }
        return isEqual(other)
    }

    /// Equal for equal trees.
    package var treeHash: Int {
        var hasher = Hasher()
        if let compound = plainCompound {
            hasher.combine(compound.compoundPredicateType)
            for predicate in compound.subpredicates { hasher.combine(predicate.treeHash) }
        } else if let comparison = self as? NSComparisonPredicate {
            hasher.combine(comparison.predicateOperatorType)
            hasher.combine(comparison.leftExpression.hash)
            hasher.combine(comparison.rightExpression.hash)
        } else if let truth = constantTruth {
            hasher.combine(truth)
        } else {
            hasher.combine(ObjectIdentifier(self))
        }
        return hasher.finalize()
    }
}

extension NSComparisonPredicate {
    fileprivate func hasEqualParts(_ other: NSComparisonPredicate) -> Bool {
        predicateOperatorType == other.predicateOperatorType
            && comparisonPredicateModifier == other.comparisonPredicateModifier
            && options == other.options
            && customSelector == other.customSelector
            && leftExpression == other.leftExpression
            && rightExpression == other.rightExpression
    }
}
