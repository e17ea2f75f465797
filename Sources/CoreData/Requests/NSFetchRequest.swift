import FoundationGaps

/// Describes what to look for in the stores, in which order, and in which form it comes back.
///
/// ```swift
/// let request = NSFetchRequest<Player>(entityName: "Player")
/// request.predicate = NSPredicate(format: "team.name == %@", "Boston Celtics")
/// request.sortDescriptors = [NSSortDescriptor(key: "lastName", ascending: true)]
/// let players = try context.fetch(request)
/// ```
///
/// Unlike at Apple the result type is not constrained to `NSFetchRequestResult`: without Objective-C a protocol does
/// not conform to itself, and `NSFetchRequest<NSFetchRequestResult>` is what most code writes. A cast between requests
/// of different result types always fails; what takes any request takes ``AnyFetchRequest``.
open class NSFetchRequest<ResultType>: AnyFetchRequest, NSCopying {
    /// A request without an entity: set ``AnyFetchRequest/entity`` before it is used.
    public init() { super.init(entityName: nil) }

    /// A request for objects of the entity with this name, resolved in the model of the context that runs it.
    public init(entityName: String) { super.init(entityName: entityName) }

    /// A copy of a request, with this type of results.
    package convenience init(copying request: AnyFetchRequest) {
        self.init()
        assign(from: request)
    }

    /// Runs the request in the context that it is called in: inside the ``NSManagedObjectContext/perform(_:)`` or
    /// ``NSManagedObjectContext/performAndWait(_:)->_`` block of that context.
    ///
    /// - Throws: What ``NSManagedObjectContext/fetch(_:)`` throws; outside such a block,
    ///   `NSPersistentStoreOperationError` (134070).
    open func execute() throws -> [ResultType] {
        guard let context = ContextQueue.currentContext else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "The request for \(entityName ?? "?") has no context to run in; call execute() in a context's perform block, or use the context's fetch(_:)."
            )
        }
        return try context.fetch(self)
    }

    open func copy(with zone: NSZone? = nil) -> Any { NSFetchRequest<ResultType>(copying: self) }
}
