import ArgumentParser
import CoreData
import Foundation

/// `coredata export STORE`: every object.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print every object of a store as it is stored.",
        discussion: """
            Dates are ISO 8601 in UTC to the millisecond, decimals plain digits, binary data base64. A reference whose \
            row is missing is left out and told on standard error.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case jsonl, csv
    }

    @Argument(help: "The store's file.", completion: .file())
    var store: String

    @Option(help: "Only the objects of exactly this entity.")
    var entity: String?

    @Option(name: .customLong("where"), help: "Only the objects of --entity that this predicate is true for.")
    var predicate: String?

    @Option(help: "A JSON object per line, or comma-separated values with one header for all entities.")
    var format = Format.jsonl

    func validate() throws {
        if predicate != nil, entity == nil {
            throw ValidationError("--where needs --entity: a predicate speaks of one entity's keys.")
        }
    }

    func run() throws {
        let opened = try OpenedStore(path: store)
        let model = try opened.requiredModel()
        if let entity, model.entity(named: entity) == nil {
            throw CommandFailure(.invalidQuery, "The store's model has no entity \(entity).")
        }
        let keys = try selectedKeys(in: opened)
        let exporter = try RecordExporter(opened)
        var writer = RecordWriter(format: format, model: model, entity: entity)
        do {
            for name in entity.map({ [$0] }) ?? model.entitiesByName.map(\.name) {
                try exporter.forEachRecord(of: name) { record in
                    if keys?.contains(record.key) ?? true { writer.write(record) }
                }
            }
        } catch {
            throw OpenedStore.failure(error)
        }
        writer.finish()
    }

    /// The primary keys of the objects that the predicate is true for; nil without a predicate.
    private func selectedKeys(in opened: OpenedStore) throws -> Set<Int64>? {
        guard let predicate, let entity else { return nil }
        let session = try QuerySession(opened)
        return try session.keys(of: entity, where: predicate)
    }
}
