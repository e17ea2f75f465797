/// The context on whose behalf a store is asked. Stores of an app's class are told.
enum CallingContext {
    @TaskLocal private static var calling: UncheckedTransfer<AnyObject>?

    /// The context that the running call came from; nil where the coordinator asks on its own.
    static var current: AnyObject? { calling?.value }

    /// Runs `body`, which asks stores on behalf of a context.
    static func with<R>(_ context: AnyObject, _ body: () throws -> R) rethrows -> R {
        try $calling.withValue(UncheckedTransfer(context), operation: body)
    }
}
