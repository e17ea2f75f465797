import FoundationGaps

/// What `NSManagedObjectContext.execute(_:)` gives; subclasses say more.
///
/// `init()` is there for the subclasses of an app, which stand in for the framework's results in tests.
open class NSPersistentStoreResult: NSObject {
    public override init() { super.init() }
}
