import Synchronization

/// How `FETCH(…)` becomes an expression. Core Data, which is a module above, names its own class of fetch request
/// expressions here.
package enum FetchExpressionFactory {
    package typealias Make =
        @Sendable (_ request: NSExpression, _ context: NSExpression, _ countOnly: Bool) -> NSExpression

    private static let make = Mutex<Make?>(nil)

    package static func register(_ body: @escaping Make) {
        make.withLock { $0 = body }
    }

    static var registered: Make? { make.withLock { $0 } }
}

extension NSExpression {
    static func fetch(_ request: NSExpression, _ context: NSExpression, countOnly: Bool) -> NSExpression {
        FetchExpressionFactory.registered?(request, context, countOnly)
            ?? NSExpression(fetch: request, context: context, countOnly: countOnly)
    }
}
