import ArgumentParser
import CoreData
import Foundation
import StoreBrowsing

/// `coredata inspect STORE`: identity and row counts.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show a store's identity and the row count of every entity.",
        discussion: """
            With --format only the rows are printed: the counts, or with --deleted the deletions. With --counts-only a \
            line is printed for each entity, in the order of the model: its name, a tabulator and its row count.

            EXAMPLES
              coredata inspect Moody.sqlite
              coredata inspect Moody.sqlite --counts-only
              coredata inspect Old.sqlite --model Old.momd --json
            """)

    @OptionGroup var source: StoreSource

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print a line for each entity, in the order of the model: its name, a tabulator and its row count.")
    var countsOnly = false

    @OptionGroup var rows: RowOptions

    @Flag(
        help:
            "Show what the persistent history says of deleted objects, and how many keys were handed out but have no row."
    )
    var deleted = false

    @Option(help: "Dates in UTC, or in local time with its offset from UTC.")
    var dates = DateStyle.utc

    func validate() throws {
        if json, rows.format != nil { throw ValidationError("--json and --format can't go together.") }
        guard countsOnly else { return }
        if json { throw ValidationError("--counts-only and --json can't go together.") }
        if rows.format != nil { throw ValidationError("--counts-only and --format can't go together.") }
        if deleted { throw ValidationError("--counts-only and --deleted can't go together.") }
    }

    func run() throws {
        try source.look { store in
            let counts = try store.rowCounts()
            if rows.format != nil {
                return try writeRows(store, counts)
            }
            let sink = try rows.sink([source.store])
            if countsOnly {
                // A model that is not valid may have two entities of one name.
                var rest = counts
                for name in store.entityNames {
                    guard let count = rest.removeValue(forKey: name) else { continue }
                    try sink.write("\(RowPrinter.tabbed(name))\t\(count)\n")
                }
            } else if json {
                var members = Self.members(store, counts)
                if deleted { members["deleted"] = .object(try deletedMembers(store)) }
                try sink.write(JSONWriter(layout: .indented).string(.object(members)) + "\n")
            } else {
                for line in Self.lines(store, counts) { try sink.write(line + "\n") }
                if deleted { for line in try deletedLines(store) { try sink.write(line + "\n") } }
            }
            try sink.finish()
        }
    }

    private func writeRows(_ store: OpenedStore, _ counts: [String: Int]) throws {
        if deleted {
            return try DeletedObject.write(deletions(store), rows, standard: .table, stores: [source.store])
        }
        let columns = [RowColumn(title: "entity"), RowColumn(title: "rows", isNumeric: true)]
        let printer = try rows.printer(columns, standard: .table, table: "entities", stores: [source.store])
        for (name, count) in counts.sorted(by: { $0.key.precedesByCodePoint($1.key) }) {
            try printer.write([.string(name), .int(Int64(count))])
        }
        try printer.finish()
    }

    private static func members(_ store: OpenedStore, _ counts: [String: Int]) -> [String: JSONValue] {
        [
            "uuid": .optional(store.identifier),
            "frameworkVersion": frameworkVersion(store),
            "entities": .object(counts.mapValues { .int(Int64($0)) }),
        ]
    }

    private static func frameworkVersion(_ store: OpenedStore) -> JSONValue {
        switch store.metadata["NSPersistenceFrameworkVersion"] {
        case let number as NSNumber: .int(number.int64Value)
        case let text as String: .string(text)
        default: .null
        }
    }

    private static func lines(_ store: OpenedStore, _ counts: [String: Int]) -> [String] {
        var table = TextTable(header: ["entity", "rows"], rightAligned: ["rows"])
        for (name, count) in counts.sorted(by: { $0.key.precedesByCodePoint($1.key) }) {
            table.rows.append([name, String(count)])
        }
        let version = JSONWriter(layout: .compact).string(frameworkVersion(store))
        let withoutModel =
            store.place.isSQLite ? "the entities are those of Z_PRIMARYKEY" : "--model takes that of its app"
        let model =
            switch store.modelOrigin {
            case .store: "in the store"
            case .given: "given"
            case .none: "none in the store; \(withoutModel)"
            case .damaged: "damaged; \(withoutModel)"
            }
        return [
            "store      \(store.place.title)",
            "uuid       \(store.identifier ?? "none")",
            "framework  \(version == "null" ? "unknown" : version)",
            "model      \(model)",
            "",
        ] + table.lines
    }

    // MARK: What is gone

    private func deletions(_ store: OpenedStore) throws -> [DeletedObject] {
        try DeletedObject.all(in: store, renderer: ValueRenderer(dates: dates))
    }

    private func deletedMembers(_ store: OpenedStore) throws -> [String: JSONValue] {
        [
            "history": .array(try deletions(store).map { .object($0.members) }),
            "keysWithoutRow": .object(try store.vacantKeys().mapValues { .int($0) }),
        ]
    }

    private func deletedLines(_ store: OpenedStore) throws -> [String] {
        let objects = try deletions(store)
        var lines = [""]
        if objects.isEmpty {
            let hasHistory = try store.hasHistory()
            lines.append(hasHistory ? "The history has no deletions." : "The store has no history.")
        } else {
            let columns = DeletedObject.columns(of: objects)
            var table = TextTable(header: columns)
            table.rows = objects.map { $0.fields(columns) }
            lines += table.lines
        }
        let vacant = try store.vacantKeys().filter { $0.value > 0 }
        guard !vacant.isEmpty else { return lines }
        lines += ["", "Keys that were handed out and have no row: of objects that were deleted, or never saved."]
        return lines + vacant.sorted { $0.key.precedesByCodePoint($1.key) }.map { "  \($0.key)  \($0.value)" }
    }
}
