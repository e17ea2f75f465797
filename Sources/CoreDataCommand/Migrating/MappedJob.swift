import CoreData
import Foundation
import ModelLint
import StoreBrowsing
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
        // What key-value coding does not find would end the tool.
        let obstacle = file.compiled.obstacle(from: versions.sourceDocument, to: versions.destinationDocument)
        refusal = StoreMigrator.refusal(of: file.compiled) ?? obstacle.map(Self.error)
        do {
            lines = try MappingPreview(file.compiled, versions.migrator).lines
        } catch {
            throw OpenedStore.failure(error)
        }
    }

    private static func error(_ obstacle: String) -> NSError {
        .cocoa(NSMigrationError, "The mapping model can't be carried out here.", reason: obstacle)
    }

    func run(_ watch: MigrationWatch) throws { try versions.migrate(by: mapping, watch) }
}
