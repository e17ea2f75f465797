import CoreData
import Foundation
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
        // The classes are the app's.
        let policies = file.compiled.entityMappings.filter { $0.migrationPolicyClassName != nil }
        refusal = policies.first.map {
            .cocoa(
                NSEntityMigrationPolicyError, "The mapping \($0.name) needs the app.",
                reason: "Its policy \($0.migrationPolicyClassName ?? "") is a class of the app.")
        }
        do {
            lines = try MappingPreview(file.compiled, versions).lines
        } catch {
            throw OpenedStore.failure(error)
        }
    }

    func run(_ watch: MigrationWatch) throws { try versions.migrate(by: mapping, watch) }
}
