import FoundationGaps

/// What ``NSManagedObjectContext/execute(_:)`` returns. Code casts it to the class of its request's result.
///
/// ```swift
/// let result = try context.execute(request) as? NSAsynchronousFetchResult<Player>
/// show(result?.finalResult ?? [])
/// ```
open class NSPersistentStoreResult: NSObject {
    /// A result without content, for subclasses in an app's tests.
    public override init() { super.init() }
}
