import FoundationGaps

/// The usual stack in one piece: a model, a coordinator, its stores, and a context for the main queue.
///
/// ```swift
/// let container = NSPersistentContainer(name: "League")
/// container.loadPersistentStores { _, error in
///     if let error { fatalError("\(error)") }
/// }
/// container.viewContext.automaticallyMergesChangesFromParent = true
/// let team = Team(context: container.viewContext)
/// try await container.performBackgroundTask { context in
///     _ = try importPlayers(into: context)
///     try context.save()
/// }
/// ```
///
/// Make one container for a model, and keep it as long as the program runs. The user interface uses ``viewContext``;
/// imports and other long work use ``performBackgroundTask(_:)->_`` or ``newBackgroundContext()``. Set up
/// ``persistentStoreDescriptions`` before the stores are loaded. A container may be used on any thread, its view
/// context only on the main queue. A subclass may override ``defaultDirectoryURL()``. See <doc:GettingStarted>.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
    // Unchecked: `persistentStoreDescriptions` is set up before the stores are loaded; the rest is immutable.

    /// The container's name. Its default store is the file `NAME.sqlite`.
    open internal(set) var name: String
    /// The model. Its descriptions can't be changed: the coordinator uses them.
    open internal(set) var managedObjectModel: NSManagedObjectModel
    /// The coordinator that has the stores. It has none before ``loadPersistentStores(completionHandler:)``.
    open internal(set) var persistentStoreCoordinator: NSPersistentStoreCoordinator

    /// The context for the main queue. Use it, and its objects, on the main queue only.
    ///
    /// It has the defaults of any context: it does not merge background saves, its merge policy is
    /// ``NSMergePolicy/error``, and it has no undo manager. A server without a main queue that runs uses background
    /// contexts instead.
    ///
    /// ```swift
    /// let viewContext = container.viewContext
    /// viewContext.automaticallyMergesChangesFromParent = true
    /// viewContext.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    /// viewContext.undoManager = UndoManager()
    /// ```
    open internal(set) var viewContext: NSManagedObjectContext

    /// The stores to load: one SQLite store `NAME.sqlite` in ``defaultDirectoryURL()``, unless it is changed.
    ///
    /// ```swift
    /// container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/var/lib/league/League.sqlite")
    /// ```
    ///
    /// Change it before ``loadPersistentStores(completionHandler:)``. Tests replace it by a description of a store in
    /// memory.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription]

    /// Makes a container for the model with this name.
    ///
    /// The model is looked for in the main bundle, and in the resource bundles that the package manager lays beside the
    /// executable: `NAME.momd`, `NAME.mom`, `NAME.xcdatamodeld`, `NAME.xcdatamodel`. No store is opened.
    ///
    /// It traps if there is no such model, or the model is damaged. The message names the places that were searched. To
    /// handle a missing model, load it yourself and use ``init(name:managedObjectModel:)``.
    public convenience init(name: String) {
        do {
            self.init(name: name, managedObjectModel: try NSManagedObjectModel.named(name))
        } catch {
            programmerError(
                "Failed to load the model named \(name): \((error as NSError).localizedDescription) Correct the name, or have the build copy the model."
            )
        }
    }

    /// Makes a container for a model. No store is opened.
    ///
    /// Use it where the model is not in the program's bundles, is made in code, or is shared by several containers, as
    /// in tests:
    ///
    /// ```swift
    /// let test = NSPersistentContainer(name: "Test", managedObjectModel: model)
    /// test.persistentStoreDescriptions = [NSPersistentStoreDescription()]     // in memory
    /// test.loadPersistentStores { _, error in precondition(error == nil) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the container and of its default store's file.
    ///   - model: Its descriptions can't be changed any longer.
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

    /// Returns the folder for default stores.
    ///
    /// It is in the platform's directory for application data: `$XDG_DATA_HOME/PROGRAM` on Linux. `PROGRAM` is the name
    /// of the process. Two programs, and a program under another name, have different folders. A container makes this
    /// folder when it loads a store in it. An override chooses another one for all containers of the class.
    open class func defaultDirectoryURL() -> URL {
        let program = ProcessInfo.processInfo.processName
        let base = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return (base ?? URL(fileURLWithPath: NSTemporaryDirectory())).appendingPathComponent(program, isDirectory: true)
    }

    /// Opens the stores that ``persistentStoreDescriptions`` describes, and makes those that do not exist yet.
    ///
    /// ```swift
    /// container.loadPersistentStores { description, error in
    ///     guard let error = error as? CocoaError else { return }
    ///     switch error.code {
    ///     case .persistentStoreIncompatibleVersionHash: print("made by another version of the model")
    ///     case .fileReadCorruptFile: print("\(description.url?.path ?? "") is not a store, or is damaged")
    ///     default: print(error.localizedDescription)
    ///     }
    /// }
    /// ```
    ///
    /// The stores are opened on the calling thread, one after another, unless
    /// ``NSPersistentStoreDescription/shouldAddStoreAsynchronously`` is set. So after the call they are there. If a
    /// store fails, the other stores are open all the same. A second call gives the handler
    /// `NSPersistentStoreOpenError` (134080) for each file that is open, and the first store continues to work.
    ///
    /// - Parameter block: Called once for each description, with nil or the error. The errors are the errors of
    ///   ``NSPersistentStoreCoordinator/addPersistentStore(ofType:configurationName:at:options:)``, and what the file
    ///   system reports when the default folder is made.
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

    /// Makes a context on a queue of its own, with the container's coordinator.
    ///
    /// ```swift
    /// let importer = container.newBackgroundContext()
    /// importer.name = "import"
    /// importer.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    /// ```
    ///
    /// Keep it for work that belongs together. Contexts that save the same rows at once may meet conflicts. The
    /// container does not retain it.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block with a new background context, on the context's queue, and returns at once.
    ///
    /// Each call has a new context, so blocks of several calls run in parallel. Save in the block: what is unsaved when
    /// it returns is lost.
    @preconcurrency
    open func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    /// Runs a block with a new background context, on the context's queue, and returns what it returns.
    ///
    /// ```swift
    /// let count = try await container.performBackgroundTask { context in
    ///     let request = Player.fetchRequest()
    ///     request.predicate = NSPredicate(format: "age > 40")
    ///     let players = try context.fetch(request)
    ///     for player in players { context.delete(player) }
    ///     try context.save()
    ///     return players.count
    /// }
    /// print("\(count) players retired")
    /// ```
    ///
    /// Each call has a new context, so calls run in parallel. Save in the block: what is unsaved when it returns is
    /// lost. Cancelling the waiting task does not stop the block.
    ///
    /// - Parameter block: The work. What it throws is thrown here.
    /// - Returns: What the block returns. Return values or object IDs: objects belong to the context, which is
    ///   released.
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
