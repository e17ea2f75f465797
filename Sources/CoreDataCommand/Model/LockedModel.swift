import CoreData
import Foundation
import ModelArchive
import ModelDocument
import StoreBrowsing

/// A model on disk together with the lock file beside it.
struct LockedModel {
    let source: ModelSource
    /// The lock file's place: `League.modellock` beside `League.xcdatamodeld`.
    let lockURL: URL
    /// What the lock file says; nil where there is none.
    let lock: ModelLock?

    /// - Throws: ``CommandFailure`` where there is no model, or the lock file is damaged.
    init(path: String) throws {
        let url = URL(fileURLWithPath: path)
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CommandFailure(.missingFile, "There is no file at \(path).")
        }
        source = try ModelAtPath.reporting { try ModelSource(contentsOf: url) }
        let lockURL = url.deletingPathExtension().appendingPathExtension("modellock")
        self.lockURL = lockURL
        guard FileManager.default.fileExists(atPath: lockURL.path) else {
            lock = nil
            return
        }
        do {
            let data = try Data(contentsOf: lockURL)
            lock = try ModelLock(text: String(decoding: data, as: UTF8.self))
        } catch {
            let reason = CommandFailure(error).message
            throw CommandFailure(.damaged, "\(lockURL.lastPathComponent): \(whole: reason)")
        }
    }

    /// The versions by name, each as a lock has it.
    ///
    /// - Throws: ``CommandFailure`` for a version that can't be read or has no hashes.
    func versions(_ names: some Sequence<String>) throws -> [String: ModelLock.Version] {
        var versions: [String: ModelLock.Version] = [:]
        for name in names {
            versions[name] = try ModelAtPath.reporting { try ModelLock.Version(source.document(version: name)) }
        }
        return versions
    }
}
