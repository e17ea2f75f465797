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
/// All members but the initializers and ``execute()`` are those of ``AnyFetchRequest``. A request may be used many
/// times, in any context whose model has the entity. It belongs to one thread at a time.
///
/// Unlike at Apple the result type is not constrained to `NSFetchRequestResult`: without Objective-C a protocol does
/// not conform to itself, and most code writes `NSFetchRequest<NSFetchRequestResult>`. A cast between requests of
/// different result types always fails. A function for any request takes ``AnyFetchRequest``.
open class NSFetchRequest<ResultType>: AnyFetchRequest, NSCopying {
    /// A request without an entity. Set ``AnyFetchRequest/entity`` before you use it; otherwise the fetch traps.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Player>()
    /// request.entity = Player.entity()
    /// ```
    public init() { super.init(entityName: nil) }

    /// A request for the objects of an entity.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Player>(entityName: "Player")
    /// ```
    ///
    /// The first context that runs it looks the name up in its model. A name that the model lacks traps there, with the
    /// names that it has. The generic type is the entity's class, or `NSManagedObject`; the fetch throws 134070 if an
    /// object is of another class.
    public init(entityName: String) { super.init(entityName: entityName) }

    /// A copy of a request, with this type of results.
    package convenience init(copying request: AnyFetchRequest) {
        self.init()
        assign(from: request)
    }

    /// Runs the request in the context whose `perform` block is running.
    ///
    /// ```swift
    /// let players = try await background.perform {
    ///     try NSFetchRequest<Player>(entityName: "Player").execute().map(\.objectID)
    /// }
    /// ```
    ///
    /// ``NSManagedObjectContext/perform(_:)`` and ``NSManagedObjectContext/performAndWait(_:)->_`` both count.
    /// Elsewhere use ``NSManagedObjectContext/fetch(_:)``.
    ///
    /// - Throws: What ``NSManagedObjectContext/fetch(_:)`` throws; `NSPersistentStoreOperationError` (134070) outside
    ///   of such a block.
    open func execute() throws -> [ResultType] {
        guard let context = ContextQueue.currentUser as? NSManagedObjectContext else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "The request for \(entityName ?? "?") has no context to run in; call execute() in a context's perform block, or use the context's fetch(_:)."
            )
        }
        return try context.fetch(self)
    }

    /// A request with the same settings. Change a copy of a model's template, never the template.
    ///
    /// ```swift
    /// if let template = model.fetchRequestTemplate(forName: "Veterans") {
    ///     let request = template.copy() as? NSFetchRequest<any NSFetchRequestResult>
    ///     request?.fetchLimit = 10
    /// }
    /// ```
    open func copy(with zone: NSZone? = nil) -> Any { NSFetchRequest<ResultType>(copying: self) }
}
