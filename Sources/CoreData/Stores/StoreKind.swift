import FoundationGaps
import Synchronization

/// A kind of store: how its stores are opened and copied.
///
/// A coordinator finds the kind of a store type in ``StoreKinds``. The coordinator knows nothing else of SQLite, or of
/// any other kind.
package protocol StoreKind: Sendable {
    /// The class of the stores.
    var storeClass: AnyClass { get }

    /// Opens a store, or makes it.
    ///
    /// - Parameter url: The place that `addPersistentStore` got. A kind without files keeps it as the store's `url`.
    func open(
        _ model: StoreModel, configurationName: String?, at url: URL?, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore

    /// Makes a store of this kind that has everything of another store but its UUID.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) where the other store can't be copied; 516 where a file is
    ///   in the way.
    func copy(
        _ source: any ObjectStore, _ model: StoreModel, to url: URL, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore

    /// Whether the stores, opened with ``StoreCopyOption``, are a ``PagedStore``.
    var copiesInPages: Bool { get }
}

extension StoreKind {
    package var copiesInPages: Bool { false }
}

/// A kind with stores that have a place, and what can be done to a place that no coordinator has open.
package protocol PlacedStoreKind: StoreKind {
    /// The schemes of URLs that tell the kind; none for files, whose content tells it.
    var schemes: Set<String> { get }

    /// A URL as it may be shown: without a password.
    func shown(_ url: URL) -> URL

    /// Whether two URLs mean the same place.
    func isSamePlace(_ url: URL, _ other: URL) -> Bool

    /// The metadata of the store at a URL, its UUID and type among it.
    func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any]

    /// Replaces the metadata of the store at a URL. The store keeps its UUID unless the new metadata have one.
    func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws

    /// The keyed archive of the model that made the store at a URL; nil where the store has none.
    func modelArchive(at url: URL, options: [AnyHashable: Any]?) throws -> Data?

    /// Removes all data of the store at a URL; see `destroyPersistentStore(at:ofType:options:)`.
    func destroy(_ url: URL, options: [AnyHashable: Any]?) throws
}

extension PlacedStoreKind {
    package var schemes: Set<String> { [] }

    package func shown(_ url: URL) -> URL { url.withoutPasswords }
}

/// A kind with stores that are files.
package protocol FileStoreKind: PlacedStoreKind {
    /// Whether the stores may be at URLs of something else than files. Without it, such URLs are refused.
    var takesAnyURL: Bool { get }

    /// Whether a file with these first bytes is a store of the kind.
    func recognizes(_ head: Data) -> Bool

    /// Replaces the store at a URL by a copy of another one, which has the other one's UUID.
    ///
    /// - Parameter willReplace: Called when no other process, and no other coordinator, can save to the store any more.
    ///   Where it throws, the store stays as it is. nil: nothing is asked.
    func replace(
        _ url: URL, options: [AnyHashable: Any]?, by source: URL, sourceOptions: [AnyHashable: Any]?,
        willReplace: (() throws -> Void)?
    ) throws

    /// Begins to watch the store at a URL: what others save to it meanwhile must not be replaced.
    func watch(_ url: URL) throws -> any StoreWatch

    /// Whether there is nothing at a URL that a new store would overwrite.
    func isVacant(_ url: URL) throws -> Bool

    /// Puts a closed store in the place of what is at another URL on the same volume, in one step.
    func move(_ temporary: URL, to url: URL) throws
}

extension FileStoreKind {
    package var takesAnyURL: Bool { false }

    package func isSamePlace(_ url: URL, _ other: URL) -> Bool {
        url.standardizedFileURL.resolvingSymlinksInPath() == other.standardizedFileURL.resolvingSymlinksInPath()
            && other.path != "/dev/null"
    }

    package func replace(
        _ url: URL, options: [AnyHashable: Any]?, by source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws {
        try replace(url, options: options, by: source, sourceOptions: sourceOptions, willReplace: nil)
    }
}

/// A look-out for saves of others to a store.
package protocol StoreWatch {
    /// Whether nothing was saved since the watch began. It may be asked while the store is locked to be replaced.
    var isQuiet: Bool { get throws }
}

/// A kind with stores that can become those of another version of their model where they are.
package protocol MigratingStoreKind: PlacedStoreKind {
    /// Makes the store at a URL one of another version of its model: wholly, or it stays as it was.
    ///
    /// - Parameters:
    ///   - mapping: From the model that made the store, without obstacles but those that the rows decide.
    ///   - model: The model that the store is to have.
    /// - Throws: 134190 where rows stand against the migration; 134111 where they break a uniqueness constraint; what
    ///   the store reports.
    func migrate(
        _ url: URL, by mapping: InferredMapping, to model: StoreModel, options: [AnyHashable: Any]?
    ) throws
}

/// A kind with stores whose migrations can be read before they are run.
package protocol PreviewingStoreKind: MigratingStoreKind {
    /// What ``migrate(_:by:to:options:)`` would do. The store stays as it is.
    ///
    /// Statements about the store's own tables are left out.
    func forecast(
        of url: URL, by mapping: InferredMapping, to model: StoreModel, options: [AnyHashable: Any]?
    ) throws -> SQLMigrationForecast
}

/// The kinds of stores, by their types.
package enum StoreKinds {
    /// - Parameter name: The name of the type's constant.
    private static let all = Mutex<[(type: String, name: String, kind: any StoreKind)]>([
        (NSSQLiteStoreType, "NSSQLiteStoreType", SQLiteStoreKind()),
        (NSInMemoryStoreType, "NSInMemoryStoreType", InMemoryStoreKind()),
        (NSXMLStoreType, "NSXMLStoreType", FormatStoreKind(XMLFormat())),
        (NSBinaryStoreType, "NSBinaryStoreType", FormatStoreKind(BinaryFormat())),
    ])

    /// The keyed archive of the model that made the store at a URL; nil where the store has none.
    package static func modelArchive(of type: String, at url: URL) throws -> Data? {
        try placedKind(of: type, at: url).modelArchive(at: url, options: nil)
    }

    /// The kind of the stores at URLs of a scheme; nil for files.
    static func kind(at url: URL) -> (any PlacedStoreKind)? {
        guard let scheme = url.scheme?.lowercased() else { return nil }
        let placed = all.withLock { $0.compactMap { $0.kind as? any PlacedStoreKind } }
        return placed.first { $0.schemes.contains(scheme) }
    }

    /// The kind of a type whose stores are migrated where they are, by statements that can be read first.
    ///
    /// - Throws: 134000 for a type that has no stores with places; 134020 for one whose stores are not migrated so.
    package static func previewingKind(of type: String) throws -> any PreviewingStoreKind {
        if let kind = try placedKind(of: type) as? any PreviewingStoreKind { return kind }
        throw NSError.cocoa(
            NSPersistentStoreIncompatibleSchemaError, "A store of the type \(type) is not migrated where it is.")
    }

    /// What splits texts for full-text search in memory.
    static let textSplitter: any TextSplitter = SQLiteTextSplitter.shared

    /// Adds a kind, which takes the place of one with the same type.
    package static func register(_ kind: any StoreKind, type: String) {
        all.withLock { all in
            all.removeAll { $0.type == type }
            all.append((type, type, kind))
        }
    }

    static func unregister(type: String) { all.withLock { $0.removeAll { $0.type == type } } }

    /// Whether a type is one of the framework's.
    static func isOwn(_ type: String) -> Bool {
        [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType].contains(type)
    }

    /// The classes of stores by their types.
    static var classes: [String: AnyClass] {
        Dictionary(all.withLock { $0 }.map { ($0.type, $0.kind.storeClass) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Throws: `NSPersistentStoreInvalidTypeError` (134000) for a type that there is not.
    static func kind(of type: String) throws -> any StoreKind {
        let all = all.withLock { $0 }
        if let entry = all.first(where: { $0.type == type }) { return entry.kind }
        throw NSError.cocoa(
            NSPersistentStoreInvalidTypeError,
            "There is no store type \"\(type)\"; there are \(all.map(\.name).joined(separator: ", ")).")
    }

    /// - Throws: `NSPersistentStoreInvalidTypeError` (134000) for a type that there is not, or one with stores that
    ///   have no place.
    static func placedKind(of type: String) throws -> any PlacedStoreKind {
        if let kind = try kind(of: type) as? any PlacedStoreKind { return kind }
        throw NSError.cocoa(
            NSPersistentStoreInvalidTypeError, "A store of the type \"\(type)\" is in memory and has no file.")
    }

    /// The kind of the store in a file, by the file's first bytes; nil for a file of no kind.
    static func fileKind(at url: URL) -> (any FileStoreKind)? {
        entry(at: url).flatMap { $0.kind as? any FileStoreKind }
    }

    /// The type of the store in a file, by the file's first bytes; nil for a file of no kind.
    static func type(ofFileAt url: URL) -> String? { entry(at: url)?.type }

    private static func entry(at url: URL) -> (type: String, name: String, kind: any StoreKind)? {
        let head = StoreFile(url).head()
        return all.withLock { $0 }.first { ($0.kind as? any FileStoreKind)?.recognizes(head) ?? false }
    }

    /// - Throws: `NSPersistentStoreInvalidTypeError` (134000) for a type that there is not, or one with stores that
    ///   have no files.
    static func fileKind(of type: String) throws -> any FileStoreKind {
        if let kind = try placedKind(of: type) as? any FileStoreKind { return kind }
        throw NSError.cocoa(
            NSPersistentStoreInvalidTypeError, "A store of the type \"\(type)\" is no file.")
    }
}

extension NSPersistentStore {
    /// Whether this is the store at a URL.
    func isAt(_ url: URL) -> Bool {
        guard let kind = try? StoreKinds.placedKind(of: type), let own = self.url else { return false }
        return kind.isSamePlace(own, url)
    }

    /// The configuration, as it is given to coordinators.
    package var namedConfiguration: String? {
        configurationName == NSPersistentStore.defaultConfigurationName ? nil : configurationName
    }
}
