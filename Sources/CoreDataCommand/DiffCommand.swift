import ArgumentParser
import CoreData
import Foundation
import ModelDocument
import StoreBrowsing

/// `coredata diff A B`: which objects of two stores differ.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare the objects of two stores: which are inserted, deleted, changed.",
        discussion: """
            Objects are the same object where entity and primary key are equal, if both stores have one UUID: the one is a \
            copy of the other. Otherwise the values of attributes tell: those of --match in the entities that have them \
            all, else those of the entity's first uniqueness constraint. Entities without either are an error; --entity \
            limits the comparison. Related objects are compared by the same keys.

            The exit code is 0 where nothing differs, 1 where something does, and 2 or more where the comparison fails.

            EXAMPLES
              coredata diff Before.sqlite After.sqlite
              coredata diff Mine.sqlite Theirs.sqlite --match numericISO3166Code --entity Country
              coredata diff Before.sqlite After.sqlite --format jsonl --output changes.jsonl
            """)

    @Argument(help: "The first store.", completion: .file())
    var old: String

    @Argument(help: "The second store.", completion: .file())
    var new: String

    @Option(
        name: .customLong("model"),
        help: ArgumentHelp("The model of stores that carry none; several are merged.", valueName: "path"),
        completion: .file())
    var models: [String] = []

    @Option(help: "Only the objects of exactly this entity.")
    var entity: String?

    @Option(
        help:
            "Attributes, separated by commas. Their values tell which objects are the same; it may be given more than once."
    )
    var match: [String] = []

    @Flag(help: "Print the SHA-256 of stores and logs before and after, on standard error.")
    var verify = false

    @OptionGroup var rows: RowOptions

    @OptionGroup var values: ValueOptions

    func validate() throws {
        if values.extract != nil { throw ValidationError("--extract is for export and query.") }
    }

    func run() throws {
        let differs: Bool
        do {
            differs = try StoreSource.look(at: old, models: models, verifies: verify) { old in
                try StoreSource.look(at: new, models: models, verifies: verify) { try compare(old, $0) }
            }
        } catch let failure as CommandFailure where failure.code == .other {
            // 1 says that the stores differ.
            throw CommandFailure(.missingFile, whole: failure.message)
        }
        if differs { throw ExitCode(CommandFailure.Code.other.rawValue) }
    }

    private func compare(_ old: OpenedStore, _ new: OpenedStore) throws -> Bool {
        let comparison = try StoreComparison(
            old, new, renderer: values.renderer(for: old), matching: match.map(QueryCommand.list), entity: entity)
        let bar = ProgressBar("Comparing", besides: rows) { try comparison.objectCount() }
        defer { bar?.finish() }
        comparison.progress = bar
        var differs = false
        if rows.format == nil {
            let sink = try rows.sink([self.old, self.new])
            try comparison.forEachDifference { difference in
                differs = true
                try sink.write(TextTable.singleLine(difference.line) + "\n")
            }
            try sink.finish()
            return differs
        }
        let printer = try rows.printer(
            StoreComparison.Difference.columns.map { RowColumn(title: $0) }, standard: .table, table: "differences",
            stores: [self.old, self.new])
        try comparison.forEachDifference { difference in
            differs = true
            try printer.write(difference.values)
        }
        try printer.finish(counting: ("difference", "differences"))
        return differs
    }
}
