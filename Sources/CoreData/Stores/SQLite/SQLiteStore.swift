import Foundation

/// A store in an SQLite file, laid out as Apple's framework lays it out.
///
/// One connection writes, under the coordinator's lock; others read beside it (``SQLiteReaders``), where the file has a
/// write-ahead log. Rows go straight between SQLite and packed snapshots; each shape of statement is prepared once.
final class SQLiteStore: NSPersistentStore, ObjectStore, @unchecked Sendable {
    // Unchecked like its superclass: all but reads come under the coordinator's lock, and reads use sessions, each
    // alone.

    let layouts: ModelLayout
    /// The session that writes.
    private(set) var main: SQLiteSession
    let readers = SQLiteReaders()
    /// The states that query generations hold.
    let holds = SQLiteHolds()
    /// Nil: the file has none.
    private var log: SQLiteLog?
    /// Held by the thread that uses the session that writes; a coordinator puts its own lock here.
    package var writeLock = NSRecursiveLock()
    /// What other threads than the one that writes read and set, under ``sharedLock``.
    private var shared: Shared
    private let sharedLock = NSLock()
    private var isOpen = true
    private var evidence: EvidenceCopy?
    /// Layouts point to the model's descriptions without keeping them.
    private let model: AnyObject?

    private(set) var triggerNotes: TriggerNotes
    /// What records changes; nil where they are not recorded.
    private(set) var history: SQLiteHistory?
    /// The look-out for commits to the file, where one is wanted.
    private var watch: SQLiteChangeWatch?
    private var toldOfChanges: (@Sendable (_ lastTransaction: Int64?) -> Void)?
    /// The tables of history that the file has, with their columns.
    private(set) var historyTables: [String: Set<String>]
    /// Whether this is a store of the type `NSInMemoryStoreType`: a private database that is nowhere but in memory.
    let isInMemory: Bool

    /// Files of external data that no row names, and that are still to be removed.
    var unneededFiles: [URL] = []
    private var writers: [Int32: EntityWriter] = [:]
    private var reservations: [Int32: KeyReservation] = [:]
    private var keyStatements: [Int32: KeyStatements] = [:]

    /// Opens a store, or makes it where there is no file or an empty one.
    ///
    /// A store that can't be opened is left as it was.
    ///
    /// - Throws: 134100 where another model version made the store; 259 where the file is no store or is damaged; 256,
    ///   257, 260, 512 and 513 where it can't be reached; 134080 for bad options.
    convenience init(model: StoreModel, configurationName: String?, url: URL, options: [AnyHashable: Any]?) throws {
        let opened = try SQLiteOpening(model: model, url: url, options: options).open()
        self.init(opened, model, configurationName, isInMemory: false, url, options)
    }

    /// Makes a store in memory.
    ///
    /// - Parameters:
    ///   - url: What the store says that its URL is. Nothing is read or written there.
    ///   - options: Of these, whether the store is read-only and whether it has an index for full-text search have a
    ///     meaning.
    convenience init(
        inMemory model: StoreModel, configurationName: String?, url: URL?, options: [AnyHashable: Any]?
    ) throws {
        let own = options?.filter { $0.key == NSPersistentStoreFullTextSearchOptionKey as AnyHashable }
        let opened = try SQLiteOpening(model: model, url: URL(fileURLWithPath: "/dev/null"), options: own).open()
        self.init(opened, model, configurationName, isInMemory: true, url, options)
    }

    private init(
        _ opened: SQLiteOpening.Result, _ model: StoreModel, _ configurationName: String?, isInMemory: Bool,
        _ url: URL?,
        _ options: [AnyHashable: Any]?
    ) {
        self.isInMemory = isInMemory
        layouts = model.layouts
        self.model = model.owner
        main = SQLiteSession(opened.connection, opened.schema)
        evidence = opened.evidence
        let isNowhere = isInMemory || url?.path == "/dev/null"
        shared = Shared(
            folder: isNowhere ? nil : url.map { ExternalFiles.folder(of: $0) },
            metadata: EditedMetadata(opened.metadata.published))
        triggerNotes = opened.triggerNotes
        (history, historyTables) = (opened.history, opened.historyTables)
        super.init(configurationName: configurationName, url: url, options: options)
        main.store = self
        openReaders(opened.readers)
        token.identifier = opened.metadata.identifier ?? ""
    }

    /// Goes on with the store that is at another place; what there is of this one is closed.
    ///
    /// - Throws: As ``init(model:configurationName:url:options:)``; the store is as it was then.
    func reopen(at url: URL, model: StoreModel) throws {
        if isInMemory { return self.url = url }
        try SQLiteFile.check(url)
        let opened = try SQLiteOpening(model: model, url: url, options: options).open()
        // The old file is done with, whether or not it can be closed in order.
        try? close()
        reservations.removeAll()
        main = SQLiteSession(opened.connection, opened.schema)
        main.store = self
        evidence = opened.evidence
        sharedLock.withLock {
            shared = Shared(
                folder: ExternalFiles.folder(of: url), metadata: EditedMetadata(opened.metadata.published))
        }
        triggerNotes = opened.triggerNotes
        (history, historyTables) = (opened.history, opened.historyTables)
        isOpen = true
        openReaders(opened.readers)
        token.identifier = opened.metadata.identifier ?? ""
        self.url = url
        try beginWatch()
    }

    package override init(configurationName: String?, url: URL?, options: [AnyHashable: Any]?) {
        defect("An SQLite store is opened with a model.")
    }

    // The connection that writes goes last: it puts the log away.
    deinit {
        endWatch()
        readers.close()
    }

    override var type: String { isInMemory ? NSInMemoryStoreType : NSSQLiteStoreType }

    var connection: SQLiteConnection { main.connection }
    var schema: SQLSchema { main.schema }

    /// Whether nothing may be written because the history would miss it.
    var isReadOnlyForHistory: Bool { hasHistory && history == nil && !super.isReadOnly && evidence == nil }

    var hasHistory: Bool { historyTables[SQLHistoryTables.changes] != nil }

    /// Where large values of attributes with external storage live; nil for a store in memory.
    var externalFolder: URL? { sharedLock.withLock { shared.folder } }

    override var isReadOnly: Bool {
        get { super.isReadOnly || evidence != nil || isReadOnlyForHistory }
        set { super.isReadOnly = newValue }
    }

    override var metadata: [String: Any]! {
        get {
            var all = sharedLock.withLock { shared.metadata.values }
            all[NSStoreUUIDKey] = token.identifier
            all[NSStoreTypeKey] = type
            return all
        }
        set {
            let metadata = newValue ?? [:]
            // Mostly it is the one that the store has. Others may be reading it.
            let given = metadata[NSStoreUUIDKey] as? String ?? ""
            if !given.isEmpty, given != token.identifier { token.identifier = given }
            sharedLock.withLock { shared.metadata.set(metadata) }
        }
    }

    /// Whether the app has set metadata that no save has written yet.
    var hasUnsavedMetadata: Bool { sharedLock.withLock { shared.metadata.isUnsaved } }

    /// Writes metadata that the app has changed; part of the save's transaction.
    ///
    /// - Returns: What is written: what the app sets from now on is the next save's.
    func writeChangedMetadata() throws -> EditedMetadata.Merged? {
        guard hasUnsavedMetadata else { return nil }
        let edited = sharedLock.withLock { shared.metadata }
        let merged = try edited.merged(identifier: token.identifier) { try SQLiteMetadata.read(connection).published }
        if let merged { try SQLiteMetadata.write(merged.values, identifier: merged.identifier, to: connection) }
        return merged
    }

    func noteSavedMetadata(_ saved: EditedMetadata.Merged?) {
        if let saved { sharedLock.withLock { shared.metadata.noteSaved(saved) } }
    }

    /// Keeps the log short after a save.
    func tidyLog() { log?.tidy(connection, holds, readers) }

    func externalData(_ raw: Data) throws -> Data? { try ExternalFiles.data(raw, folder: externalFolder) }

    /// Waits for all readers, gives back the keys that were reserved and not used, and closes the file.
    func close() throws {
        guard isOpen else { return }
        isOpen = false
        holds.all.forEach { $0.end() }
        // The connection that writes goes last: it puts the log away.
        endWatch()
        readers.close()
        defer {
            writers.removeAll()
            keyStatements.removeAll()
            main.close()
        }
        removeUnneededFiles()
        guard reservations.values.contains(where: { $0.left != nil }) else { return }
        try cocoa { try connection.write { try giveBack() } }
    }

    // MARK: Commits by others

    /// Begins to watch the file, if that was asked for.
    private func beginWatch() throws {
        guard let toldOfChanges, let url, !isInMemory, url.path != "/dev/null" else { return }
        watch = try SQLiteFile.cocoa(url) {
            try SQLiteChangeWatch(url, timeout: StoreOptions.timeout(options), told: toldOfChanges)
        }
    }

    private func endWatch() {
        watch?.end()
        watch = nil
    }

    /// Runs `body`, with what SQLite reports as Cocoa errors.
    func cocoa<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw error.cocoaError(path: url?.path ?? connection.path)
        }
    }

    // MARK: Sessions

    /// Runs `body` with a session to read by, which no other thread uses meanwhile.
    ///
    /// - Throws: ``StoreIsClosed``; what `body` throws.
    func reading<R>(for purpose: ReadPurpose = .search, _ body: (SQLiteSession) throws -> R) throws -> R {
        guard let session = try cocoa({ try readers.take(for: purpose) }) else {
            return try writeLock.measured {
                guard isOpen else { throw StoreIsClosed() }
                return try body(main)
            }
        }
        defer { readers.giveBack(session) }
        try cocoa { try session.beginRead() }
        return try body(session)
    }

    private func openReaders(_ opening: ReaderOpening?) {
        log = opening.map { SQLiteLog(of: $0.url, limit: $0.logLimit, pageSize: $0.pageSize) }
        let schema = schema
        readers.open(most: opening?.most ?? 0) { [unowned self] purpose in
            guard let opening else { throw StoreIsClosed() }
            let session = SQLiteSession(try opening.connection(for: purpose), schema, for: purpose)
            session.store = self
            return session
        }
    }

    // MARK: What is worked out once per entity

    func writer(for layout: EntityLayout) throws -> EntityWriter {
        if let known = writers[layout.number] { return known }
        let writer = try EntityWriter(layout, schema: schema, connection: connection)
        writers[layout.number] = writer
        return writer
    }

    // MARK: Keys

    func allocateKeys(for entity: EntityLayout, count: Int) throws -> Int64 {
        let root = entity.rootNumber
        if let first = reservations[root]?.take(count) { return first }
        let first = try cocoa {
            try connection.write { try reserveKeys(count, root: layouts[root]) }
        }
        reservations[root, default: KeyReservation()].uses += 1
        return first
    }

    /// Moves `Z_MAX` on in the running transaction, and returns the first of the keys that are now ours.
    func reserveKeys(_ count: Int, root: EntityLayout) throws -> Int64 {
        guard let number = schema.number(of: root) else {
            throw NSError.cocoa(259, "The store has no entity \(root.name).", reason: "It is not in Z_PRIMARYKEY.")
        }
        let statements = try keyStatements(of: root)
        statements.reservation.bind(1, int: Int64(count))
        statements.reservation.bind(2, int: number)
        try statements.reservation.run()
        statements.highest.bind(1, int: number)
        guard try statements.highest.step() else {
            throw NSError.cocoa(259, "The store has no entity \(root.name).", reason: "It is not in Z_PRIMARYKEY.")
        }
        let last = statements.highest.int(0)
        statements.highest.reset()
        return last - Int64(count) + 1
    }

    private func keyStatements(of root: EntityLayout) throws -> KeyStatements {
        if let known = keyStatements[root.number] { return known }
        let reservation = SQLStoreTables.keyReservation(in: schema.table(of: root).name)
        let statements = KeyStatements(
            reservation: try connection.statement(reservation),
            highest: try connection.statement(SQLStoreTables.highestKey))
        keyStatements[root.number] = statements
        return statements
    }

    /// In a save's transaction: reserves the keys of coming small saves, so that these need no transaction for them.
    ///
    /// - Returns: What to hand to ``adopt(_:)`` once the transaction is committed.
    func reserveAhead() throws -> [Int32: ClosedRange<Int64>] {
        var ranges: [Int32: ClosedRange<Int64>] = [:]
        for (root, reservation) in reservations where reservation.wantsMore {
            let first = try reserveKeys(KeyReservation.size, root: layouts[root])
            ranges[root] = first...(first + Int64(KeyReservation.size) - 1)
        }
        return ranges
    }

    /// Unless another process has taken keys since.
    private func giveBack() throws {
        let update = try connection.statement(SQLStoreTables.keyReturn)
        for (root, reservation) in reservations {
            guard let left = reservation.left, let number = schema.number(of: layouts[root]) else { continue }
            update.bind(1, int: left.lowerBound - 1)
            update.bind(2, int: number)
            update.bind(3, int: left.upperBound)
            try update.run()
        }
        reservations.removeAll()
    }

    func adopt(_ ranges: [Int32: ClosedRange<Int64>]) {
        if ranges.isEmpty { return }
        for (root, range) in ranges { reservations[root, default: KeyReservation()].add(range) }
    }
}

extension SQLiteStore: WatchedStore {
    func watchChanges(_ told: @escaping @Sendable (_ lastTransaction: Int64?) -> Void) throws {
        toldOfChanges = told
        history?.keepOwn()
        endWatch()
        try beginWatch()
    }
}

/// What of a store any thread may read and set.
private struct Shared {
    /// Where large values of attributes with external storage live.
    var folder: URL?
    var metadata: EditedMetadata
}

/// Collects what triggers tell about rows that they changed.
final class TriggerNotes: @unchecked Sendable {
    // Unchecked: filled by functions that SQLite calls inside the store's own calls, on the same thread.
    private(set) var rows: [String: Set<Int64>] = [:]
    /// Whether nothing is collected: a batch may change any number of rows, and reads none of them back.
    var isMuted = false

    func note(_ table: String, _ key: Int64) { if !isMuted { rows[table, default: []].insert(key) } }
    func clear() { if !rows.isEmpty { rows.removeAll(keepingCapacity: true) } }
}
