import Foundation

/// Stores in files of a format.
struct FormatStoreKind: FileStoreKind {
    let format: any StoreFormat

    init(_ format: any StoreFormat) { self.format = format }

    var storeClass: AnyClass { FileStore.self }

    func open(
        _ model: StoreModel, configurationName: String?, at url: URL?, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        guard let url else {
            throw NSError.cocoa(NSPersistentStoreOpenError, "A store of type \(format.type) needs a URL.")
        }
        return try FileStore(format, model, configurationName: configurationName, at: url, options: options)
    }

    func copy(
        _ source: any ObjectStore, _ model: StoreModel, to url: URL, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        try StoreCopy.requireFree(url)
        // The file comes with all objects at once.
        let copy = try FileStore(
            format, model, configurationName: source.namedConfiguration, at: url, options: options,
            makesFileLater: true)
        try StoreCopy(from: source, to: copy).run()
        return copy
    }

    // MARK: Looking at files

    func recognizes(_ head: Data) -> Bool { format.recognizes(head) }

    func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        let file = StoreFile(url)
        let data = try file.read()
        return try file.cocoa { try format.label(of: data).published(type: format.type) }
    }

    func modelArchive(at url: URL, options: [AnyHashable: Any]?) throws -> Data? {
        let file = StoreFile(url)
        let data = try file.read()
        return try file.cocoa { try format.modelArchive(of: data) }
    }

    // MARK: Changing files

    func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws {
        let file = StoreFile(url)
        try file.locked(timeout: StoreOptions.timeout(options)) {
            let data = try file.read()
            let new = try file.cocoa {
                var label = try format.label(of: data)
                if let given = metadata[NSStoreUUIDKey] as? String, !given.isEmpty { label.identifier = given }
                label.metadata = StoreMetadata.completed(
                    metadata.filter { $0.key != NSStoreUUIDKey }, from: label.metadata)
                return try format.data(of: data, labelled: label)
            }
            _ = try file.replace(with: new)
        }
    }

    func destroy(_ url: URL, options: [AnyHashable: Any]?) throws {
        let file = StoreFile(url)
        guard let stamp = try file.stamp else { return }
        let isForced = (options?[NSPersistentStoreForceDestroyOption] as? NSNumber)?.boolValue ?? false
        if !isForced || !stamp.isFile {
            let data = try file.read()
            if !data.isEmpty { _ = try file.cocoa { try format.label(of: data) } }
        }
        try file.locked(timeout: StoreOptions.timeout(options)) { try file.remove() }
    }

    func watch(_ url: URL) throws -> any StoreWatch { try FileWatch(url) }

    func replace(
        _ url: URL, options: [AnyHashable: Any]?, by source: URL, sourceOptions: [AnyHashable: Any]?,
        willReplace: (() throws -> Void)?
    ) throws {
        let (file, original) = (StoreFile(url), StoreFile(source))
        let data = try original.read()
        _ = try original.cocoa { try format.label(of: data) }
        try file.checkPlace()
        try file.locked(timeout: StoreOptions.timeout(options)) {
            _ = try file.replace(with: data, willReplace: willReplace ?? {})
        }
    }
}
