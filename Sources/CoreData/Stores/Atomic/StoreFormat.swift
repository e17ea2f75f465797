import Foundation

/// How a store that is in memory as a whole is written to a file.
protocol StoreFormat: Sendable {
    /// The type of the stores.
    var type: String { get }

    /// Whether a file with these first bytes is of the format.
    func recognizes(_ head: Data) -> Bool

    /// What a file says of itself.
    ///
    /// - Throws: ``DamagedStore``.
    func label(of file: Data) throws -> StoreLabel

    /// What is in a file.
    ///
    /// - Throws: ``DamagedStore``.
    func content(of file: Data, _ model: StoreModel) throws -> LoadedStore

    /// - Throws: ``UnwritableStore`` for a value that the format can't hold.
    func data(of store: LoadedStore, _ model: StoreModel) throws -> Data

    /// The same file with another label.
    ///
    /// - Throws: ``DamagedStore``; ``UnwritableStore``.
    func data(of file: Data, labelled label: StoreLabel) throws -> Data

    /// The keyed archive of the model that made the store; nil where the format has none.
    ///
    /// - Throws: ``DamagedStore``.
    func modelArchive(of file: Data) throws -> Data?

    /// Whether keys are counted for all entity trees together.
    var countsKeysTogether: Bool { get }

    /// The first key that a new store gives.
    var firstKey: Int64 { get }

    /// Whether the file holds the versions of its rows. Else a row that another process changed is told by its values.
    var keepsVersions: Bool { get }
}

/// A store's UUID and its other metadata.
struct StoreLabel {
    var identifier: String
    var metadata: [String: Any]

    /// What an app sees.
    func published(type: String) -> [String: Any] {
        metadata.merging([NSStoreUUIDKey: identifier, NSStoreTypeKey: type]) { $1 }
    }
}

/// What was read of a file.
struct LoadedStore {
    var label: StoreLabel
    var content: AtomicContent
    /// What else there was in the file, which is written again.
    var remainder: (any Sendable)?
}

/// A file is not what it should be; the sentence says where.
struct DamagedStore: Error {
    let sentence: String
    init(_ sentence: String) { self.sentence = sentence }
}

/// A format can't hold a value; the sentence says which.
struct UnwritableStore: Error {
    let sentence: String
    init(_ sentence: String) { self.sentence = sentence }
}

extension StoreFile {
    /// Runs `body`, with what formats report as Cocoa errors: 259 and 134030.
    func cocoa<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let damage as DamagedStore {
            throw error(
                CocoaError.Code.fileReadCorruptFile.rawValue,
                "The file “\(url.lastPathComponent)” is no store of this type, or is damaged.", reason: damage.sentence)
        } catch let failure as UnwritableStore {
            throw error(
                NSPersistentStoreSaveError, "The store “\(url.lastPathComponent)” could not be written.",
                reason: failure.sentence)
        }
    }
}
