public import Foundation

/// A predicate that compares the values of two expressions.
///
/// ```swift
/// let adults = NSComparisonPredicate(
///     leftExpression: NSExpression(forKeyPath: "age"), rightExpression: NSExpression(forConstantValue: 18),
///     modifier: .direct, type: .greaterThanOrEqualTo)
/// adults.predicateFormat          // age >= 18
/// adults.evaluate(with: ["age": 20])   // true
/// ```
///
/// `NSPredicate(format: "age >= 18")` makes the same object. Build it from parts when the user chooses the key or the
/// operator, or take one apart by its properties:
///
/// ```swift
/// if let comparison = request.predicate as? NSComparisonPredicate { print(comparison.leftExpression) }
/// ```
///
/// A predicate never changes after it was made. So a copy is the predicate itself, and several threads may evaluate it
/// at a time. A constant right side is prepared once, when the predicate is made: a pattern, or the set of values for
/// `IN`. So make a predicate once for many evaluations.
///
/// Linux' Foundation declares the class without a way to make one. This is Apple's class anew, with Apple's raw values.
///
/// A file that imports Foundation beside this module sees two classes of this name; see `NSExpression` for what to do
/// then.
open class NSComparisonPredicate: NSPredicate {
    /// The left side. In most predicates this is a key path.
    open var leftExpression: NSExpression { parts.left }
    /// The right side. In most predicates this is a constant, or a variable.
    open var rightExpression: NSExpression { parts.right }
    /// Whether the values are compared, or each element of the left collection.
    ///
    /// `ANY players.age > 30` has `.any`. `NONE` is a compound predicate: it negates a comparison with `.any`.
    open var comparisonPredicateModifier: Modifier { parts.modifier }
    /// The operator that compares the sides, such as `.lessThan` or `.contains`.
    open var predicateOperatorType: Operator { parts.type }
    /// The differences of texts that are ignored: `[c]` and `[d]` in the format language. Empty unless given.
    ///
    /// They have no effect on values other than texts.
    open var options: Options { parts.options }
    /// The name of the function that decides if the operator is `.customSelector`; nil for all others.
    open var customSelector: Selector? { parts.selector }
    /// What evaluation goes by.
    let parts: Parts
    /// What is known before the first evaluation.
    let plan: ComparisonPlan

    /// Makes a comparison.
    ///
    /// ```swift
    /// let celtics = NSComparisonPredicate(
    ///     leftExpression: NSExpression(forKeyPath: "team.name"),
    ///     rightExpression: NSExpression(forConstantValue: "cel"),
    ///     modifier: .direct, type: .beginsWith, options: [.caseInsensitive, .diacriticInsensitive])
    /// // team.name BEGINSWITH[cd] "cel"
    /// ```
    ///
    /// The sides are not checked here. Values that cannot be compared trap at evaluation, and a fetch throws.
    ///
    /// Traps for the operator `.customSelector`, which has its own initialiser.
    ///
    /// - Parameters:
    ///   - lhs: The left side.
    ///   - rhs: The right side. For `.in` a collection or a text, for `.between` a collection of two bounds.
    ///   - modifier: For `.any` and `.all` the left side's value has to be a collection.
    ///   - type: Any operator but `.customSelector`.
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
    /// ```swift
    /// NSPredicate.registerFunction(named: "isLongerThan:") { text, arguments in
    ///     (text as! String).count > (arguments[0] as! Int)
    /// }
    /// let long = NSComparisonPredicate(
    ///     leftExpression: NSExpression(forKeyPath: "name"), rightExpression: NSExpression(forConstantValue: 5),
    ///     customSelector: "isLongerThan:")
    /// ```
    ///
    /// The function gets the left value as the receiver and the right value as its argument. A number other than 0
    /// means true.
    ///
    /// Swift without Objective-C can't send a message by its name: see `NSPredicate.registerFunction(named:_:)`. A name
    /// without a function traps at evaluation. A fetch from an SQLite store throws
    /// `NSPersistentStoreUnsupportedRequestTypeError` (134091).
    public init(leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, customSelector selector: Selector)
    {
        parts = Parts(
            left: lhs, right: rhs, modifier: .direct, type: .customSelector, options: [], selector: selector)
        plan = ComparisonPlan(.customSelector, [], right: rhs)
        super.init(value: false)
    }

    /// The predicate in the format language, such as `age >= 18`.
    ///
    /// The text parses back to an equal predicate, if the tree holds neither blocks nor objects that have no form in
    /// the language.
    open override var predicateFormat: String { formatText }

    /// Whether the comparison holds for an object.
    ///
    /// ```swift
    /// let older = NSPredicate(format: "age > $limit")
    /// older.evaluate(with: player, substitutionVariables: ["limit": 30])
    /// ```
    ///
    /// A comparison with nil by `<`, `>`, `BEGINSWITH` and the like is false. Nil differs from every value, so `name !=
    /// "x"` holds for a nil name. A fetch from a store answers this last case with no, as SQL does; see the article
    /// "Predicates" of CoreData.
    ///
    /// Reads the object by key-value coding, so it fires faults. Traps with a sentence for an unknown key, for values
    /// that cannot be compared, and for a variable without a value.
    ///
    /// - Parameters:
    ///   - object: What `SELF` and key paths refer to.
    ///   - bindings: Values of the variables, by their names without `$`.
    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        orTrap { try compareValues(in: EvaluationScope(object: object, variables: bindings ?? [:])) }
    }

    /// The predicate itself, as it never changes.
    open override func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether another predicate has an equal tree: the same operator, modifier and options, and equal sides.
    ///
    /// `a < b` and `b > a` are not equal.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPredicate).map(isEqualTree) ?? false
    }

    /// A hash that equal predicates share.
    open override var hash: Int { treeHash }

    /// The same text as ``predicateFormat``.
    open override var description: String { formatText }

    /// The same text as ``predicateFormat``.
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
