import CoreData
import Foundation
import StoreInspection

/// A migration by a mapping model: a new store is filled object by object, and takes the old one's place.
struct MappedJob: MigrationJob {
    let kind = "mapping"
    let lines: [MigrationPreview.Line]
    let statements: [String] = []
    let refusal: NSError?
    private let versions: StoreVersions
    private let mapping: NSMappingModel

    /// - Throws: ``CommandFailure``.
    init(_ versions: StoreVersions, mapping path: String) throws {
        self.versions = versions
        let file = try MappingFile(path, versions)
        mapping = file.mapping
        // The classes are the app's.
        let policies = file.compiled.entityMappings.filter { $0.migrationPolicyClassName != nil }
        refusal = policies.first.map {
            .cocoa(
                NSEntityMigrationPolicyError, "The mapping \($0.name) needs the app.",
                reason: "Its policy \($0.migrationPolicyClassName ?? "") is a class of the app.")
        }
        do {
            let inspection = try StoreInspection(contentsOf: versions.url)
            lines = try MappingPreview(file.compiled, versions, inspection).lines
        } catch {
            throw OpenedStore.failure(error)
        }
    }

    func run(_ watch: MigrationWatch) throws {
        let folder = versions.url.deletingLastPathComponent()
            .appendingPathComponent(".\(versions.url.lastPathComponent)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent(versions.url.lastPathComponent)
        versions.registerTransformers()
        let manager = NSMigrationManager(
            sourceModel: versions.source, destinationModel: versions.destination)
        let before = stamp
        let meter = ProgressMeter(manager, watch)
        defer { meter.stop() }
        try manager.migrateStore(
            from: versions.url, type: .sqlite, mapping: mapping, to: copy, type: .sqlite)
        guard stamp == before else {
            throw CommandFailure(.other, "Another process saved to the store while it was migrated; end it first.")
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: versions.destination)
        try coordinator.replacePersistentStore(
            at: versions.url, withPersistentStoreFrom: copy, ofType: NSSQLiteStoreType)
    }

    /// Sizes and times of the store and its log: they change when something is saved.
    private var stamp: [String] {
        ["", "-wal"].map { suffix in
            let file = try? FileManager.default.attributesOfItem(atPath: versions.url.path + suffix)
            let size = (file?[.size] as? NSNumber)?.intValue ?? 0
            // A reader may make an empty log.
            return size == 0 ? "" : "\(size) \((file?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0)"
        }
    }
}

/// Tells how far a migration manager is, five times a second.
private final class ProgressMeter {
    private let timer: DispatchSourceTimer

    init(_ manager: NSMigrationManager, _ watch: MigrationWatch) {
        timer = DispatchSource.makeTimerSource()
        // Unchecked: the watch belongs to the timer until it is stopped.
        nonisolated(unsafe) let watch = watch
        timer.setEventHandler {
            let percent = Int(manager.migrationProgress * 100)
            watch.note({ "\(percent) %" }, done: percent, of: 100)
        }
        timer.schedule(deadline: .now() + 0.2, repeating: 0.2)
        timer.resume()
    }

    /// No call follows.
    func stop() {
        let stopped = DispatchSemaphore(value: 0)
        timer.setCancelHandler { stopped.signal() }
        timer.cancel()
        stopped.wait()
    }
}
