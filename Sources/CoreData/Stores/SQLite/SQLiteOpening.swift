import Foundation

/// Option: opens the store as evidence, read-only and without any trace beside it (`NSNumber`).
package let SQLiteEvidenceOption = "SQLiteEvidenceOption"

/// Option beside ``SQLiteEvidenceOption``: fits the model to the store's tables as far as they agree, whatever version
/// of a model made the store and however odd its metadata is (`NSNumber`).
package let SQLiteAnyModelOption = "SQLiteAnyModelOption"

/// One attempt to open or make a store.
struct SQLiteOpening {
    let model: StoreModel
    let url: URL
    private let pragmas: SQLitePragmas
    private let isReadOnly: Bool
    private let isEvidence: Bool
    private let takesAnyModel: Bool
    /// Whether the app takes a store that another version of the model made.
    private let ignoresVersion: Bool
    private let timeout: Double
    private let maintenance: SQLiteMaintenance
    private let mostReaders: Int
    private let tracksHistory: Bool
    /// See ``StoreLoadingOption``.
    private let isLoading: Bool
    /// Whether the app wants an index for full-text search.
    private let keepsSearchIndexes: Bool
    /// What ``UnfinishedCopy`` looks at.
    private let options: [AnyHashable: Any]?
    /// The UUID of the source, where the store is the destination of a copy; see ``StoreCopyOption``.
    private let copySource: String?

    /// What an attempt yields.
    struct Result {
        let connection: SQLiteConnection
        let schema: SQLSchema
        let metadata: SQLiteMetadata
        let triggerNotes: TriggerNotes
        let evidence: EvidenceCopy?
        /// How to open connections that read beside the one that writes; nil: they can't.
        let readers: ReaderOpening?
        /// What records changes; nil where they are not recorded.
        let history: SQLiteHistory?
        let historyTables: [String: Set<String>]
    }

    init(model: StoreModel, url: URL, options: [AnyHashable: Any]?) throws {
        self.model = model
        self.url = url
        pragmas = try SQLitePragmas(options: options)
        isEvidence = (options?[SQLiteEvidenceOption] as? NSNumber)?.boolValue ?? false
        takesAnyModel = (options?[SQLiteAnyModelOption] as? NSNumber)?.boolValue ?? false
        isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        ignoresVersion = (options?[NSIgnorePersistentStoreVersioningOption] as? NSNumber)?.boolValue ?? false
        timeout = Self.timeout(options)
        maintenance = SQLiteMaintenance(options: options)
        mostReaders = ReaderOpening.most(options)
        isLoading = (options?[StoreLoadingOption] as? NSNumber)?.boolValue ?? false
        self.options = options
        copySource = UnfinishedCopy.source(in: options)
        // What keeps something up to date waits for the copy's end.
        tracksHistory = copySource == nil && StoreOptions.tracksHistory(options)
        keepsSearchIndexes = try copySource == nil && StoreOptions.keepsSearchIndexes(options)
    }

    static func timeout(_ options: [AnyHashable: Any]?) -> Double {
        StoreOptions.timeout(options)
    }

    func open() throws -> Result {
        try SQLiteFile.cocoa(url) {
            if isEvidence { return try openEvidence() }
            if !isReadOnly, try SQLiteFile.isEmpty(url) { return try create() }
            guard try holdsStore() else { return try create() }
            let connection = try SQLiteConnection(path: url.path, access: access(), timeout: timeout)
            return try result(connection, evidence: nil)
        }
    }

    /// A store in a folder without write permission, as in an app's resources, has no log and can't get one.
    private func access() throws -> SQLiteConnection.Access {
        guard isReadOnly else { return .readWrite }
        let folder = url.deletingLastPathComponent().path
        return try FileManager.default.isWritableFile(atPath: folder) || SQLiteFile.hasLog(url) ? .readOnly : .immutable
    }

    /// Looks at the store before anything could change it.
    ///
    /// - Returns: False for a database without any content, as a process leaves it that is killed while it makes a
    ///   store, and for a file that its maker has removed meanwhile, since its model can't be kept; there is a store to
    ///   be made then.
    private func holdsStore() throws -> Bool {
        do {
            return try SQLiteFile.look(at: url, timeout: timeout) { connection in
                if !isReadOnly, try Self.isBlank(connection) { return false }
                try check(SQLiteMetadata.read(connection))
                return true
            }
        } catch {
            if !isReadOnly, try SQLiteFile.isEmpty(url) { return false }
            throw error
        }
    }

    /// Refuses a store that another version of the model made, unless versions are ignored.
    private func check(_ metadata: SQLiteMetadata) throws {
        try UnfinishedCopy.check(metadata.values, "“\(url.path)”", options)
        if !ignoresVersion { try model.check(metadata.published, path: url.path, isReadOnly: isReadOnly) }
    }

    /// Whether the database is empty, and no application has marked it as its own.
    private static func isBlank(_ connection: SQLiteConnection) throws -> Bool {
        try ["SELECT count(*) FROM sqlite_master", "PRAGMA application_id", "PRAGMA user_version"].allSatisfy {
            try connection.integer($0) == 0
        }
    }

    /// Whether there is nothing at a URL, or a database without content.
    static func isVacant(_ url: URL) throws -> Bool {
        if try SQLiteFile.isEmpty(url) { return true }
        return try SQLiteFile.look(at: url, timeout: 0) { try isBlank($0) }
    }

    private func openEvidence() throws -> Result {
        let copy = try EvidenceCopy(of: url)
        let connection = try SQLiteConnection(path: copy.url.path, access: copy.access, timeout: timeout)
        if !takesAnyModel {
            try model.check(SQLiteMetadata.read(connection).published, path: url.path, isReadOnly: true)
        }
        return try result(connection, evidence: copy)
    }

    private func result(_ connection: SQLiteConnection, evidence: EvidenceCopy?) throws -> Result {
        try pragmas.apply(to: connection, isReadOnly: isReadOnly || isEvidence)
        let notes = try registerFunctions(connection)
        var metadata =
            takesAnyModel && isEvidence
            ? try SQLiteMetadata.look(connection).metadata : try SQLiteMetadata.read(connection)
        let tables = try SQLiteTables.read(connection)
        var schema = tables.schema(of: model)
        if !isReadOnly, !isEvidence {
            if ignoresVersion { try metadata.adopt(model, schema, tables, connection) }
            try prepareForWriting(connection, schema, notes)
            if keepsSearchIndexes { try SQLiteSearchIndexes(schema, connection).keep() }
        }
        if keepsSearchIndexes || tables.hasSearchTables {
            // A search says what is wrong with the model's marks, if something is.
            schema = schema.searching(try (try? SQLiteSearchIndexes(schema, connection))?.current() ?? [])
        }
        var history = SQLiteHistory.tables(among: tables.columns)
        let records = tracksHistory && !isReadOnly && !isEvidence
        if records { history = try SQLiteHistory.prepare(connection, schema, history) }
        return Result(
            connection: connection, schema: schema, metadata: metadata, triggerNotes: notes, evidence: evidence,
            readers: try readers(beside: connection),
            history: records ? SQLiteHistory(connection, schema, tables: history) : nil, historyTables: history)
    }

    /// Other connections can read beside this one where the file has a log that all connections share.
    private func readers(beside connection: SQLiteConnection) throws -> ReaderOpening? {
        guard !isReadOnly, !isEvidence, url.path != "/dev/null", mostReaders > 0,
            try connection.text("PRAGMA journal_mode") == "wal", try connection.text("PRAGMA locking_mode") == "normal"
        else { return nil }
        return ReaderOpening(
            url: url, pragmas: pragmas, timeout: timeout, most: mostReaders, pageSize: try connection.pageSize())
    }

    private func registerFunctions(_ connection: SQLiteConnection) throws -> TriggerNotes {
        let notes = TriggerNotes()
        try connection.registerTriggerFunctions { notes.note($0, $1) }
        try connection.registerQueryFunctions()
        return notes
    }

    /// Knows every function that the store's triggers call, and keeps derived attributes that they don't.
    private func prepareForWriting(_ connection: SQLiteConnection, _ schema: SQLSchema, _ notes: TriggerNotes) throws {
        let stored = try StoredTriggers(connection)
        for name in stored.tellingFunctions.subtracting(SQLiteConnection.triggerFunctions) {
            try connection.registerTellingFunction(name) { notes.note($0, $1) }
        }
        if copySource == nil { try DerivedAttributes(schema, stored).keep(on: connection) }
        try maintenance.run(on: connection)
    }

    // MARK: A new store

    private func create() throws -> Result {
        for _ in 0..<100 {
            if let made = try createUnlessMoved() { return made }
        }
        throw NSError.file(ENOENT, at: url)
    }

    /// - Returns: Nil where another process, which could not make its store there, has removed the file meanwhile.
    private func createUnlessMoved() throws -> Result? {
        let isNew = try !DurableFile.exists(url)
        if isNew { try checkFolder() }
        do {
            let connection = try SQLiteConnection(path: url.path, access: .create, timeout: timeout)
            try pragmas.prepareNewFile(connection)
            try connection.write {
                // Another process may have made the store since we looked.
                let tables = try connection.integer("SELECT count(*) FROM sqlite_master")
                if tables == 0 { try fill(connection) }
            }
            if connection.hasMoved { return nil }
            try check(SQLiteMetadata.read(connection))
            return try result(connection, evidence: nil)
        } catch let error as SQLiteError where error.code == SQLiteError.readOnlyMoved {
            return nil
        } catch {
            if isNew, url.path != "/dev/null" { removeIfBlank() }
            throw error
        }
    }

    /// Removes a file that nothing was written to. Another process may be making the same store: then the file is its.
    private func removeIfBlank() {
        guard let connection = try? SQLiteConnection(path: url.path, access: .readWrite, timeout: 0),
            (try? connection.execute("BEGIN EXCLUSIVE")) != nil, (try? Self.isBlank(connection)) == true
        else { return }
        try? DurableFile.remove(url)
    }

    private func checkFolder() throws {
        let folder = url.deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue
        guard !exists || !FileManager.default.isWritableFile(atPath: folder) else { return }
        throw NSError.cocoa(
            exists ? 513 : 512,
            exists
                ? "There is no permission to create the store “\(url.lastPathComponent)” in “\(folder)”."
                : "The store “\(url.lastPathComponent)” could not be created because the folder “\(folder)” does not exist.",
            userInfo: [
                NSFilePathErrorKey: url.path,
                NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(exists ? EACCES : ENOENT)),
            ])
    }

    private func fill(_ connection: SQLiteConnection) throws {
        let schema = SQLSchema.derived(from: model.layouts, entities: model.entities)
        for statement in try schema.creationStatements(isLoading: isLoading, isCopy: copySource != nil) {
            do {
                try connection.execute(statement)
            } catch let error as SQLiteError where error.message.contains("no such module") {
                throw NSError.cocoa(
                    NSPersistentStoreIncompatibleSchemaError,
                    "The store can't be created: the model has a spatial index, and this SQLite library has no R-trees.",
                    reason: "Use a library that was built with SQLITE_ENABLE_RTREE, or make the index a binary one.",
                    userInfo: [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error])
            }
        }
        let insert = try connection.newStatement(SQLStoreTables.entityInsertion)
        for layout in model.layouts.layouts where schema.contains(layout) {
            guard let number = schema.number(of: layout) else { continue }
            insert.bind(1, int: number)
            insert.bind(2, text: layout.name)
            // A root's parent is 0.
            insert.bind(3, int: layout.parent.flatMap { schema.number(of: $0) } ?? 0)
            try insert.run()
        }
        var metadata = model.metadata(type: NSSQLiteStoreType)
        if let copySource { metadata.merge(UnfinishedCopy.beginning(of: copySource)) { $1 } }
        try SQLiteMetadata.write(metadata, identifier: UUID().uuidString, to: connection)
        try SQLiteMetadata.writeModelCache(model.archive(), to: connection)
    }
}

/// How the connections are opened by which a store is read beside its writer.
struct ReaderOpening {
    let url: URL
    let pragmas: SQLitePragmas
    let timeout: Double
    /// The greatest number of them.
    let most: Int
    /// The size of the file's pages.
    let pageSize: Int

    /// What the app lets the file's log grow to, in bytes.
    var logLimit: Int? { pragmas.value(of: "journal_size_limit").flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }

    /// As many connections as an app asks for; without a word, as many as the machine has processors, but two to eight.
    static func most(_ options: [AnyHashable: Any]?) -> Int {
        if let asked = options?[NSPersistentStoreConnectionPoolMaxSizeKey] {
            return max(0, (asked as? NSNumber)?.intValue ?? asked as? Int ?? 0)
        }
        return min(8, max(2, ProcessInfo.processInfo.activeProcessorCount))
    }

    /// A connection that can only read.
    func connection(for purpose: ReadPurpose) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: url.path, access: .readOnly, timeout: timeout)
        try pragmas.apply(toReader: connection, for: purpose)
        try connection.registerQueryFunctions()
        return connection
    }
}

extension SQLiteConnection {
    /// Makes everything known that translated fetches call.
    func registerQueryFunctions() throws {
        try SQLFunction.all.forEach { try register($0) }
        try SQLCollation.all.forEach { try register($0) }
    }
}

/// The tables that a database really has.
package struct SQLiteTables {
    package let columns: [String: [SQLTableColumn]]
    /// `Z_ENT` by name.
    package let numbers: [String: Int64]
    /// The virtual tables that can be read.
    let virtualTables: Set<String>

    package static func read(_ connection: SQLiteConnection) throws -> SQLiteTables {
        var numbers: [String: Int64] = [:]
        let entities = try connection.newStatement(SQLStoreTables.entities)
        while try entities.step() {
            if let name = entities.text(0) { numbers[name] = entities.int(1) }
        }
        try refuseViews(connection)
        return SQLiteTables(
            columns: try connection.columnsByTable(), numbers: numbers, virtualTables: try virtualTables(of: connection)
        )
    }

    /// A library without R-trees can't read them, nor can it ask for more than their names.
    private static func virtualTables(of connection: SQLiteConnection) throws -> Set<String> {
        let statement = try SQLiteStatement(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'", on: connection)
        var names: Set<String> = []
        while try statement.step() {
            guard let name = statement.text(0) else { continue }
            let probe = try? SQLiteStatement("SELECT 1 FROM \(name.quotedForSQL) LIMIT 0", on: connection)
            if probe != nil { names.insert(name) }
        }
        return names
    }

    /// Refuses a view in a table's place: it may yield rows without end, and nothing can be saved to it.
    package static func refuseViews(_ connection: SQLiteConnection) throws {
        let views = try connection.text(
            "SELECT group_concat(name, ', ') FROM sqlite_master WHERE type = 'view' AND (name GLOB 'Z_[0-9]*' "
                + "OR upper(name) IN (SELECT 'Z' || upper(Z_NAME) FROM Z_PRIMARYKEY))")
        guard let views else { return }
        throw NSError.cocoa(
            259, "The file “\((connection.path as NSString).lastPathComponent)” is not a Core Data store.",
            reason: "Where an entity's table should be, there is a view: \(views).",
            userInfo: [NSFilePathErrorKey: connection.path])
    }

    /// Whether there is an index for full-text search, be it of another model.
    var hasSearchTables: Bool { virtualTables.contains { $0.hasPrefix(SQLSearchTable.prefix) } }

    func schema(of model: StoreModel) -> SQLSchema {
        SQLSchema.fitted(
            to: columns, numbers: numbers, layouts: model.layouts, entities: model.entities,
            virtualTables: virtualTables)
    }
}
