import ArgumentParser
import StoreBrowsing

/// The forms that rows are printed in.
enum RowFormat: String, ExpressibleByArgument, CaseIterable {
    case table, markdown, tsv, csv, json, jsonl, sqlite

    /// Whether values are shown to the eye, and not read by a program.
    var isForTheEye: Bool { self == .table || self == .markdown }
}

/// A column of rows.
struct RowColumn {
    let title: String
    var isNumeric = false
}

/// How rows are printed, and where to: the same options for every command that prints rows.
struct RowOptions: ParsableArguments {
    @Option(
        help:
            "The form of the rows. Only csv --exact and sqlite have every text as it is; the others escape or replace characters that command a terminal."
    )
    var format: RowFormat?

    @Option(
        name: [.short, .long],
        help: "Write to this file, which appears when it is complete, and replaces one that is there.",
        completion: .file())
    var output: String?

    @Flag(help: "Comma-separated values for programs: every text exactly as it is.")
    var exact = false

    func validate() throws {
        if exact, format != .csv { throw ValidationError("--exact is for --format csv.") }
        if format == .sqlite, output == nil { throw ValidationError("--format sqlite needs --output.") }
    }

    /// What prints the rows.
    ///
    /// - Parameters:
    ///   - standard: The format where none was asked for.
    ///   - table: The table's name in SQLite.
    ///   - stores: The stores that are looked at, beside which nothing is written.
    /// - Throws: ``CommandFailure`` for a file that can't be written.
    func printer(
        _ columns: [RowColumn], standard: RowFormat, table: String, stores: [String]
    ) throws -> RowPrinter {
        let format = format ?? standard
        if format == .sqlite, let output {
            let file = try OutputFile(path: output, stores: stores)
            let database = try RowDatabase(at: file.temporary, table: table, titles: columns.map(\.title))
            return RowPrinter(format, columns, database: database, file)
        }
        return try RowPrinter(format, columns, sink: try sink(stores), isExact: exact)
    }

    /// Where text goes to.
    func sink(_ stores: [String]) throws -> OutputSink {
        try output.map { try OutputSink(path: $0, stores: stores) } ?? OutputSink()
    }
}
