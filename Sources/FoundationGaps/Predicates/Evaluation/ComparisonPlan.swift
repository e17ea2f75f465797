import Foundation

/// What a comparison can make ready before its first evaluation, because its right side is constant: the folded text, the pattern, the set of
/// members.
struct ComparisonPlan {
    /// The right side's value, where it is constant.
    let right: PredicateValue?
    /// The right text without the differences that the options ignore.
    let text: String?
    let pattern: StringPattern?
    /// The elements of the right collection for `IN`; texts are folded.
    let members: Set<PredicateValue>?

    init(_ type: NSComparisonPredicate.Operator, _ options: NSComparisonPredicate.Options, right: NSExpression) {
        let constant = right.constantOperand
        self.right = constant
        var text: String?
        var pattern: StringPattern?
        var members: Set<PredicateValue>?
        switch (type, constant) {
        case (.like, .string(let source)?):
            pattern = StringPattern(like: source, options)
        case (.matches, .string(let source)?):
            // A wrong expression is told when it is evaluated.
            pattern = try? StringPattern(matching: source, options)
        case (.in, .collection(let collection)?) where !options.contains(.localeSensitive):
            members = Set(collection.elements.lazy.map { PredicateValue($0).folded(options) })
        case (_, .string(let source)?):
            text = StringComparison.folded(source, options)
        default: break
        }
        self.text = text
        self.pattern = pattern
        self.members = members
    }
}

extension PredicateValue {
    /// The value, a text without the differences that the options ignore.
    func folded(_ options: NSComparisonPredicate.Options) -> Self {
        guard case .string(let text) = self, !options.isEmpty else { return self }
        return .string(StringComparison.folded(text, options))
    }
}

extension NSExpression {
    /// The value of an expression that needs no object: a constant, or an aggregate of constants.
    package var constantOperand: PredicateValue? {
        switch node {
        case .constant(_, let value): return value
        case .aggregate(let elements):
            var values: [Any] = []
            for element in elements {
                guard let value = element.constantOperand else { return nil }
                values.append(value.boxed ?? NSNull())
            }
            return .collection(PredicateCollection(array: values))
        default: return nil
        }
    }
}
