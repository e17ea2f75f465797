import ArgumentParser
import CoreData
import Foundation

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

    @Option(help: "List that many findings alike at most; of more there is only the number.")
    var most = 100

    func validate() throws {
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
            return findings + StoreCheck(store.inspection, model: model, mostAlike: most).run()
        }
        if json {
            print(JSONWriter(layout: .indented).string(.array(findings.map(\.json))))
        } else {
            findings.forEach { print(TextTable.singleLine($0.description)) }
        }
        if !findings.isEmpty { throw ExitCode(CommandFailure.Code.other.rawValue) }
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
