import CoreData
import Foundation

/// A private copy of a store, to try on it what a command would do. It is gone with this object.
///
/// Large values in files of their own stay where they are: what is tried does not read them.
final class ScratchCopy {
    let url: URL
    private let folder: URL

    /// - Throws: ``CommandFailure`` where it can't be made.
    init(of original: URL) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-" + UUID().uuidString)
        url = folder.appendingPathComponent(original.lastPathComponent)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for suffix in ["", "-wal", "-journal"] {
                guard FileManager.default.fileExists(atPath: original.path + suffix) else { continue }
                try FileManager.default.copyItem(atPath: original.path + suffix, toPath: url.path + suffix)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path + suffix)
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw CommandFailure(
                .other, "The store can't be copied to \(folder.path): \(whole: CommandFailure(error).message)")
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
