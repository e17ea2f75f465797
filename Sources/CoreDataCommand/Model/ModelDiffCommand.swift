import ArgumentParser
import Foundation
import ModelDocument
import StoreBrowsing
import StoreInspection

/// `coredata model diff A B`: what is different between two models, and what that means for stores.
struct ModelDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract:
            "Compare two models, two versions of one, or one with an older commit; say which migration stores need.",
        discussion: """
            A line for each element that is new (+), gone (-), renamed (>) or otherwise (~). What is renamed is known by \
            its renaming identifier. In brackets: what stores need to follow the change, "lightweight", or "mapping" with \
            the reason why nothing less does. It is what an app's migration says of the two models. Where rows of a store \
            may stand against a change, the brackets say so; `coredata migrate --dry-run` counts them. With --format the \
            changes are rows, without the sentence at the end.

            EXAMPLES
              coredata model diff Old.xcdatamodeld New.momd
              coredata model diff League.xcdatamodeld --from "League" --to "League 2"
              coredata model diff League.xcdatamodeld --git HEAD~1
              coredata model diff League.xcdatamodeld --git origin/main --at-most lightweight
            """)

    @Argument(
        help:
            "The old model and the new one: documents, compiled models, or stores that carry one. With --from, --to or --git one model.",
        completion: .file())
    var paths: [String]

    @Option(help: "The version of the old model; without it the current one.")
    var from: String?

    @Option(help: "The version of the new model; without it the current one.")
    var to: String?

    @Option(name: .customLong("git"), help: "Compare with the model as it was in this commit.")
    var revision: String?

    @Option(help: "Exit with 1 if stores need more than this, or may need more.")
    var atMost: MigrationLimit?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var rows: RowOptions

    enum MigrationLimit: String, ExpressibleByArgument, CaseIterable {
        case none, lightweight
    }

    func validate() throws {
        if json, rows.format != nil { throw ValidationError("--json and --format can't go together.") }
        let isSingle = paths.count == 1 && (revision != nil || from != nil || to != nil)
        guard isSingle || (paths.count == 2 && revision == nil) else {
            throw ValidationError("Give two models; or one with --git, or with --from or --to for two of its versions.")
        }
        if revision?.hasPrefix("-") == true { throw ValidationError("--git takes a commit.") }
    }

    func run() throws {
        let new = try ModelAtPath.read(paths[paths.count - 1], version: to)
        let comparison = JudgedComparison(from: try oldModel(), to: new)
        try write(comparison)
        if let atMost, comparison.exceeds(atMost) { throw ExitCode(CommandFailure.Code.other.rawValue) }
    }

    private func write(_ comparison: JudgedComparison) throws {
        let stores = paths.filter { !ModelAtPath.isModel($0) }
        guard rows.format != nil else {
            let sink = try rows.sink(stores)
            if json {
                try sink.write(JSONWriter(layout: .indented).string(comparison.json) + "\n")
            } else {
                for line in comparison.changes.map(\.description) + comparison.others.map({ "! \($0.sentence)" }) {
                    try sink.write(TextTable.singleLine(line) + "\n")
                }
                try sink.write(comparison.verdict + "\n")
            }
            return try sink.finish()
        }
        let columns = ["kind", "element", "owner", "name", "formerName", "migration", "reason", "settings"].map {
            RowColumn(title: $0)
        }
        let printer = try rows.printer(columns, standard: .table, table: "changes", stores: stores)
        for change in comparison.changes { try printer.write(members: change.json) }
        try printer.finish(counting: ("change", "changes"))
    }

    private func oldModel() throws -> Model {
        guard let revision else { return try ModelAtPath.read(paths[0], version: from) }
        return try GitCheckout.withDocument(paths[0], at: revision) { try ModelAtPath.read($0, version: from) }
    }
}

extension JudgedComparison {
    fileprivate var verdict: String {
        switch need {
        case .nothing where changes.isEmpty: "The models are the same."
        case .nothing: "Stores open as they are."
        case .lightweight: "Stores need a migration; a lightweight one does."
        case .conditional: "Stores need a migration; a lightweight one does, unless rows stand against what is marked."
        case .mapping: "Stores need a migration with a mapping model, or code, for what is marked."
        case .unknown(let reason): "What stores need can't be told: \(reason)"
        }
    }

    fileprivate func exceeds(_ limit: ModelDiffCommand.MigrationLimit) -> Bool {
        need > (limit == .none ? .nothing : .lightweight)
    }

    fileprivate var json: JSONValue {
        [
            "migration": .string(need.name), "reason": .optional(need.reason),
            "changes": .array(changes.map(\.json)), "obstacles": .array(others.map { .string($0.sentence) }),
        ]
    }
}

extension JudgedComparison.Change {
    fileprivate var json: JSONValue {
        [
            "kind": .string(change.kind.rawValue), "element": .string(change.element.rawValue),
            "owner": .optional(change.owner), "name": .string(change.name),
            "formerName": .optional(change.formerName), "migration": .string(need.name),
            "reason": .optional(need.reason),
            "settings": .array(
                change.settings.map { ["name": .string($0.name), "old": .optional($0.old), "new": .optional($0.new)] }),
        ]
    }
}
