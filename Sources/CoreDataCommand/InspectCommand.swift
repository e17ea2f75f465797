import ArgumentParser
import CoreData
import Foundation

/// `coredata inspect STORE`: identity and row counts.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show a store's identity and the row count of every entity.")

    @Argument(help: "The store's file.", completion: .file())
    var store: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let opened = try OpenedStore(path: store)
        let counts: [String: Int]
        do { counts = try opened.rowCounts() } catch { throw OpenedStore.failure(error) }
        if json {
            print(JSONWriter(layout: .indented).string(Self.json(opened, counts)))
        } else {
            Self.lines(opened, counts).forEach { print($0) }
        }
    }

    private static func json(_ store: OpenedStore, _ counts: [String: Int]) -> JSONValue {
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
        return [
            "store      \(store.inspection.url.lastPathComponent)",
            "uuid       \(store.identifier ?? "none")",
            "framework  \(version == "null" ? "unknown" : version)",
            "model      \(store.model == nil ? "none in the store" : "in the store")",
            "",
        ] + table.lines
    }
}
