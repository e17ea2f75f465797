import CoreData
import Foundation
import StoreBrowsing
import StoreInspection

/// A lightweight migration of a store in a database: one transaction of SQL.
struct DatabaseJob: MigrationJob {
    let kind = "lightweight"
    let lines: [MigrationPreview.Line]
    let statements: [String]
    let refusal: NSError?
    private let versions: StoreVersions
    private let model: StoreModel
    private let mapping: InferredMapping
    private let kindOfStore: any PreviewingStoreKind
    private let options: [AnyHashable: Any]

    /// - Throws: ``CommandFailure``.
    init(_ versions: StoreVersions, configuration: String?, defersIndexes: Bool) throws {
        self.versions = versions
        options = defersIndexes ? [NSPersistentStoreDeferredLightweightMigrationOptionKey: true as NSNumber] : [:]
        do {
            kindOfStore = try StoreKinds.previewingKind(of: versions.type.rawValue)
            model = try versions.storeModel(configuration: configuration)
            mapping = InferredMapping(
                from: versions.source, entities: versions.heldEntities, to: versions.destination,
                entities: model.entities)
            let mapping = mapping
            lines = try versions.counting(mapping) { try MigrationPreview(of: $0, by: mapping) }.lines
            let obstacles = mapping.obstacles.filter { $0.rows == nil }
            refusal = obstacles.isEmpty ? nil : InferenceObstacle.error(obstacles)
            statements =
                refusal == nil
                ? try kindOfStore.migration(of: versions.url, by: mapping, to: model, options: options) : []
        } catch {
            throw OpenedStore.failure(error)
        }
    }

    func run(_ watch: MigrationWatch) throws {
        try kindOfStore.migrate(versions.url, by: mapping, to: model, options: options)
        guard !options.isEmpty else { return }
        versions.registerTransformers()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: versions.destination)
        let store = try coordinator.addPersistentStore(type: versions.type, configuration: nil, at: versions.url)
        defer { try? coordinator.remove(store) }
        try coordinator.finishDeferredLightweightMigration()
    }
}
