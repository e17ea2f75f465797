import Foundation

/// A store that is in memory as a whole, and in a file that each save replaces.
final class FileStore: NSPersistentStore, AtomicObjectStore, @unchecked Sendable {
    // Unchecked like its superclass: what changes is under `stateLock`; saves come under the coordinator's lock.

    let layouts: ModelLayout
    package var writeLock = NSRecursiveLock()
    private let format: any StoreFormat
    private let check: VersionCheck
    private let derivations: RowDerivations
    private let stateLock = NSLock()
    private var state: State

    private struct State {
        var file: StoreFile
        var store: LoadedStore
        /// The file that ``store`` was read from, or written to.
        var stamp: FileStamp?
        var counter: KeyCounter
        /// Whether a save has computed all derived attributes since the file was read.
        var isDerived = false
        /// Whether the store is still to be made, by its first save.
        var isUnmade = false
        var isOpen = true
        /// How often the app has set the metadata, and how many of these edits are written.
        var metadataEdits = 0
        var savedEdits = 0

        /// That of a store without objects, whose file is not there yet.
        static func new(_ file: StoreFile, _ format: any StoreFormat, _ model: StoreModel) -> State {
            let label = StoreLabel(identifier: UUID().uuidString, metadata: model.metadata(type: format.type))
            return State(
                file: file, store: LoadedStore(label: label, content: AtomicContent()), counter: .of(file.url),
                isUnmade: true)
        }
    }

    /// Opens a store, or makes it where there is no file or an empty one.
    ///
    /// - Parameter makesFileLater: Whether the first save makes the file. There must be none then, or an empty one.
    /// - Throws: 134100 where another model version made the store; 259 where the file is no store or is damaged; 257,
    ///   260, 512 and 513 where it can't be reached; 134020 for a derived attribute that no store can keep.
    init(
        _ format: any StoreFormat, _ model: StoreModel, configurationName: String?, at url: URL,
        options: [AnyHashable: Any]?, makesFileLater: Bool = false
    ) throws {
        (self.format, layouts) = (format, model.layouts)
        derivations = try RowDerivations(model.layouts)
        check = VersionCheck(model, options)
        state =
            makesFileLater
            ? .new(StoreFile(url), format, model) : try FileStore.open(StoreFile(url), format, check)
        super.init(configurationName: configurationName, url: url, options: options)
        token.identifier = state.store.label.identifier
    }

    package override init(configurationName: String?, url: URL?, options: [AnyHashable: Any]?) {
        defect("A store in a file is opened with a model.")
    }

    override var type: String { format.type }

    // MARK: Opening

    private static func open(
        _ file: StoreFile, _ format: any StoreFormat, _ check: VersionCheck
    ) throws -> State {
        if try file.isFree, !check.isReadOnly, let new = try create(file, format, check.model) { return new }
        let stamp = try file.stamp
        let data = try file.read()
        return try file.cocoa {
            try check.run(format.label(of: data).published(type: format.type), file)
            let store = try format.content(of: data, check.model)
            return State(file: file, store: store, stamp: stamp, counter: .of(file.url))
        }
    }

    /// - Returns: Nil where another process has made a file meanwhile.
    private static func create(_ file: StoreFile, _ format: any StoreFormat, _ model: StoreModel) throws -> State? {
        try file.checkPlace()
        var state = State.new(file, format, model)
        let data = try file.cocoa { try format.data(of: state.store, model) }
        guard let stamp = try file.create(with: data) else { return nil }
        (state.stamp, state.isUnmade) = (stamp, false)
        return state
    }

    func reopen(at url: URL, model: StoreModel) throws {
        let file = StoreFile(url)
        _ = try file.read()
        let opened = try Self.open(file, format, VersionCheck(model, options))
        stateLock.withLock { state = opened }
        token.identifier = opened.store.label.identifier
        self.url = url
    }

    func close() throws { stateLock.withLock { state.isOpen = false } }

    // MARK: Metadata

    override var metadata: [String: Any]! {
        get {
            let metadata = stateLock.withLock { state.store.label.metadata }
            return StoreLabel(identifier: token.identifier, metadata: metadata).published(type: type)
        }
        set {
            let metadata = newValue ?? [:]
            let given = metadata[NSStoreUUIDKey] as? String ?? ""
            if !given.isEmpty, given != token.identifier { token.identifier = given }
            stateLock.withLock {
                state.store.label.metadata = StoreMetadata.completed(
                    metadata.filter { $0.key != NSStoreUUIDKey }, from: state.store.label.metadata)
                state.metadataEdits += 1
            }
        }
    }

    var hasUnsavedMetadata: Bool { stateLock.withLock { state.metadataEdits != state.savedEdits } }

    // MARK: Reading

    func reader() throws -> AtomicReader {
        let content = try stateLock.withLock {
            guard state.isOpen else { throw StoreIsClosed() }
            try reloadIfChanged()
            return state.store.content
        }
        return AtomicReader(content: content, layouts: layouts, token: token) { [unowned self] in objectID(at: $0) }
    }

    /// Reads the file again if another process, or another coordinator, has replaced it. Under the lock.
    private func reloadIfChanged() throws {
        let (file, old) = (state.file, state.store)
        guard let stamp = try file.stamp, stamp != state.stamp else { return }
        let data = try file.read()
        var new = try file.cocoa {
            try check.run(format.label(of: data).published(type: type), file)
            return try format.content(of: data, check.model)
        }
        if !format.keepsVersions { new.content.takeVersions(from: old.content) }
        if state.metadataEdits != state.savedEdits { new.label = old.label }
        (state.store, state.stamp, state.isDerived) = (new, stamp, false)
    }

    // MARK: Saving

    func allocateKeys(for entity: EntityLayout, count: Int) throws -> Int64 {
        let (content, counter) = stateLock.withLock { (state.store.content, state.counter) }
        let isTogether = format.countsKeysTogether
        let known = isTogether ? content.lastKeys.values.max() : content.lastKeys[entity.rootNumber]
        let first = counter.take(
            count, root: isTogether ? 0 : entity.rootNumber, above: max(known ?? 0, format.firstKey - 1))
        guard let first else {
            throw NSError.cocoa(
                NSPersistentStoreSaveError, "The store “\(url?.lastPathComponent ?? "")” has no keys left.",
                reason: "It has an object of \(entity.name), or had one, with the highest key that there is.",
                userInfo: [NSFilePathErrorKey: url?.path ?? ""])
        }
        return first
    }

    func save(_ changes: StoreChanges, willCommit: () throws -> Void) throws -> [RowSnapshot] {
        guard !isReadOnly else {
            throw NSError.cocoa(
                513, "The store “\(url?.lastPathComponent ?? "")” is read-only.",
                userInfo: [NSFilePathErrorKey: url?.path ?? ""])
        }
        if changes.isEmpty, !hasUnsavedMetadata {
            try willCommit()
            return []
        }
        let file = stateLock.withLock { state.file }
        return try file.locked(timeout: StoreOptions.timeout(options)) {
            try file.cocoa { try write(changes, to: file, willCommit) }
        }
    }

    private func write(
        _ changes: StoreChanges, to file: StoreFile, _ willCommit: () throws -> Void
    ) throws -> [RowSnapshot] {
        var next: LoadedStore
        let (edits, given, isDerived): (Int, [Int32: Int64], Bool)
        (next, edits, given, isDerived) = try stateLock.withLock {
            try reloadIfChanged()
            return (state.store, state.metadataEdits, state.counter.given, state.isDerived)
        }
        next.label.identifier = token.identifier
        // Keys that are counted for all trees together are noted with the first one.
        for (root, key) in given { next.content.noteKey(key, root: max(root, 1)) }
        let rows = try next.content.write(changes, derivations, derivesAll: !isDerived)
        let data = try format.data(of: next, check.model)
        let stamp = try put(data, file, willCommit)
        stateLock.withLock {
            // Metadata that the app has set meanwhile are the next save's.
            if state.metadataEdits != edits { next.label = state.store.label }
            (state.store, state.stamp, state.savedEdits, state.isUnmade) = (next, stamp, edits, false)
            state.isDerived = true
        }
        return rows
    }

    private func put(_ data: Data, _ file: StoreFile, _ willCommit: () throws -> Void) throws -> FileStamp {
        guard stateLock.withLock({ state.isUnmade }) else {
            return try file.replace(with: data, willReplace: willCommit)
        }
        try file.checkPlace()
        try willCommit()
        // Another process may have made a store there meanwhile.
        guard let stamp = try file.create(with: data) else { throw StoreCopy.taken(file.url) }
        return stamp
    }
}

/// How a store is refused that another version of the model made.
private struct VersionCheck {
    let model: StoreModel
    let isReadOnly: Bool
    /// Whether the app takes any version that has the same entities and properties.
    private let isIgnored: Bool

    init(_ model: StoreModel, _ options: [AnyHashable: Any]?) {
        self.model = model
        isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        isIgnored = (options?[NSIgnorePersistentStoreVersioningOption] as? NSNumber)?.boolValue ?? false
    }

    func run(_ metadata: [String: Any], _ file: StoreFile) throws {
        if !isIgnored { try model.check(metadata, path: file.url.path, isReadOnly: isReadOnly) }
    }
}
