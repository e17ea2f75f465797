import Foundation

/// Stores in SQLite files.
struct SQLiteStoreKind: FileStoreKind, MigratingStoreKind {
    var storeClass: AnyClass { SQLiteStore.self }

    var copiesInPages: Bool { true }

    func open(
        _ model: StoreModel, configurationName: String?, at url: URL?, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        guard let url else {
            throw NSError.cocoa(NSPersistentStoreOpenError, "A store of type \(NSSQLiteStoreType) needs a URL.")
        }
        return try SQLiteStore(model: model, configurationName: configurationName, url: url, options: options)
    }

    // MARK: Looking at files

    func recognizes(_ head: Data) -> Bool { head.starts(with: Data("SQLite format 3\0".utf8)) }

    func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        try SQLiteStore.metadata(at: url, options: options)
    }

    func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws {
        try SQLiteStore.setMetadata(metadata, at: url, options: options)
    }

    func modelArchive(at url: URL, options: [AnyHashable: Any]?) throws -> Data? {
        try SQLiteStore.modelArchive(at: url, options: options)
    }

    // MARK: Changing files

    func migrate(
        _ url: URL, by mapping: InferredMapping, to model: StoreModel, options: [AnyHashable: Any]?
    ) throws {
        try SQLiteMigration(url: url, mapping: mapping, model: model, options: options).run()
    }

    func destroy(_ url: URL, options: [AnyHashable: Any]?) throws {
        guard url.path != "/dev/null", try DurableFile.exists(url) else { return }
        do {
            try SQLiteFile.cocoa(url, isOpening: false) {
                try SQLiteCopy.blank(url, timeout: SQLiteOpening.timeout(options))
            }
        } catch {
            guard (options?[NSPersistentStoreForceDestroyOption] as? NSNumber)?.boolValue ?? false else { throw error }
            let files = try ReplacedFiles(of: url, timeout: SQLiteOpening.timeout(options))
            try SQLiteFile.remove(url)
            try files.remove()
        }
    }

    func watch(_ url: URL) throws -> any StoreWatch { try SQLiteFile.cocoa(url) { try SQLiteWatch(url) } }

    func isVacant(_ url: URL) throws -> Bool {
        try SQLiteFile.cocoa(url) { try SQLiteOpening.isVacant(url) }
    }

    /// Files that rows name come before the rows do.
    func move(_ temporary: URL, to url: URL) throws {
        try SQLiteFile.cocoa(temporary) { try SQLiteFile.putLogAway(of: temporary) }
        let replaced = try ReplacedFiles(of: url, timeout: 0)
        let moved = try moveFiles(of: temporary, to: url)
        do {
            // What a blank database has left beside it would be taken for the new one's.
            for suffix in ["-wal", "-shm", "-journal"] {
                try DurableFile.remove(URL(fileURLWithPath: url.path + suffix))
            }
            guard rename(temporary.path, url.path) == 0 else { throw NSError.file(errno, at: url) }
        } catch {
            moved.forEach { try? DurableFile.remove($0) }
            throw error
        }
        try DurableFile.synchronizeFolder(of: url)
        try? replaced.remove(keeping: Set(moved.map(\.lastPathComponent)))
    }

    /// - Returns: The files in their new place. Other files may be there, too.
    private func moveFiles(of temporary: URL, to url: URL) throws -> [URL] {
        let (from, to) = (ExternalFiles.folder(of: temporary), ExternalFiles.folder(of: url))
        let names = try SQLiteCopy.fileNames(in: from)
        if names.isEmpty { return [] }
        try DurableFile.makeFolder(to)
        let moved = names.map { to.appendingPathComponent($0) }
        do {
            for (name, file) in zip(names, moved) {
                let old = from.appendingPathComponent(name)
                guard rename(old.path, file.path) == 0 else { throw NSError.file(errno, at: file) }
            }
            try DurableFile.synchronize(folder: to)
        } catch {
            moved.forEach { try? DurableFile.remove($0) }
            throw error
        }
        try? FileManager.default.removeItem(at: ExternalFiles.support(of: temporary))
        return moved
    }

    func replace(
        _ url: URL, options: [AnyHashable: Any]?, by source: URL, sourceOptions: [AnyHashable: Any]?,
        willReplace: (() throws -> Void)?
    ) throws {
        try SQLiteFile.check(source)
        _ = try metadata(at: source, options: sourceOptions)
        try SQLiteFile.cocoa(source) {
            try SQLiteCopy.read(source, timeout: SQLiteOpening.timeout(sourceOptions)) { connection in
                try SQLiteFile.cocoa(url, isOpening: false) {
                    _ = try SQLiteCopy.write(
                        connection, externalFolder: ExternalFiles.folder(of: source), to: url,
                        timeout: SQLiteOpening.timeout(options), willReplace: willReplace)
                }
            }
        }
    }

    func copy(
        _ source: any ObjectStore, _ model: StoreModel, to url: URL, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        guard try SQLiteFile.isEmpty(url) else {
            throw NSError.cocoa(
                CocoaError.Code.fileWriteFileExists.rawValue,
                "There is a file at “\(url.path)” already; destroy the store there, or choose another place.",
                userInfo: [NSFilePathErrorKey: url.path])
        }
        let isFile = url.path != "/dev/null"
        var copied: [URL] = []
        do {
            let sqlite = source as? SQLiteStore
            if let sqlite {
                if isFile { copied = try write(sqlite, to: url, options: options) }
            } else if isFile {
                try copyRows(source, model, to: url, options: options)
            }
            let copy = try SQLiteStore(
                model: model, configurationName: source.namedConfiguration, url: url, options: options)
            if !isFile, sqlite == nil { try StoreCopy(from: source, to: copy).run() }
            return copy
        } catch {
            if isFile { try? SQLiteFile.remove(url) }
            // Another store may have its files in the same folder: one whose name differs by its extension alone.
            copied.forEach { try? DurableFile.remove($0) }
            throw error
        }
    }

    /// Makes a file with the objects of a store of another kind.
    private func copyRows(
        _ source: any ObjectStore, _ model: StoreModel, to url: URL, options: [AnyHashable: Any]?
    ) throws {
        var options = options ?? [:]
        options[StoreCopyOption] = source.token.identifier
        let copy = try SQLiteStore(
            model: model, configurationName: source.namedConfiguration, url: url, options: options)
        _ = try PagedCopy(from: source, to: copy).run(compares: false)
        try copy.close()
    }

    /// - Returns: The files of external data that are new.
    private func write(_ source: SQLiteStore, to url: URL, options: [AnyHashable: Any]?) throws -> [URL] {
        let copied = try source.cocoa {
            try SQLiteCopy.write(
                source.connection, externalFolder: source.externalFolder, to: url,
                timeout: SQLiteOpening.timeout(options))
        }
        var metadata = source.metadata ?? [:]
        metadata[NSStoreUUIDKey] = UUID().uuidString
        metadata[NSStoreTypeKey] = NSSQLiteStoreType
        do { try setMetadata(metadata, at: url, options: options) } catch {
            copied.forEach { try? DurableFile.remove($0) }
            throw error
        }
        return copied
    }
}

/// Stores in memory: private databases of SQLite without a file.
struct InMemoryStoreKind: StoreKind {
    var storeClass: AnyClass { SQLiteStore.self }

    func open(
        _ model: StoreModel, configurationName: String?, at url: URL?, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        try SQLiteStore(inMemory: model, configurationName: configurationName, url: url, options: options)
    }

    func copy(
        _ source: any ObjectStore, _ model: StoreModel, to url: URL, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        guard let source = source as? SQLiteStore else { return try copyRows(source, model, to: url, options) }
        if source.externalFolder != nil, try !source.cocoa({ try source.connection.namedFiles() }).isEmpty {
            throw NSError.cocoa(
                NSPersistentStoreOperationError, "The store can't be moved into memory.",
                reason: "Attributes with external storage have values in files beside the store.")
        }
        let copy = try SQLiteStore(
            inMemory: model, configurationName: source.namedConfiguration, url: url, options: options)
        try source.cocoa { try SQLiteCopy.overwrite(copy.connection, with: source.connection) }
        copy.metadata = source.metadata.filter { $0.key != NSStoreUUIDKey }
        return copy
    }

    private func copyRows(
        _ source: any ObjectStore, _ model: StoreModel, to url: URL, _ options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        let copy = try SQLiteStore(
            inMemory: model, configurationName: source.namedConfiguration, url: url, options: options)
        try StoreCopy(from: source, to: copy).run()
        return copy
    }
}
