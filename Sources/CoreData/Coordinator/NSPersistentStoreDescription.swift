import FoundationGaps

/// Everything that it takes to open a store; what a container opens its stores by.
open class NSPersistentStoreDescription: NSObject, NSCopying {
    /// The kind of store: `NSSQLiteStoreType` unless it is set, or `NSInMemoryStoreType`.
    open var type = NSSQLiteStoreType
    /// The model's configuration whose entities the store holds; nil: all.
    open var configuration: String?
    /// The file; `/dev/null`, which is a store in memory, unless it is set.
    open var url: URL?
    /// Whether the container opens the store in the background.
    open var shouldAddStoreAsynchronously = false
    /// The options that the store is opened with.
    open private(set) var options: [String: NSObject] = [:]

    /// A description of a store in memory: an SQLite store with the URL `file:///dev/null`.
    public override init() {
        url = URL(fileURLWithPath: "/dev/null")
        super.init()
    }

    /// A description of an SQLite store.
    public init(url: URL) {
        self.url = url
        super.init()
    }

    /// Sets an option; nil takes it away.
    open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

    /// Whether the store is only read.
    open var isReadOnly: Bool {
        get { (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false }
        set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
    }

    /// Whether a store of another model version is migrated; see `NSMigratePersistentStoresAutomaticallyOption`.
    open var shouldMigrateStoreAutomatically: Bool {
        get { (options[NSMigratePersistentStoresAutomaticallyOption] as? NSNumber)?.boolValue ?? true }
        set { setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption) }
    }

    /// Whether the mapping of a migration is inferred; see `NSInferMappingModelAutomaticallyOption`.
    open var shouldInferMappingModelAutomatically: Bool {
        get { (options[NSInferMappingModelAutomaticallyOption] as? NSNumber)?.boolValue ?? true }
        set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
    }

    /// How long to wait for a locked store, in seconds.
    open var timeout: TimeInterval {
        get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
    }

    /// The pragmas that SQLite is given, by name.
    open var sqlitePragmas: [String: NSObject] {
        options[NSSQLitePragmasOption] as? NSDictionary as? [String: NSObject] ?? [:]
    }

    /// Sets a pragma; nil takes it away.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        setOption(pragmas as NSDictionary, forKey: NSSQLitePragmasOption)
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription()
        copy.type = type
        copy.configuration = configuration
        copy.url = url
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        copy.options = options
        return copy
    }

    open override var description: String {
        "<NSPersistentStoreDescription> (type: \(type), url: \(url?.absoluteString ?? "nil"))"
    }
}
