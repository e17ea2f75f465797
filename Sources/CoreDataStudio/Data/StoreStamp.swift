import Foundation
import StoreBrowsing

/// What the files of a store look like from outside. It is another one after each save.
struct StoreStamp: Equatable, Sendable {
    /// One of the files.
    private struct Part: Equatable, Sendable {
        let number: Int
        let size: Int
        let changed: Date
    }

    private let file: Part?
    private let journal: Part?
    private let log: Part?
    /// The beginning of the log, which is another one when the log begins anew.
    private let logHead: Data

    /// - Returns: Nil for a database.
    init?(of place: StorePlace) {
        guard case .file(let url) = place else { return nil }
        self.init(of: url)
    }

    init(of store: URL) {
        let path = store.resolvingSymlinksInPath().path
        (file, journal, log) = (Self.part(path), Self.part(path + "-journal"), Self.part(path + "-wal"))
        logHead = log == nil ? Data() : Self.head(path + "-wal")
    }

    /// Whether what was copied between two looks is one state of the store. A log that only grew does no harm: what is
    /// not committed in it does not count.
    func isOneState(with later: StoreStamp) -> Bool {
        file == later.file && journal == later.journal && logHead == later.logHead
    }

    private static func part(_ path: String) -> Part? {
        guard let values = try? FileManager.default.attributesOfItem(atPath: path),
            let size = (values[.size] as? NSNumber)?.intValue, let changed = values[.modificationDate] as? Date
        else { return nil }
        return Part(number: (values[.systemFileNumber] as? NSNumber)?.intValue ?? 0, size: size, changed: changed)
    }

    private static func head(_ path: String) -> Data {
        guard let file = FileHandle(forReadingAtPath: path) else { return Data() }
        defer { try? file.close() }
        return (try? file.read(upToCount: 32)) ?? Data()
    }
}
