import Digests
import Foundation

/// What the page remembers of a store from one start of the studio to the next: columns, titles, filters.
///
/// It is a file in the user's folder for application data, which only the user can read. It has names of entities and
/// properties, and filters with the values in them. Of objects it has nothing. Nothing is lost with it.
struct StoreMemory: Sendable {
    /// More is not kept.
    static let mostBytes = 256 << 10
    private let file: URL
    /// Windows remember at the same time, and each value is to stay.
    private static let writing = NSLock()

    /// - Parameters:
    ///   - store: What identifies the store.
    ///   - folder: Where the files of all stores are.
    init(of store: String, in folder: URL = Self.folder) {
        let digest = Digest.sha256(store.utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        file = folder.appending(path: digest + ".json")
    }

    /// The folder of all that studios keep for a user.
    static var folder: URL {
        // Every user has one.
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
            .appending(path: "coredata-studio")
    }

    /// What is remembered: nothing where there is no file, or one that is damaged.
    func values() -> [String: JSON] {
        guard let data = try? Data(contentsOf: file), data.count <= Self.mostBytes,
            case .object(let values)? = try? JSONDecoder().decode(JSON.self, from: data)
        else { return [:] }
        return values
    }

    /// Remembers values beside the others. One that is null is forgotten.
    ///
    /// - Throws: `tooLarge`; `unwritableFile` with the reason of the system.
    func keep(_ changes: [String: JSON]) throws {
        try Self.writing.withLock {
            let all = values().merging(changes) { $1 }.filter { $0.value != .null }
            try write(JSON.object(all).data())
        }
    }

    private func write(_ data: Data) throws {
        guard data.count <= Self.mostBytes else {
            throw StudioError(.tooLarge, "At most \(Self.mostBytes >> 10) KB are remembered of a store.")
        }
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try data.write(to: file, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        } catch {
            throw StudioError(.unwritableFile, "\(file.path) can't be written: \(error.localizedDescription)")
        }
    }
}
