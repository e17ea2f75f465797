import FoundationGaps

/// The expression type of each ``NSFetchRequestExpression``, with Apple's number.
public let NSFetchRequestExpressionType = NSExpression.ExpressionType.fetchRequest

/// An expression whose value is what a fetch request finds: `FETCH(request, context, countOnly)` in the format
/// language.
///
/// ```swift
/// let count = NSFetchRequestExpression.expression(
///     forFetch: NSExpression(forConstantValue: Team.fetchRequest()),
///     context: NSExpression(forConstantValue: context), countOnly: true)
/// let teams = count.expressionValue(with: nil, context: nil) as? Int
/// ```
///
/// The fetch runs each time the expression is evaluated, on the thread that evaluates it. This must be the context's
/// queue.
open class NSFetchRequestExpression: NSExpression {
    /// An expression with what a fetch request finds as its value.
    ///
    /// The value is an array of the results, or a number with `countOnly`.
    ///
    /// - Parameters:
    ///   - fetch: An expression for an `NSFetchRequest`.
    ///   - context: An expression for the `NSManagedObjectContext` that runs it.
    ///   - countFlag: Whether the value is the number of results instead of their array.
    /// - Returns: An ``NSFetchRequestExpression``.
    open class func expression(
        forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
    ) -> NSExpression {
        NSFetchRequestExpression(fetch, context, countOnly: countFlag)
    }

    /// An expression without a request, for subclasses that override what it is asked for.
    ///
    /// All three properties of this class trap then, unless the subclass overrides them.
    public override init(expressionType type: ExpressionType) { super.init(expressionType: type) }

    private init(_ request: NSExpression, _ context: NSExpression, countOnly: Bool) {
        super.init(node: .fetch(request: request, context: context, countOnly: countOnly))
    }

    /// The expression for the fetch request.
    ///
    /// In `FETCH(request, context, countOnly)` it is the first argument.
    open var requestExpression: NSExpression { parts.request }

    /// The expression for the context that runs the request.
    ///
    /// In `FETCH(request, context, countOnly)` it is the second argument.
    open var contextExpression: NSExpression { parts.context }

    /// Whether the value is the number of results instead of their array.
    ///
    /// In `FETCH(request, context, countOnly)` it is the third argument, `YES` or `NO`.
    open var isCountOnlyRequest: Bool { parts.countOnly }

    private var parts: (request: NSExpression, context: NSExpression, countOnly: Bool) {
        guard case .fetch(let request, let context, let countOnly) = node else {
            programmerError("A fetch request expression is made with expression(forFetch:context:countOnly:).")
        }
        return (request, context, countOnly)
    }

    /// Makes the parser and the substitution of variables use this class. Code that asks for it has made a request.
    static let isRegistered: Bool = {
        FetchExpressionFactory.register { expression(forFetch: $0, context: $1, countOnly: $2) }
        return true
    }()
}
