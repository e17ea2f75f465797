import Foundation

/// What a comparison can make ready before its first evaluation, because its right side is constant: the folded text,
/// the pattern, the set of members.
struct ComparisonPlan {
    /// The right side's value, where it is constant.
    let right: PredicateValue?
    /// The right text without the differences that the options ignore.
    let text: String?
    let pattern: StringPattern?
    /// The elements of the right collection for `IN`; texts are folded.
    let members: Members?

    /// The elements of a constant collection.
    struct Members {
        private var settled: Set<PredicateValue> = []
        /// Objects that are equal to something else once they are saved: they have no place in a set.
        private var unsettled: [PredicateValue] = []

        init(_ values: some Sequence<PredicateValue>) {
            for value in values {
                if value.hasTemporaryIdentity { unsettled.append(value) } else { settled.insert(value) }
            }
        }

        func contains(_ value: PredicateValue) -> Bool { settled.contains(value) || unsettled.contains(value) }
    }

    init(_ type: NSComparisonPredicate.Operator, _ options: NSComparisonPredicate.Options, right: NSExpression) {
        let constant = right.constantOperand
        self.right = constant
        var text: String?
        var pattern: StringPattern?
        var members: Members?
        switch (type, constant) {
        case (.like, .string(let source)?):
            pattern = StringPattern(like: source, options)
        case (.matches, .string(let source)?):
            // A wrong expression is told when it is evaluated.
            pattern = try? StringPattern(matching: source, options)
        case (.in, .collection(let collection)?) where !options.contains(.localeSensitive):
            members = Members(collection.elements.lazy.map { PredicateValue($0).folded(options) })
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
    /// Whether what equals the value now may not equal it later.
    fileprivate var hasTemporaryIdentity: Bool {
        switch self {
        case .object(let object): (object as? any PredicateIdentity)?.isPredicateIdentityTemporary ?? false
        case .collection(let collection): collection.elements.contains { PredicateValue($0).hasTemporaryIdentity }
        default: false
        }
    }

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
