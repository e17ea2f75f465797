import CoreData
import Foundation

/// A private copy of a store in a file, to try on it what a command would do. It is gone with this object.
///
/// Large values in files of their own stay where they are: what is tried does not read them. A store in a database is
/// copied object by object.
package final class ScratchCopy {
    package let url: URL
    private let folder: URL

    /// - Throws: ``ToolFailure`` where it can't be made.
    package init(of place: LiveStore.Place) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-" + UUID().uuidString)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            switch place.store {
            case .file(let original):
                url = folder.appendingPathComponent(original.lastPathComponent)
                try Self.copyFiles(of: original, to: url)
            case .database:
                url = folder.appendingPathComponent("Copy.sqlite")
                let store = try LiveStore(place, for: .reading)
                try store.copy(to: .file(url), type: .sqlite)
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw ToolFailure(
                .other, "The store can't be copied to \(folder.path): \(whole: ToolFailure(error).message)")
        }
    }

    /// Copies a file with its large values, so that the copy can be migrated.
    ///
    /// - Throws: ``ToolFailure`` where it can't be made.
    package init(ofFile original: URL) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-" + UUID().uuidString)
        url = folder.appendingPathComponent(original.lastPathComponent)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Self.copyFiles(of: original, to: url)
            let values = ".\(original.deletingPathExtension().lastPathComponent)_SUPPORT"
            let path = original.deletingLastPathComponent().appendingPathComponent(values).path
            guard FileManager.default.fileExists(atPath: path) else { return }
            try FileManager.default.copyItem(atPath: path, toPath: folder.appendingPathComponent(values).path)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw ToolFailure(
                .other, "The store can't be copied to \(folder.path): \(whole: ToolFailure(error).message)")
        }
    }

    private static func copyFiles(of original: URL, to url: URL) throws {
        for suffix in ["", "-wal", "-journal"] {
            guard FileManager.default.fileExists(atPath: original.path + suffix) else { continue }
            try FileManager.default.copyItem(atPath: original.path + suffix, toPath: url.path + suffix)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path + suffix)
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
