public import Foundation

/// What a comparison compares: a constant, a key path, a function's result, a subquery and so on.
///
/// ```swift
/// let total = NSExpression(format: "price * quantity")
/// total.expressionValue(with: ["price": 2.5, "quantity": 4], context: nil)   // 10
/// ```
///
/// Most expressions come from the text of a predicate. Make one yourself for an `NSComparisonPredicate`, or for the
/// `expression` of an `NSExpressionDescription`, which a fetch computes:
///
/// ```swift
/// let highest = NSExpressionDescription()
/// highest.name = "highest"
/// highest.expression = NSExpression(format: "max:(salary)")
/// highest.expressionResultType = .doubleAttributeType
/// ```
///
/// An expression never changes after it was made. So a copy is the expression itself, and several threads may evaluate
/// it at a time. Two expressions are equal if their trees are equal.
///
/// Linux' Foundation declares the class without a way to make one. This is Apple's class anew, with Apple's raw values.
///
/// A file that imports Foundation beside this module sees two classes of this name. Calls such as
/// `NSExpression(forKeyPath:)` find this one. Where the name stands as a type, either drop `import Foundation` (this
/// module brings it along) or add `import class FoundationGaps.NSExpression`.
open class NSExpression: NSObject, NSCopying {
    package let node: ExpressionNode

    package init(node: ExpressionNode) {
        self.node = node
        super.init()
    }

    /// The object that a predicate is evaluated with; `SELF` in the format language.
    ///
    /// ```swift
    /// let ids = [player.objectID]
    /// request.predicate = NSComparisonPredicate(
    ///     leftExpression: .expressionForEvaluatedObject(), rightExpression: NSExpression(forConstantValue: ids),
    ///     modifier: .direct, type: .in)       // SELF IN ids
    /// ```
    open class func expressionForEvaluatedObject() -> NSExpression { NSExpression(node: .evaluatedObject) }

    /// Spotlight's "any attribute", `ANYKEY` in the format language.
    ///
    /// It can be made, compared and printed. It has no value: evaluating it traps, and no store can fetch with it.
    /// Apple documents the same.
    open class func expressionForAnyKey() -> NSExpression { NSExpression(node: .anyKey) }

    /// Makes an expression of a kind, for a subclass that overrides ``expressionValue(with:context:)``.
    ///
    /// ```swift
    /// final class DoubledSalary: NSExpression {
    ///     init() { super.init(expressionType: .block) }
    ///     override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    ///         (object as? Player).map { $0.salary * 2 }
    ///     }
    /// }
    /// ```
    ///
    /// A kind with content has its own initialiser, such as ``init(forKeyPath:)``. With this one, the kinds other than
    /// `.evaluatedObject` and `.anyKey` have no content, and reading their parts traps. A subclass must override the
    /// method: without the override, evaluation calls itself until the stack overflows.
    ///
    /// - Parameter type: What ``expressionType`` gives.
    public init(expressionType type: ExpressionType) {
        switch type {
        case .evaluatedObject: node = .evaluatedObject
        case .anyKey: node = .anyKey
        default: node = .custom(type)
        }
        super.init()
    }

    /// The kind of the expression. Ask for it before you read a part: a part that the kind lacks traps.
    ///
    /// ```swift
    /// let expression = NSExpression(format: "team.name")
    /// if expression.expressionType == .keyPath { print(expression.keyPath) }      // team.name
    /// ```
    open var expressionType: ExpressionType { node.type }

    /// The expression's value for an object.
    ///
    /// ```swift
    /// let mean = NSExpression(format: "players.@avg.salary")
    /// mean.expressionValue(with: team, context: nil)      // an NSNumber
    /// ```
    ///
    /// Numbers come back as `NSNumber`, texts as `String`, dates as `Date`; a nil result is nil. Division by zero is
    /// nil, as in SQL. A key path reads the object by key-value coding, so it fires faults. A key over a set gives a
    /// set: `average:(players.salary)` counts equal salaries once, `players.@avg.salary` counts each.
    ///
    /// Traps with a sentence if there is no value: a text where a number belongs, a variable without a value, an
    /// unknown key. Apple's framework raises an exception there.
    ///
    /// - Parameters:
    ///   - object: What `SELF` and key paths refer to.
    ///   - context: Values of the variables, by their names without `$`. An assignment expression stores into it.
    /// - Returns: The value, or nil.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        let scope = EvaluationScope(object: object, context: context)
        do {
            return try value(in: scope).boxed
        } catch {
            fatalError("\(error)")
        }
    }

    // MARK: Parts

    /// A constant's value, as it was given. Traps for any other kind than `.constantValue`.
    open var constantValue: Any? { ownConstantValue }

    /// A key path's text, such as `team.name`. Traps for any other kind than `.keyPath`.
    ///
    /// The expression for `self` alone is of the kind `.evaluatedObject` and has none.
    open var keyPath: String { ownKeyPath }

    /// A function's full name, such as `sum:` or `add:to:`. Traps for other kinds than `.function` and `.keyPath`.
    ///
    /// For a function of your own this is the name that was given. For a key path it is `valueForKeyPath:`.
    open var function: String { ownFunction }

    /// A variable's name, without `$`. Traps for kinds without a variable.
    ///
    /// For a subquery this is the name of the element, for an assignment the name that is assigned.
    open var variable: String { ownVariable }

    /// What a key path or a function starts from. Traps for other kinds than `.keyPath` and `.function`.
    ///
    /// For a plain key path this is `SELF`. For a function of your own it is the receiver. Built-in functions have no
    /// receiver: theirs is a constant nil.
    open var operand: NSExpression { ownOperand }

    /// The arguments of a function or a block, in their order. Nil for other kinds; it never traps.
    ///
    /// For a built-in function such as `sum:`, the collection is an argument, not the operand.
    open var arguments: [NSExpression]? { ownArguments }

    /// An aggregate's expressions (`[NSExpression]`), or a subquery's collection (`NSExpression`). Traps for other
    /// kinds.
    open var collection: Any { ownCollection }

    /// The predicate of a subquery or of a conditional expression. Traps for other kinds.
    open var predicate: NSPredicate { ownPredicate }

    /// The left operand of a set operation: union, intersection or difference. Traps for other kinds.
    open var left: NSExpression { ownLeft }

    /// The right operand of a set operation: union, intersection or difference. Traps for other kinds.
    open var right: NSExpression { ownRight }

    /// A conditional expression's value if its predicate holds. Traps for any other kind than `.conditional`.
    open var `true`: NSExpression { ownTrue }

    /// A conditional expression's value if its predicate does not hold. Traps for any other kind than `.conditional`.
    open var `false`: NSExpression { ownFalse }

    /// A block expression's block. Traps for any other kind than `.block`.
    ///
    /// The block gets the evaluated object, the arguments and the context.
    open var expressionBlock: (Any?, [NSExpression], NSMutableDictionary?) -> Any { ownExpressionBlock }

    // MARK: Archives and equality

    /// Permits the evaluation of an expression that was decoded from an archive. It does nothing here.
    ///
    /// An expression that the program made may be evaluated from the start, and this class is never decoded. The method
    /// is here so that code compiles.
    open func allowEvaluation() {}

    /// The expression itself, as it never changes.
    open override func copy() -> Any { self }

    /// The expression itself, as it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether another object is an expression with an equal tree.
    ///
    /// Constants compare by value: `1` and `1.0` are equal. `{1, 2}` equals the constant array of 1 and 2. Two block
    /// expressions are equal only if they are one object.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        return other === self || node.isEqual(to: other.node)
    }

    /// A hash that equal expressions share.
    open override var hash: Int {
        var hasher = Hasher()
        node.hash(into: &hasher)
        return hasher.finalize()
    }

    /// The expression in the format language, such as `price * quantity`.
    ///
    /// The text can be read again by `NSExpression(format:)`, unless the tree has a block or an object without a form
    /// there.
    open override var description: String {
        var printer = PredicatePrinter()
        printer.print(self)
        return printer.text
    }

    /// The same text as ``description``.
    open override var debugDescription: String { description }
}

extension NSExpression {
    /// The kinds of expression, with Apple's raw values. See ``NSExpression/expressionType``.
    public enum ExpressionType: UInt, Sendable {
        /// A fixed value, such as `18` or `"Heat"`. It has a ``NSExpression/constantValue``.
        case constantValue = 0
        /// The object that is evaluated, `SELF`. It has no parts.
        case evaluatedObject = 1
        /// A value that is given later, `$name`. It has a ``NSExpression/variable``.
        case variable = 2
        /// The value at a path of keys, `team.name`. It has an ``NSExpression/operand`` and a ``NSExpression/keyPath``.
        case keyPath = 3
        /// A function's result, `sum:(salaries)` or `1 + age`. It has ``NSExpression/function`` and
        /// ``NSExpression/arguments``.
        case function = 4
        /// The elements of either collection, `a UNION b`. It has ``NSExpression/left`` and ``NSExpression/right``.
        case unionSet = 5
        /// The elements of both collections, `a INTERSECT b`. It has ``NSExpression/left`` and ``NSExpression/right``.
        case intersectSet = 6
        /// The elements of the left collection that the right one lacks, `a MINUS b`. It has ``NSExpression/left`` and
        /// ``NSExpression/right``.
        case minusSet = 7
        /// `FIRST`, `LAST` or `SIZE` as an index. Apple's interface has no name for this kind.
        case symbolicIndex = 11
        /// `$name := value`. Apple's interface has no name for this kind.
        case variableAssignment = 12
        /// The elements that fulfil a predicate, `SUBQUERY(players, $p, $p.age > 30)`.
        ///
        /// It has ``NSExpression/collection``, ``NSExpression/variable`` and ``NSExpression/predicate``.
        case subquery = 13
        /// A collection of expressions, `{1, 2, age}`. Its ``NSExpression/collection`` has them.
        case aggregate = 14
        /// Spotlight's `ANYKEY`. It has no parts and no value.
        case anyKey = 15
        /// A closure of the app. It has an ``NSExpression/expressionBlock`` and ``NSExpression/arguments``. Stores
        /// cannot run it.
        case block = 19
        /// One of two values, `TERNARY(p, a, b)`.
        ///
        /// It has ``NSExpression/predicate``, ``NSExpression/true`` and ``NSExpression/false``.
        case conditional = 20
        /// A fetch request inside an expression, Core Data's `NSFetchRequestExpressionType`.
        case fetchRequest = 50
    }
}
