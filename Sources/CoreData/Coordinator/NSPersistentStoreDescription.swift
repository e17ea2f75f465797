import FoundationGaps

/// Describes a store that a container or a coordinator is to open: type, place, configuration and options.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: url)
/// description.configuration = "Archive"
/// description.timeout = 30
/// container.persistentStoreDescriptions = [description]
/// container.loadPersistentStores { description, error in
///     if let error { print("\(description.url?.path ?? ""): \(error)") }
/// }
/// ```
///
/// Set it up before ``NSPersistentContainer/loadPersistentStores(completionHandler:)``. Changes after that have no
/// effect on an open store.
open class NSPersistentStoreDescription: NSObject, NSCopying {
    /// The kind of store: ``NSSQLiteStoreType``, the default, or ``NSInMemoryStoreType``.
    ///
    /// For a test, a store in memory is made like this:
    ///
    /// ```swift
    /// container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    /// ```
    open var type = NSSQLiteStoreType

    /// The name of the model's configuration that lists the store's entities; nil, the default, for all entities.
    ///
    /// ```swift
    /// let players = NSPersistentStoreDescription(url: url)
    /// players.configuration = "Players"
    /// let archive = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/var/lib/league/Archive.sqlite"))
    /// archive.configuration = "Archive"
    /// container.persistentStoreDescriptions = [players, archive]
    /// ```
    ///
    /// A name that the model does not have makes opening fail with `NSPersistentStoreOpenError` (134080).
    open var configuration: String?

    /// The file. `/dev/null`, which is a store in memory, if no URL was given.
    ///
    /// Set ``type``, too, for the URL of something else than a file: a store of a type with files does not open there,
    /// and fails with `NSPersistentStoreOpenError` (134080).
    ///
    /// Nil is allowed only for ``NSInMemoryStoreType``; otherwise opening fails with `NSPersistentStoreOpenError`
    /// (134080).
    open var url: URL?

    /// Whether the store is opened in the background. The default is false.
    ///
    /// With true, `loadPersistentStores` returns before the store is open, and its handler is called on the
    /// coordinator's queue, not on the main queue. Fetches before that throw `NSCoreDataError` (134060), if there is no
    /// other store.
    open var shouldAddStoreAsynchronously = false

    /// The options that the store is opened with, by name.
    ///
    /// Empty at first: defaults are not in it. See ``setOption(_:forKey:)``.
    open private(set) var options: [String: NSObject] = [:]

    /// A description of a store in memory: an SQLite store with the URL `file:///dev/null`.
    ///
    /// Set ``url`` for a file. To make the kind of store plain, set ``type`` to ``NSInMemoryStoreType``.
    public override init() {
        url = URL(fileURLWithPath: "/dev/null")
        super.init()
    }

    /// A description of an SQLite store in a file.
    ///
    /// The file is made if there is none. Its folder must exist, or opening fails with 512.
    ///
    /// Only ``NSPersistentContainer/defaultDirectoryURL()`` is made by a container if it is missing. For another
    /// folder:
    ///
    /// ```swift
    /// let folder = URL(fileURLWithPath: "/var/lib/league", isDirectory: true)
    /// try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    /// let file = folder.appendingPathComponent("League.sqlite")
    /// container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    /// ```
    public init(url: URL) {
        self.url = url
        super.init()
    }

    /// Sets an option; nil removes it.
    ///
    /// ```swift
    /// description.setOption(true as NSNumber, forKey: NSSQLiteAnalyzeOption)
    /// ```
    ///
    /// - Parameters:
    ///   - option: Mostly an `NSNumber`. Its type is not checked: a value of the wrong type counts as not set.
    ///   - key: ``NSSQLiteManualVacuumOption``, for example. Unknown keys are kept and have no effect.
    open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

    /// Whether the store is only read. The default is false.
    ///
    /// ```swift
    /// description.isReadOnly = true
    /// container.persistentStoreDescriptions = [description]
    /// ```
    ///
    /// It is the option ``NSReadOnlyPersistentStoreOption``. The file must exist. To save a change of an object of this
    /// store throws 513.
    open var isReadOnly: Bool {
        get { (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false }
        set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
    }

    /// Whether a store of another model version is migrated. True unless it is set.
    ///
    /// See ``NSMigratePersistentStoresAutomaticallyOption``.
    open var shouldMigrateStoreAutomatically: Bool {
        get { (options[NSMigratePersistentStoresAutomaticallyOption] as? NSNumber)?.boolValue ?? true }
        set { setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption) }
    }

    /// Whether the mapping of a migration is inferred. True unless it is set.
    ///
    /// See ``NSInferMappingModelAutomaticallyOption``.
    open var shouldInferMappingModelAutomatically: Bool {
        get { (options[NSInferMappingModelAutomaticallyOption] as? NSNumber)?.boolValue ?? true }
        set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
    }

    /// How long to wait for a store that another process has locked, in seconds: ``NSPersistentStoreTimeoutOption``.
    ///
    /// 240 unless it is set. A store that is added without a description waits 10 seconds.
    open var timeout: TimeInterval {
        get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
    }

    /// The pragmas that were set with ``setValue(_:forPragmaNamed:)``, by name.
    ///
    /// The defaults of a store are not in it. It is the option ``NSSQLitePragmasOption``.
    open var sqlitePragmas: [String: NSObject] {
        options[NSSQLitePragmasOption] as? NSDictionary as? [String: NSObject] ?? [:]
    }

    /// Sets a pragma for SQLite; nil removes it.
    ///
    /// ```swift
    /// description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")     // safe against power cuts
    /// description.setValue(67_108_864 as NSNumber, forPragmaNamed: "journal_size_limit")
    /// ```
    ///
    /// - Parameters:
    ///   - value: A word or a number. Any other value makes opening fail with `NSPersistentStoreOpenError` (134080).
    ///   - name: The pragma's name. ``NSSQLitePragmasOption`` lists the defaults.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        setOption(pragmas as NSDictionary, forKey: NSSQLitePragmasOption)
    }

    /// A description with the same type, URL, configuration and options.
    ///
    /// A change of the copy leaves the original as it is.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription()
        copy.type = type
        copy.configuration = configuration
        copy.url = url
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        copy.options = options
        return copy
    }

    /// The type and the URL, for a log. Of a URL with a password, `***` stands in its place.
    open override var description: String {
        "<NSPersistentStoreDescription> (type: \(type), url: \(url.map { StoreKinds.shown($0).absoluteString } ?? "nil"))"
    }
}

extension NSPersistentStoreDescription {
    /// The options that a coordinator opens the store with: a description always says how long to wait, and whether
    /// to migrate.
    var optionsToOpen: [AnyHashable: Any] {
        let defaults: [String: NSObject] = [
            NSPersistentStoreTimeoutOption: NSNumber(value: timeout),
            NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: shouldMigrateStoreAutomatically),
            NSInferMappingModelAutomaticallyOption: NSNumber(value: shouldInferMappingModelAutomatically),
        ]
        return options.merging(defaults) { own, _ in own }
    }
}
