import Foundation

/// Migrates a store in its file: one transaction of SQL, which loads no object.
///
/// A process that is killed, and a power cut, leave the store as it was or as it is to be. Files of external storage
/// that no row names any more go after the commit.
package struct SQLiteMigration {
    let url: URL
    let mapping: InferredMapping
    /// The model that the store is to have.
    let model: StoreModel
    let options: [AnyHashable: Any]?
    /// Told before each statement, and at the end.
    var observer: Observer?

    /// - Parameters:
    ///   - statement: What runs next, with its values; nil at the end. It is asked for by those that show it.
    ///   - done: How many statements have run.
    ///   - total: How many there are, as far as that is known.
    package typealias Observer = (_ statement: () -> String?, _ done: Int, _ total: Int) -> Void

    package init(
        url: URL, mapping: InferredMapping, model: StoreModel, options: [AnyHashable: Any]?,
        observer: Observer? = nil
    ) {
        (self.url, self.mapping, self.model) = (url, mapping, model)
        (self.options, self.observer) = (options, observer)
    }

    /// - Throws: 134190 where rows stand against the migration; 134111 where they break a uniqueness constraint of the
    ///   new model; what SQLite reports.
    package func run() throws {
        try SQLiteFile.cocoa(url) { try SQLiteFile.check(url) }
        let outcome = try SQLiteFile.cocoa(url, isOpening: false) {
            let connection = try open()
            defer { connection.close() }
            do {
                return try connection.write { try migrate(connection) }
            } catch let error as SQLiteError where error.isUniqueViolation {
                throw violation(error)
            }
        }
        outcome.losses.forEach(tell)
        guard let folder else { return }
        // A file that can't be removed does no harm.
        for name in outcome.files { try? DurableFile.remove(folder.appendingPathComponent(name)) }
    }

    private func tell(_ loss: String) {
        FileHandle.standardError.write(
            Data("CoreData: warning: The store \(url.lastPathComponent) was migrated. \(loss)\n".utf8))
    }

    /// Rows that a uniqueness constraint of the new model does not allow.
    private func violation(_ error: SQLiteError) -> NSError {
        .cocoa(
            NSMigrationConstraintViolationError, "Rows of the store violate a uniqueness constraint of the model.",
            reason: error.message, userInfo: [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error])
    }

    /// Whether indexes are left for `finishDeferredLightweightMigration()`.
    private var isDeferred: Bool {
        (options?[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? NSNumber)?.boolValue ?? false
    }

    private var folder: URL? { url.path == "/dev/null" ? nil : ExternalFiles.folder(of: url) }

    private func open() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: url.path, access: .readWrite, timeout: SQLiteOpening.timeout(options))
        try SQLitePragmas(options: options).apply(to: connection, isReadOnly: false)
        // Files go after the commit: it must not be lost in a power cut.
        try connection.execute("PRAGMA synchronous = FULL")
        try register(on: connection)
        return connection
    }

    /// Makes the functions known that the statements call.
    func register(on connection: SQLiteConnection) throws {
        try connection.registerQueryFunctions()
        try connection.registerTriggerFunctions { _, _ in }
        let folder = folder
        try connection.register(
            SQLFunction(SQLRoutine.bytes.rawValue, 1) { arguments in
                guard let raw = arguments[0].blob else { return .null }
                guard let data = try ExternalFiles.data(raw, folder: folder) else { return .null }
                return .blob(Data(data))
            })
    }

    /// What a migration leaves to be done after its commit.
    struct Outcome {
        /// The names of the files that no row names any more.
        var files: [String] = []
        /// What the app made by itself and is gone.
        var losses: [String] = []
    }

    func migrate(_ connection: SQLiteConnection) throws -> Outcome {
        let metadata = try SQLiteMetadata.read(connection)
        // Another process may have migrated the store since it was looked at.
        if try isDone(metadata) { return Outcome() }
        let basis = try basis(connection)
        let migration = SQLMigrationPlanner(basis).migration()
        if !migration.added.obstacles.isEmpty { throw InferenceObstacle.error(migration.added.obstacles) }
        var outcome = Outcome(losses: migration.added.losses)
        for (done, step) in migration.steps.enumerated() {
            // The statements of the end are not known yet.
            try run(step, connection, &outcome.files) { observer?($0, done, migration.steps.count + 1) }
        }
        let end = SQLMigrationEnd(
            basis: basis, catalogue: try connection.catalogue(connection.columnsByTable()),
            untouchedTables: migration.untouchedTables, defersIndexes: isDeferred)
        let last = try end.statements()
        let total = migration.steps.count + last.count + migration.added.texts.count
        for (done, tree) in last.enumerated() {
            let statement = try connection.bound(tree)
            observer?({ statement.expandedText }, migration.steps.count + done, total)
            try statement.run()
        }
        try restore(migration.added, connection, of: total)
        try migrateHistory(basis, connection)
        observer?({ nil }, total, total)
        try writeModel(over: metadata, connection)
        return outcome
    }

    /// Makes again what the app had made by itself.
    private func restore(_ parts: SQLAddedParts, _ connection: SQLiteConnection, of total: Int) throws {
        for (place, text) in parts.texts.enumerated() {
            observer?({ text }, total - parts.texts.count + place, total)
            try connection.execute(text)
        }
        if parts.hasPrograms { for statement in SQLAddedParts.check { try connection.run(statement) } }
    }

    private func isDone(_ metadata: SQLiteMetadata) throws -> Bool {
        let stored = metadata.values[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        if stored == model.hashes { return true }
        let known = mapping.sourceModel.entityVersionHashesByName
        guard !stored.isEmpty, stored.allSatisfy({ known[$0.key] == $0.value }) else {
            throw NSError.cocoa(
                NSMigrationMissingSourceModelError, "The store was changed by another process before its migration.",
                reason: "It has another version of the model now. Try again.",
                userInfo: [NSFilePathErrorKey: url.path])
        }
        return false
    }

    func basis(_ connection: SQLiteConnection) throws -> SQLMigrationBasis {
        let tables = try SQLiteTables.read(connection)
        let old = SQLSchema.fitted(
            to: tables.columns, numbers: tables.numbers, layouts: mapping.sourceModel.seal(),
            entities: mapping.sourceEntities, virtualTables: [])
        return SQLMigrationBasis(
            mapping, from: old, to: SQLSchema.derived(from: model.layouts, entities: model.entities),
            try connection.catalogue(tables.columns), connection.dialect)
    }

    /// - Parameter willRun: Told what changes the store next.
    private func run(
        _ step: SQLMigration.Step, _ connection: SQLiteConnection, _ files: inout [String],
        _ willRun: (() -> String?) -> Void
    ) throws {
        switch step {
        case .run(let tree):
            let statement = try connection.bound(tree)
            willRun { statement.expandedText }
            try statement.run()
        case .check(let obstacle, let count):
            let statement = try connection.bound(.select(count))
            guard try statement.step() else { return }
            let rows = statement.int(0)
            statement.reset()
            if rows > 0 { throw obstacle.refusal(rows: rows) }
        case .discard(let values):
            let statement = try connection.bound(.select(values))
            while try statement.step() {
                if let name = statement.blob(0).flatMap({ ExternalFiles.fileName(in: $0) }) { files.append(name) }
            }
        }
    }

    // MARK: The model

    private func writeModel(over metadata: SQLiteMetadata, _ connection: SQLiteConnection) throws {
        var values = metadata.values
        let published = model.metadata(type: NSSQLiteStoreType)
        for (key, value) in published where key != NSStoreTypeKey && key != "_NSAutoVacuumLevel" {
            values[key] = value
        }
        if isDeferred { values[NSPersistentStoreDeferredLightweightMigrationOptionKey] = NSNumber(value: true) }
        try SQLiteMetadata.write(values, identifier: metadata.identifier ?? "", to: connection)
        try connection.run(SQLStoreTables.modelRemoval)
        try SQLiteMetadata.writeModelCache(model.archive(), to: connection)
    }
}

extension SQLiteConnection {
    /// A statement with its values bound.
    func bound(_ tree: SQLStatement) throws -> SQLiteStatement {
        var writer = SQLWriter(dialect: dialect)
        writer.statement(tree)
        let statement = try SQLiteStatement(writer.text, on: self)
        for (index, value) in writer.bindings.enumerated() { value.bind(to: statement, Int32(index + 1)) }
        return statement
    }

    /// Runs a statement that yields no rows, once.
    func run(_ tree: SQLStatement) throws { try bound(tree).run() }
}
