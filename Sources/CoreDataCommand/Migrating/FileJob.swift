import CoreData
import Foundation
import StoreBrowsing
import StoreInspection

/// A lightweight migration of a store in an XML or a binary file: object by object, into a new file.
struct FileJob: MigrationJob {
    let kind = "lightweight"
    let lines: [MigrationPreview.Line]
    let statements: [String] = []
    let refusal: NSError?
    private let versions: StoreVersions
    private let mapping: NSMappingModel
    private let configuration: String?

    /// - Throws: ``CommandFailure``.
    init(_ versions: StoreVersions, configuration: String?) throws {
        (self.versions, self.configuration) = (versions, configuration)
        do {
            let inferred = InferredMapping(
                from: versions.source, entities: versions.heldEntities, to: versions.destination,
                entities: try versions.storeModel(configuration: configuration).entities)
            mapping = NSMappingModel(inferred)
            let preview = try versions.counting(inferred) { try MigrationPreview(of: $0, by: inferred) }
            guard !preview.isRefused else {
                (lines, refusal) = (preview.lines, InferenceObstacle.error(inferred.obstacles))
                return
            }
            let failure = versions.failure(of: mapping, configuration: configuration)
            (lines, refusal) = (preview.lines + (failure.map { [Self.line($0)] } ?? []), failure)
        } catch {
            throw OpenedStore.failure(error)
        }
    }

    private static func line(_ failure: NSError) -> MigrationPreview.Line {
        MigrationPreview.Line(
            kind: .refusal, entity: "Store", property: nil,
            message: failure.localizedFailureReason ?? failure.localizedDescription)
    }

    func run(_ watch: MigrationWatch) throws {
        try versions.migrate(by: mapping, configuration: configuration, watch)
    }
}

extension StoreVersions {
    /// Migrates the store where it is, object by object: wholly, or it stays as it was.
    func migrate(by mapping: NSMappingModel, configuration: String? = nil, _ watch: MigrationWatch) throws {
        var meter: ProgressMeter?
        defer { meter?.stop() }
        try migrator.migrate(by: mapping, configuration: configuration) { manager in
            meter = ProgressMeter(manager, watch)
            return nil
        }
    }

    /// What stands in the rows against a migration: it is tried in another folder, and the store stays as it is.
    func failure(of mapping: NSMappingModel, configuration: String?) -> NSError? {
        registerTransformers()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-" + UUID().uuidString)
        let copy = folder.appendingPathComponent(url.lastPathComponent)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.copyItem(at: url, to: copy)
            try NSMigrationManager(sourceModel: source, destinationModel: destination)
                .migrateStore(at: copy, type: type.rawValue, mapping: mapping, configuration: configuration)
            return nil
        } catch {
            return error as NSError
        }
    }
}
