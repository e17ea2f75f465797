import CoreData
import Foundation
import StoreBrowsing

/// A copy of a store's file beside it, made before the first save.
struct StoreBackup: Sendable {
    private let place: StorePlace

    init(of place: StorePlace) { self.place = place }

    /// Copies the store, with its log and its external files.
    ///
    /// - Returns: Where the copy is; nil for a database, whose server has backups of its own.
    /// - Throws: `unwritable-file`; the store is not changed then.
    func make(_ coordinator: NSPersistentStoreCoordinator, now: Date = Date()) throws -> String? {
        guard case .file(let url) = place else { return nil }
        let copy = url.deletingLastPathComponent().appendingPathComponent(name(url, now))
        do {
            try coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: url, type: .sqlite)
            return copy.path
        } catch {
            throw StudioError(
                .unwritableFile, "Nothing is saved: the backup can't be made. \(ToolFailure(error).message)")
        }
    }

    /// `League backup 2026-11-27 20.15.03.sqlite`
    private func name(_ url: URL, _ now: Date) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: .current)
        let day = now.formatted(style.year().month().day())
        let time = now.formatted(style.time(includingFractionalSeconds: false)).replacing(":", with: ".")
        let ending = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
        return "\(url.deletingPathExtension().lastPathComponent) backup \(day) \(time)\(ending)"
    }
}
