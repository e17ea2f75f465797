import CoreData
import PostgreSQLClient
import Synchronization

/// A store in a schema of a PostgreSQL database.
///
/// Connections come from a pool. Saves use one at a time, as the coordinator's lock asks for; reads use others beside
/// it. Optimistic locking is by the rows' versions, so other processes may save at the same time.
final class PostgreSQLStore: NSPersistentStore, ObjectStore, WatchedStore, @unchecked Sendable {
    // Unchecked like its superclass: what changes is in `current`, and in `edited` under its lock.

    let layouts: ModelLayout
    package var writeLock = NSRecursiveLock()
    /// Layouts point to the model's descriptions without keeping them.
    private let model: AnyObject?
    private let current: Mutex<PostgreSQLSession>
    /// Any thread may read and set it.
    private var edited: EditedMetadata
    private let metadataLock = NSLock()
    let keys = PostgreSQLKeys()
    /// What records changes; nil where they are not recorded.
    let history: PostgreSQLHistory?
    /// Whether other clients are told of commits.
    let notifies: Bool
    /// What this client's marks are under. See ``PostgreSQLTransactionEnd``.
    let client = UUID()
    private let lastMark = Atomic<Int64>(0)
    private let watch = Mutex(Watch())

    private struct Watch {
        var told: (@Sendable (_ lastTransaction: Int64?) -> Void)?
        var running: PostgreSQLWatch?
    }

    /// Opens a store, or makes it where the schema has none.
    ///
    /// - Parameter mustBeNew: Whether a store that is there is an error.
    /// - Throws: 134100 where another model version made the store; 134080 where the database can't be reached; 259
    ///   where the store's metadata are damaged; 516 for a store that is there, and was to be new.
    init(
        model: StoreModel, configurationName: String?, url: URL, options: [AnyHashable: Any]?, mustBeNew: Bool = false
    ) throws {
        let opened = try PostgreSQLOpening(model: model, url: url, options: options, mustBeNew: mustBeNew).open()
        let tracksHistory = StoreOptions.tracksHistory(options)
        history = tracksHistory ? PostgreSQLHistory() : nil
        notifies =
            tracksHistory
            || (options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey] as? NSNumber)?.boolValue == true
        layouts = model.layouts
        self.model = model.owner
        current = Mutex(opened.session)
        edited = EditedMetadata(opened.metadata.published)
        super.init(configurationName: configurationName, url: url, options: options)
        identifier = opened.metadata.identifier
    }

    package override init(configurationName: String?, url: URL?, options: [AnyHashable: Any]?) {
        defect("A PostgreSQL store is opened with a model.")
    }

    deinit {
        watch.withLock { $0.running }?.end()
        session.close()
    }

    override var type: String { NSPostgreSQLStoreType }

    /// The connections, and what is worked out once for the store's tables.
    var session: PostgreSQLSession { current.withLock { $0 } }

    func reopen(at url: URL, model: StoreModel) throws {
        let opened = try PostgreSQLOpening(model: model, url: url, options: options).open()
        let old = current.withLock { session in
            defer { session = opened.session }
            return session
        }
        old.close()
        keys.forget()
        history?.forgetKeys()
        metadataLock.withLock { edited = EditedMetadata(opened.metadata.published) }
        identifier = opened.metadata.identifier
        self.url = url
        try beginWatch()
    }

    func close() throws {
        watch.withLock { watch in
            defer { watch.running = nil }
            return watch.running
        }?.end()
        forgetMark()
        session.close()
    }

    /// Other clients need no trace of this one. It may stay where the server can't be reached.
    private func forgetMark() {
        guard lastMark.load(ordering: .relaxed) > 0 else { return }
        var parameters = PostgreSQLParameters()
        parameters.append(uuid: client)
        _ = try? session.pool.withConnection(timeout: .seconds(1)) { connection in
            try connection.execute(PostgreSQLMark.removal, parameters)
        }
    }

    /// A number for a transaction, greater than all before it.
    func nextMark() -> Int64 { lastMark.add(1, ordering: .relaxed).newValue }

    // MARK: What other clients write

    func watchChanges(_ told: @escaping @Sendable (_ lastTransaction: Int64?) -> Void) throws {
        history?.keepOwn()
        watch.withLock { $0.told = told }
        try beginWatch()
    }

    private func beginWatch() throws {
        guard let told = watch.withLock({ $0.told }) else { return }
        let session = session
        let new = try PostgreSQLWatch(session.direct ?? session.place, channel: session.channel) { last in
            // Reads that begin after this see the commit, also those of replicas.
            session.replicas?.freshness.noteCommit()
            told(last)
        }
        let old = watch.withLock { watch in
            defer { watch.running = new }
            return watch.running
        }
        old?.end()
    }

    // MARK: Metadata

    override var metadata: [String: Any]! {
        get {
            var all = metadataLock.withLock { edited.values }
            all[NSStoreUUIDKey] = token.identifier
            all[NSStoreTypeKey] = type
            return all
        }
        set {
            let metadata = newValue ?? [:]
            let given = metadata[NSStoreUUIDKey] as? String ?? ""
            if !given.isEmpty, given != token.identifier { identifier = given }
            metadataLock.withLock { edited.set(metadata) }
        }
    }

    override var isReadOnly: Bool {
        get { super.isReadOnly || isReadOnlyForHistory }
        set { super.isReadOnly = newValue }
    }

    /// Whether nothing may be written because the history would miss it.
    private var isReadOnlyForHistory: Bool { hasHistory && history == nil }

    var hasHistory: Bool { session.hasHistory }

    var hasUnsavedMetadata: Bool { metadataLock.withLock { edited.isUnsaved } }

    /// Writes metadata that the app has changed; part of the save's transaction.
    ///
    /// - Returns: What is written: what the app sets from now on is the next save's.
    func writeChangedMetadata(_ connection: PostgreSQLConnection) throws -> EditedMetadata.Merged? {
        let edited = metadataLock.withLock { self.edited }
        let merged = try edited.merged(identifier: token.identifier) {
            try connection.execute(PostgreSQLMetadata.lock)
            guard let stored = try PostgreSQLMetadata.read(connection) else { throw session.place.missing }
            return stored.published
        }
        if let merged {
            try PostgreSQLMetadata(identifier: merged.identifier, values: merged.values).write(connection)
        }
        return merged
    }

    func noteSavedMetadata(_ saved: EditedMetadata.Merged?) { metadataLock.withLock { edited.noteSaved(saved) } }

    /// - Throws: 513 for a store that is read-only.
    func requireWritable() throws {
        if isReadOnly {
            throw NSError.cocoa(
                CocoaError.Code.fileWriteNoPermission.rawValue, "The store \(session.place.name) is read-only.",
                reason: isReadOnlyForHistory && !super.isReadOnly
                    ? "It has persistent history, and was opened without NSPersistentHistoryTrackingKey: its history would miss changes. Open it with the option."
                    : nil)
        }
    }
}
