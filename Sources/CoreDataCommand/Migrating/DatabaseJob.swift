import CoreData
import Foundation
import StoreBrowsing
import StoreInspection

/// A lightweight migration of a store in a database: one transaction of SQL.
struct DatabaseJob: MigrationJob {
    let kind = "lightweight"
    var lines: [MigrationPreview.Line] { preview.lines }
    var statements: [String] { preview.statements }
    var refusal: NSError? { preview.refusal }
    private let versions: StoreVersions
    private let model: StoreModel
    private let mapping: InferredMapping
    private let preview: MigrationPreview
    private let kindOfStore: any PreviewingStoreKind
    private let options: [AnyHashable: Any]

    /// - Throws: ``CommandFailure``.
    init(_ versions: StoreVersions, configuration: String?, defersIndexes: Bool) throws {
        self.versions = versions
        let options = defersIndexes ? [NSPersistentStoreDeferredLightweightMigrationOptionKey: true as NSNumber] : [:]
        do {
            let kind = try StoreKinds.previewingKind(of: versions.type.rawValue)
            let model = try versions.storeModel(configuration: configuration)
            let mapping = InferredMapping(
                from: versions.source, entities: versions.heldEntities, to: versions.destination,
                entities: model.entities)
            preview = try versions.counting(mapping) { rows in
                try MigrationPreview(of: rows, by: mapping) {
                    try kind.forecast(of: versions.url, by: mapping, to: model, options: options)
                }
            }
            (kindOfStore, self.model, self.mapping, self.options) = (kind, model, mapping, options)
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
