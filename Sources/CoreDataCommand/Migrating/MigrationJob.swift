import CoreData
import Foundation
import StoreBrowsing
import StoreInspection

/// A migration that can be looked at before it is done.
protocol MigrationJob {
    /// How it is done: `lightweight` or `mapping`.
    var kind: String { get }
    /// What changes, what is lost, what is in the way.
    var lines: [MigrationPreview.Line] { get }
    /// The statements that it would run; none where objects are copied one by one.
    var statements: [String] { get }
    /// Why it can't be done; nil where nothing is in the way.
    var refusal: NSError? { get }

    /// Migrates the store: wholly, or it stays as it was.
    func run(_ watch: MigrationWatch) throws
}

/// A lightweight migration, in the store's file.
struct InferredJob: MigrationJob {
    let kind = "lightweight"
    var lines: [MigrationPreview.Line] { preview.lines }
    var statements: [String] { preview.statements }
    private let url: URL
    private let mapping: InferredMapping
    private let model: StoreModel
    private let preview: MigrationPreview

    /// - Throws: ``CommandFailure``.
    init(_ versions: StoreVersions, configuration: String?) throws {
        url = versions.url
        do {
            model = try versions.storeModel(configuration: configuration)
            mapping = InferredMapping(
                from: versions.source, entities: versions.heldEntities, to: versions.destination,
                entities: model.entities)
            let inspection = try StoreInspection(contentsOf: url)
            preview = try MigrationPreview(of: inspection, by: mapping, to: model)
        } catch {
            throw OpenedStore.failure(error)
        }
    }

    var refusal: NSError? { preview.refusal }

    func run(_ watch: MigrationWatch) throws {
        let migration = SQLiteMigration(url: url, mapping: mapping, model: model, options: nil) {
            watch.note($0, done: $1, of: $2)
        }
        try migration.run()
    }
}
