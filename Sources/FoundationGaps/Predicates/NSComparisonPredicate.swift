public import Foundation

/// A predicate that compares the values of two expressions.
///
/// Linux' Foundation declares the class without a way to make one; this is Apple's class anew, with Apple's raw values. A predicate never changes
/// once made, so copying it returns the predicate itself, and several threads may evaluate it at a time.
///
/// ```swift
/// let adults = NSComparisonPredicate(
///     leftExpression: NSExpression(forKeyPath: "age"), rightExpression: NSExpression(forConstantValue: 18),
///     modifier: .direct, type: .greaterThanOrEqualTo)
/// adults.predicateFormat          // age >= 18
/// adults.evaluate(with: ["age": 20])   // true
/// ```
///
/// A file that imports Foundation beside this module sees two classes of this name; see `NSExpression` for what to do then.
open class NSComparisonPredicate: NSPredicate {
    /// The left side.
    open var leftExpression: NSExpression { parts.left }
    /// The right side.
    open var rightExpression: NSExpression { parts.right }
    /// Whether the values are compared, or each element of the left collection.
    open var comparisonPredicateModifier: Modifier { parts.modifier }
    /// What is compared.
    open var predicateOperatorType: Operator { parts.type }
    /// Which differences of texts are ignored.
    open var options: Options { parts.options }
    /// The function that decides when the operator is `customSelector`, else nil.
    open var customSelector: Selector? { parts.selector }
    /// What evaluation goes by.
    let parts: Parts
    /// What is known before the first evaluation.
    let plan: ComparisonPlan

    /// Makes a comparison.
    ///
    /// - Parameters:
    ///   - lhs: The left side.
    ///   - rhs: The right side.
    ///   - modifier: For `.any` and `.all` the left side's value has to be a collection.
    ///   - type: Any operator but `.customSelector`, which has its own initialiser.
    ///   - options: Which differences of texts are ignored.
    public init(
        leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: Modifier, type: Operator,
        options: Options = []
    ) {
        precondition(
            type != .customSelector, "use init(leftExpression:rightExpression:customSelector:) to compare by a selector"
        )
        parts = Parts(left: lhs, right: rhs, modifier: modifier, type: type, options: options, selector: nil)
        plan = ComparisonPlan(type, options, right: rhs)
        super.init(value: false)
    }

    /// Makes a comparison that a named function of one argument decides.
    ///
    /// Swift without Objective-C can't send a message by its name: see `NSPredicate.registerFunction(named:_:)`.
    public init(leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, customSelector selector: Selector)
    {
        parts = Parts(
            left: lhs, right: rhs, modifier: .direct, type: .customSelector, options: [], selector: selector)
        plan = ComparisonPlan(.customSelector, [], right: rhs)
        super.init(value: false)
    }

    /// The predicate in the format language. The text parses back to an equal predicate, if the tree holds neither blocks nor objects that have no
    /// form in the language.
    open override var predicateFormat: String { formatText }

    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        orTrap { try compareValues(in: EvaluationScope(object: object, variables: bindings ?? [:])) }
    }

    open override func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPredicate).map(isEqualTree) ?? false
    }

    open override var hash: Int { treeHash }

    open override var description: String { formatText }

    open override var debugDescription: String { formatText }

    /// Both sides, and how they are compared.
    struct Parts {
        let left: NSExpression
        let right: NSExpression
        let modifier: Modifier
        let type: Operator
        let options: Options
        let selector: Selector?
    }
}
