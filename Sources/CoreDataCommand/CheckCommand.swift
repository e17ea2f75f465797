import ArgumentParser
import CoreData
import Foundation
import StoreBrowsing
import StoreInspection

/// `coredata check STORE`: what is wrong with a store.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Verify a store against its model, without changing it.",
        discussion: """
            Says nothing and exits with 0 where nothing is wrong. Each finding is a line with severity, kind, table, \
            object and property; with findings the exit code is 1. Without a model only what needs none is checked: the \
            file, the metadata, keys and history.

            EXAMPLES
              coredata check Moody.sqlite
              coredata check Moody.sqlite --json
            """)

    @OptionGroup var source: StoreSource

    @Flag(help: "Print the findings as a JSON array.")
    var json = false

    @OptionGroup var rows: RowOptions

    @Option(help: "List that many findings alike at most; of more there is only the number.")
    var most = 100

    func validate() throws {
        if json, rows.format != nil { throw ValidationError("--json and --format can't go together.") }
        if most < 1 { throw ValidationError("--most takes a number from 1 on.") }
    }

    func run() throws {
        let findings = try source.look(tellsOddities: false) { store in
            var findings: [StoreFinding] = []
            if case .damaged(let reason) = store.modelOrigin {
                findings.append(StoreFinding(.modelCache, table: "Z_MODELCACHE", reason))
            }
            let model = try store.model.map { _ in try store.readingDescriptions() }
            if model == nil {
                report(
                    "note: there is no model; only what needs none is checked. --model takes the one of the store's app"
                )
            }
            let bar = ProgressBar("Checking", besides: rows) { 1 }
            defer { bar?.finish() }
            if !store.place.isSQLite {
                return try ObjectCheck(store, mostAlike: most).run { bar?.advance(to: $0, of: $1) }
            }
            let check = StoreCheck(
                try store.inspection(for: "Tables are checked in SQLite files"), model: model, mostAlike: most)
            return findings + check.run { bar?.advance(to: $0, of: $1) }
        }
        if rows.format != nil {
            try write(findings)
        } else {
            let sink = try rows.sink([source.store])
            if json {
                try sink.write(JSONWriter(layout: .indented).string(.array(findings.map(\.json))) + "\n")
            } else {
                for finding in findings { try sink.write(TextTable.singleLine(finding.description) + "\n") }
            }
            try sink.finish()
        }
        if !findings.isEmpty { throw ExitCode(CommandFailure.Code.other.rawValue) }
    }

    private func write(_ findings: [StoreFinding]) throws {
        let columns = ["severity", "kind", "table", "entity", "row", "property", "message"].map {
            RowColumn(title: $0, isNumeric: $0 == "row")
        }
        let printer = try rows.printer(columns, standard: .table, table: "findings", stores: [source.store])
        for finding in findings { try printer.write(members: finding.json) }
        try printer.finish(counting: ("finding", "findings"))
    }
}

extension StoreFinding {
    fileprivate var json: JSONValue {
        [
            "severity": .string(severity.rawValue), "kind": .string(kind.rawValue), "table": .optional(table),
            "entity": .optional(entity), "row": key.map(JSONValue.int) ?? .null, "property": .optional(property),
            "message": .string(message),
        ]
    }
}
