import CoreData
import Foundation
import StoreInspection

/// What is wrong with a folder whose stores are closed.
enum Soundness {
    /// - Parameters:
    ///   - files: The names that files may have; those of external data apart.
    ///   - isAfterCrash: Whether a crash may have left something that does no harm: external files that no value names,
    ///     an empty journal, the beginning of a file that is written anew.
    static func problems(
        in folder: URL, _ scenario: Scenario, files: Set<String>, isAfterCrash: Bool
    ) throws -> [String] {
        var found = try names(in: folder).filter { !files.contains($0) && !(isAfterCrash && isHarmless($0)) }.sorted()
            .map { "the file \($0) is left" }
        for name in scenario.stores {
            found += try problems(ofStore: folder.appendingPathComponent(name), scenario.models(), isAfterCrash)
        }
        return found
    }

    /// - Parameter path: From the folder on.
    private static func isHarmless(_ path: String) -> Bool {
        let name = (path as NSString).lastPathComponent
        // A store that a migration was making beside its place.
        if path.hasPrefix("."), path.contains(/-[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/) { return true }
        return ["-journal", "-wal", "-shm"].contains { name.hasSuffix($0) }
            || name.hasPrefix(".") && name.hasSuffix(".new")
    }

    private static func problems(
        ofStore url: URL, _ models: [NSManagedObjectModel], _ isAfterCrash: Bool
    ) throws -> [String] {
        // Files of other kinds are read as a whole when they are opened, and binary ones have checksums.
        guard FileManager.default.fileExists(atPath: url.path), Stage.type(of: url.lastPathComponent) == .sqlite else {
            return []
        }
        let inspection = try StoreInspection(contentsOf: url)
        guard inspection.isStore else { return [] }
        let hashes = try inspection.metadata().values[NSStoreModelVersionHashesKey] as? [String: Data]
        let model = models.first { $0.entityVersionHashesByName == hashes }
        return StoreCheck(inspection, model: model).run()
            .filter { !isAfterCrash || $0.kind != .orphanedExternalFile }.map { "\(url.lastPathComponent): \($0)" }
    }

    /// The paths of all files below a folder, except those of external data. Folders do not count.
    static func names(in folder: URL) throws -> Set<String> {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Set(
            paths.filter { path in
                let isData =
                    path.contains("/_EXTERNAL_DATA/") && UUID(uuidString: (path as NSString).lastPathComponent) != nil
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: folder.path + "/" + path, isDirectory: &isFolder)
                return !isFolder.boolValue && !isData
            })
    }
}
