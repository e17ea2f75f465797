import FoundationGaps

/// The kind of ``NSFetchRequestExpression``s.
public let NSFetchRequestExpressionType = NSExpression.ExpressionType.fetchRequest

/// An expression with what a fetch request finds as its value: `FETCH(request, context, countOnly)` in the format
/// language.
///
/// ```swift
/// let count = NSFetchRequestExpression.expression(
///     forFetch: NSExpression(forConstantValue: Team.fetchRequest()),
///     context: NSExpression(forConstantValue: context), countOnly: true)
/// ```
open class NSFetchRequestExpression: NSExpression {
    /// An expression with what a fetch request finds as its value.
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
    public override init(expressionType type: ExpressionType) { super.init(expressionType: type) }

    private init(_ request: NSExpression, _ context: NSExpression, countOnly: Bool) {
        super.init(node: .fetch(request: request, context: context, countOnly: countOnly))
    }

    /// The expression for the request.
    open var requestExpression: NSExpression { parts.request }

    /// The expression for the context that runs the request.
    open var contextExpression: NSExpression { parts.context }

    /// Whether the value is the number of results instead of their array.
    open var isCountOnlyRequest: Bool { parts.countOnly }

    private var parts: (request: NSExpression, context: NSExpression, countOnly: Bool) {
        guard case .fetch(let request, let context, let countOnly) = node else {
            preconditionFailure("A fetch request expression is made with expression(forFetch:context:countOnly:).")
        }
        return (request, context, countOnly)
    }

    /// Makes the parser and the substitution of variables use this class. Code that asks for it has made a request.
    static let isRegistered: Bool = {
        FetchExpressionFactory.register { expression(forFetch: $0, context: $1, countOnly: $2) }
        return true
    }()
}
