import ArgumentParser
import CoreData
import Foundation
import StoreBrowsing

/// `coredata export STORE`: every object.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print every object of a store as it is stored.",
        discussion: """
            Dates are ISO 8601 to the millisecond, decimals plain digits, binary data base64. A reference to a row that is \
            missing is left out and told on standard error. Comma-separated values are written for spreadsheets: with a \
            byte order mark, and with an apostrophe before a text that a spreadsheet would run as a formula; --exact \
            leaves both out. CSV, TSV and the tables have one header for all entities; JSON lines (the standard) and \
            --format json have an object of identifier, entity, attributes and relationships.

            EXAMPLES
              coredata export Moody.sqlite
              coredata export Moody.sqlite --entity Mood --format csv
              coredata export Moody.sqlite --limit 100 --format table
              coredata export Recipes.sqlite --extract photos
            """)

    @OptionGroup var source: StoreSource

    @Option(help: "Only the objects of exactly this entity.")
    var entity: String?

    @Option(name: .customLong("where"), help: "Only the objects of --entity that this predicate is true for.")
    var predicate: String?

    @Option(help: "Print that many objects at most: the first ones, by entity and key.")
    var limit: Int?

    @Flag(help: "Instead of objects, what the persistent history still says of deleted ones.")
    var deleted = false

    @OptionGroup var rows: RowOptions

    @OptionGroup var values: ValueOptions

    func validate() throws {
        if predicate != nil, entity == nil {
            throw ValidationError("--where needs --entity: a predicate speaks of one entity's keys.")
        }
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
        if deleted, predicate != nil { throw ValidationError("--where can't look into objects that are gone.") }
    }

    func run() throws {
        try source.look { store in
            if deleted { return try printDeletions(store) }
            let model = try store.readingModel()
            if let entity, model.entity(named: entity) == nil {
                let names = model.entitiesByName.map(\.name)
                throw CommandFailure(.invalidQuery, "The store's model has no entity \(entity); it has \(list: names).")
            }
            let keys = try selectedKeys(in: store)
            var renderer = try values.renderer(for: store)
            renderer.abbreviatesData = (rows.format ?? .jsonl).isForTheEye
            let records = try store.records(renderer: renderer)
            let columns = RecordColumns(model, entity: entity)
            let printer = try rows.printer(
                columns.rowColumns, standard: .jsonl, table: entity ?? "objects", stores: [source.store])
            let stream = (records as? RecordExporter).flatMap {
                RecordStream($0, columns: columns.names, format: rows.format ?? .jsonl, isExact: rows.exact)
            }
            let names = entity.map { [$0] } ?? model.entitiesByName.map(\.name)
            let progress = ProgressBar("Exporting", besides: rows) {
                let total = try names.reduce(0) { try $0 + store.rowCount(of: $1) }
                return keys == nil ? min(total, limit ?? total) : total
            }
            defer { progress?.finish() }
            for name in names {
                // The objects of a predicate may be the last rows: the limit holds for the keys then.
                let most = keys == nil ? limit.map { $0 - printer.count } : nil
                if most == 0 { break }
                if let stream {
                    try stream.write(name, keys: keys, most: most, to: printer, progress: progress)
                    continue
                }
                try records.forEachRecord(of: name, only: nil, most: most) { record in
                    progress?.advance()
                    if keys?.contains(record.key) ?? true { try columns.write(record, to: printer) }
                }
            }
            try printer.finish(counting: ("object", "objects"))
        }
    }

    /// The primary keys of the objects that the predicate is true for, the least ones up to the limit; nil without a
    /// predicate.
    private func selectedKeys(in store: OpenedStore) throws -> Set<Int64>? {
        guard let predicate, let entity else { return nil }
        let session = try QuerySession(store)
        let keys = try session.keys(of: entity, where: predicate)
        return limit.map { Set(keys.sorted().prefix($0)) } ?? keys
    }

    private func printDeletions(_ store: OpenedStore) throws {
        if try !store.hasHistory() {
            report("note: the store has no history; inspect --deleted counts the keys that have no row")
        }
        let all = try DeletedObject.all(in: store, renderer: values.renderer(for: store))
        let objects = all.filter { entity == nil || $0.entity == entity }.prefix(limit ?? all.count)
        try DeletedObject.write(Array(objects), rows, standard: .jsonl, stores: [source.store])
    }
}
