import Digests
import Foundation
import StoreBrowsing

/// What would be lost if the program ended now, of the staged changes of one store: a folder in the user's folder for
/// application data. Only the user can read it.
///
/// It has a file with the changes, which is replaced in one step, and beside it a file for each large value. It does
/// not lie beside the store: a database has no such place, and others may read the folder of a file.
final class StagedJournal: Sendable {
    /// As many studios as may edit a store at once with a journal each.
    private static let slots = 8
    /// A larger file is none of ours.
    private static let mostBytes = 1 << 30

    let folder: URL
    private let lock: DocumentLock

    /// Takes the journal of a store: one that an earlier run left, or else a new one.
    ///
    /// - Parameters:
    ///   - name: The path of the store, or its URL without a password.
    ///   - parent: Where the journals of all stores are.
    /// - Throws: `inUse` if other studios have all of them; `unwritableFile`.
    init(ofStore name: String, in parent: URL = StoreMemory.folder.appending(path: "journals")) throws {
        let digest = Digest.sha256(Data(name.utf8)).hexadecimal
        let folders = (1...Self.slots).map { parent.appending(path: "\(digest)-\($0)") }
        let left = folders.filter { FileManager.default.fileExists(atPath: Self.file(in: $0).path) }
        for folder in left + folders {
            do { try PrivateFile.makeFolder(folder) } catch {
                throw StudioError(
                    .unwritableFile, "\(folder.path) can't be written: \(error.localizedDescription)")
            }
            guard let lock = try? DocumentLock(folder) else { continue }
            (self.folder, self.lock) = (folder, lock)
            return
        }
        throw StudioError(.inUse, "\(Self.slots) studios change this store already.")
    }

    private static func file(in folder: URL) -> URL { folder.appending(path: "changes.json") }
    private var file: URL { Self.file(in: folder) }
    private var values: URL { folder.appending(path: "values") }

    var isThere: Bool { FileManager.default.fileExists(atPath: file.path) }

    /// What an earlier run left; nil for what can't be read.
    func read() -> StagedEntry? {
        let size = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? Int ?? .max
        guard size <= Self.mostBytes, let data = try? Data(contentsOf: file),
            let entry = try? JSONDecoder().decode(StagedEntry.self, from: data), entry.format == 1
        else { return nil }
        return entry
    }

    /// The bytes of a large value; nil where there are none.
    func value(_ digest: String) -> Data? {
        guard digest.count == 64, digest.allSatisfy(\.isHexDigit) else { return nil }
        return try? Data(contentsOf: values.appending(path: digest))
    }

    /// Gives what can't be read another name: a later release may read it.
    func putAside() -> URL {
        let place = folder.appending(path: "changes.unread.json")
        for (from, to) in [(file, place), (values, folder.appending(path: "values.unread"))] {
            try? FileManager.default.removeItem(at: to)
            try? FileManager.default.moveItem(at: from, to: to)
        }
        return place
    }

    /// Replaces what the journal says. When this returns, it is on the disk, not in a cache.
    ///
    /// - Throws: `unwritableFile`.
    func write(_ snapshot: StagedSnapshot) throws {
        do {
            try PrivateFile.makeFolder(values)
            for (digest, data) in snapshot.files {
                let url = values.appending(path: digest)
                if !FileManager.default.fileExists(atPath: url.path) { try Self.replace(url, with: data) }
            }
            try Self.replace(file, with: JSONEncoder().encode(snapshot.entry))
            removeValues(except: Set(snapshot.files.keys))
        } catch {
            throw StudioError(.unwritableFile, "\(folder.path) can't be written: \(error.localizedDescription)")
        }
    }

    private static func replace(_ url: URL, with data: Data) throws {
        try Drafts(besideDocument: url).replace(url, with: data, permissions: 0o600)
    }

    private func removeValues(except kept: Set<String>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: values.path)) ?? [] where !kept.contains(name)
        {
            try? FileManager.default.removeItem(at: values.appending(path: name))
        }
    }

    /// Removes what it says.
    func remove() {
        guard isThere else { return }
        try? FileManager.default.removeItem(at: file)
        try? FileManager.default.removeItem(at: values)
    }

    /// Removes its folder, if nothing is in it: the studio ends.
    func end() { if !isThere { rmdir(folder.path) } }
}
