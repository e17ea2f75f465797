public import Foundation

/// What a comparison compares: a constant, a key path, a function's result, a subquery and so on.
///
/// Linux' Foundation declares the class without a way to make one; this is Apple's class anew, with Apple's raw values. An expression never
/// changes once made, so copying it returns the expression itself, and it may be evaluated on several threads at a time.
///
/// ```swift
/// let total = NSExpression(format: "price * quantity")
/// total.expressionValue(with: ["price": 2.5, "quantity": 4], context: nil)   // 10
/// ```
///
/// A file that imports Foundation beside this module sees two classes of this name. Calls such as `NSExpression(forKeyPath:)` find this one; where
/// the name stands as a type, either drop `import Foundation` (this module brings it along) or add `import class FoundationGaps.NSExpression`.
open class NSExpression: NSObject, NSCopying {
    package let node: ExpressionNode

    package init(node: ExpressionNode) {
        self.node = node
        super.init()
    }

    /// The object that a predicate is evaluated with, `SELF`.
    open class func expressionForEvaluatedObject() -> NSExpression { NSExpression(node: .evaluatedObject) }

    /// Spotlight's "any attribute". It can be told and printed, but neither evaluated nor fetched with, as Apple documents it.
    open class func expressionForAnyKey() -> NSExpression { NSExpression(node: .anyKey) }

    /// Makes an expression of a kind; for subclasses that override `expressionValue(with:context:)`.
    ///
    /// The kinds with content of their own have their own initialisers.
    public init(expressionType type: ExpressionType) {
        switch type {
        case .evaluatedObject: node = .evaluatedObject
        case .anyKey: node = .anyKey
        default: node = .custom(type)
        }
        super.init()
    }

    /// The kind of the expression.
    open var expressionType: ExpressionType { node.type }

    /// The expression's value for an object.
    ///
    /// Numbers come back as `NSNumber`, texts as `String`, dates as `Date`; a nil result is nil. Misuse stops the program with a sentence, where
    /// Apple's framework raises an exception.
    ///
    /// - Parameters:
    ///   - object: What `SELF` and key paths refer to.
    ///   - context: Values of the variables, by their names without `$`. An assignment expression stores into it.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        let scope = EvaluationScope(object: object, context: context)
        do {
            return try value(in: scope).boxed
        } catch {
            fatalError("\(error)")
        }
    }

    // MARK: Parts

    /// A constant's value.
    open var constantValue: Any? { ownConstantValue }

    /// A key path's text.
    open var keyPath: String { ownKeyPath }

    /// A function's full name.
    open var function: String { ownFunction }

    /// A variable's name, without `$`; for subqueries that of the element.
    open var variable: String { ownVariable }

    /// What a key path or a function starts from. Built-in functions start from nothing: theirs is a constant nil.
    open var operand: NSExpression { ownOperand }

    /// A function's or block's arguments, nil for other kinds.
    open var arguments: [NSExpression]? { ownArguments }

    /// An aggregate's expressions (`[NSExpression]`), or a subquery's collection (`NSExpression`).
    open var collection: Any { ownCollection }

    /// A subquery's or conditional expression's predicate.
    open var predicate: NSPredicate { ownPredicate }

    /// The left operand of a set operation.
    open var left: NSExpression { ownLeft }

    /// The right operand of a set operation.
    open var right: NSExpression { ownRight }

    /// A conditional expression's value when its predicate holds.
    open var `true`: NSExpression { ownTrue }

    /// A conditional expression's value when its predicate doesn't hold.
    open var `false`: NSExpression { ownFalse }

    /// A block expression's block.
    open var expressionBlock: (Any?, [NSExpression], NSMutableDictionary?) -> Any { ownExpressionBlock }

    // MARK: Archives and equality

    /// Permits the evaluation of an expression that was decoded from an archive.
    ///
    /// Expressions made in the program are permitted from the start, and this implementation decodes none that is not.
    open func allowEvaluation() {}

    open override func copy() -> Any { self }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        return other === self || node.isEqual(to: other.node)
    }

    open override var hash: Int {
        var hasher = Hasher()
        node.hash(into: &hasher)
        return hasher.finalize()
    }

    /// The expression in the format language.
    open override var description: String {
        var printer = PredicatePrinter()
        printer.print(self)
        return printer.text
    }

    open override var debugDescription: String { description }
}

extension NSExpression {
    /// The kinds of expression, with Apple's raw values.
    public enum ExpressionType: UInt, Sendable {
        case constantValue = 0
        case evaluatedObject = 1
        case variable = 2
        case keyPath = 3
        case function = 4
        case unionSet = 5
        case intersectSet = 6
        case minusSet = 7
        /// `FIRST`, `LAST` or `SIZE` as an index. Apple's interface has no name for this kind.
        case symbolicIndex = 11
        /// `$name := value`. Apple's interface has no name for this kind.
        case variableAssignment = 12
        case subquery = 13
        case aggregate = 14
        case anyKey = 15
        case block = 19
        case conditional = 20
        /// A fetch request inside an expression, Core Data's `NSFetchRequestExpressionType`.
        case fetchRequest = 50
    }
}
