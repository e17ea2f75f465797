import FoundationGaps

/// The usual stack in one piece: a model, a coordinator, its stores, and a context for the main queue.
///
/// ```swift
/// let container = NSPersistentContainer(name: "League")
/// container.loadPersistentStores { _, error in
///     if let error { fatalError("\(error)") }
/// }
/// let team = Team(context: container.viewContext)
/// ```
open class NSPersistentContainer: NSObject, @unchecked Sendable {
    // Unchecked: `persistentStoreDescriptions` is set up before the stores are loaded; the rest is immutable.

    /// The container's name; its default store is named after it.
    open internal(set) var name: String
    open internal(set) var managedObjectModel: NSManagedObjectModel
    open internal(set) var persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// The context for the main queue.
    open internal(set) var viewContext: NSManagedObjectContext
    /// The stores to load; one SQLite store in ``defaultDirectoryURL()`` unless it is changed.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription]

    /// A container for the model with this name, found in the main bundle or in a resource bundle beside the executable.
    ///
    /// Traps if there is no such model, naming the places that were searched.
    public convenience init(name: String) {
        do {
            self.init(name: name, managedObjectModel: try NSManagedObjectModel.named(name))
        } catch {
            preconditionFailure("Failed to load the model named \(name): \((error as NSError).localizedDescription)")
        }
    }

    /// A container for a model.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self.name = name
        managedObjectModel = model
        persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        viewContext.persistentStoreCoordinator = persistentStoreCoordinator
        let file = type(of: self).defaultDirectoryURL().appendingPathComponent(name + ".sqlite")
        persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
        super.init()
    }

    /// Where stores go by default: the platform's directory for application data, `$XDG_DATA_HOME/PROGRAM` on Linux.
    open class func defaultDirectoryURL() -> URL {
        let program = ProcessInfo.processInfo.processName
        let base = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return (base ?? URL(fileURLWithPath: NSTemporaryDirectory())).appendingPathComponent(program, isDirectory: true)
    }

    /// Opens the stores that ``persistentStoreDescriptions`` describes; the handler is called once for each.
    ///
    /// A second call gives the handler `NSPersistentStoreOpenError` (134080) for each file that is open: the first store goes on.
    @preconcurrency
    open func loadPersistentStores(
        completionHandler block: @escaping @Sendable (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            if let error = prepareDirectory(for: description) {
                block(description, error)
            } else {
                persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
            }
        }
    }

    /// A context on a queue of its own.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block with a new background context, on its queue.
    @preconcurrency
    open func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    /// Runs a block with a new background context, on its queue, and returns what it returns.
    @preconcurrency
    open func performBackgroundTask<T>(_ block: @escaping @Sendable (NSManagedObjectContext) throws -> T) async rethrows
        -> T
    {
        let context = newBackgroundContext()
        return try await context.perform { try block(context) }
    }

    /// Makes the default directory; a directory that the app chose is the app's affair.
    private func prepareDirectory(for description: NSPersistentStoreDescription) -> (any Error)? {
        if description.type == NSInMemoryStoreType { return nil }
        let folder = type(of: self).defaultDirectoryURL()
        // One of the URLs may end with a slash.
        let chosen = description.url?.deletingLastPathComponent()
        guard chosen?.standardizedFileURL.path == folder.standardizedFileURL.path else { return nil }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return nil
        } catch {
            return error
        }
    }
}
