import ArgumentParser
import Foundation
import ModelDocument
import StoreBrowsing

/// `coredata model lint PATH…`: what is wrong with models.
struct ModelLintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract:
            "Check models: what can't be compiled or loaded, what Xcode would warn of, what works otherwise than one expects.",
        discussion: """
            A finding is a line, "file:line: severity: sentence [code]". The exit code is 1 if there are errors, with \
            --strict also if there are warnings; notes never count. --codes lists the codes.

            The current version is checked, and every version that the lock file beside the model knows: it must have \
            the hashes that it had (see "coredata model lock").

            EXAMPLES
              coredata model lint League.xcdatamodeld
              coredata model lint --strict --ignore no-inverse Sources
              coredata model lint --all-versions --json League.xcdatamodeld
            """)

    @Argument(
        help: "An .xcdatamodeld, an .xcdatamodel, a .momd or a .mom, or a folder with documents; any number of them.",
        completion: .file())
    var paths: [String] = []

    @Flag(help: "Warnings make the exit code 1, too.")
    var strict = false

    @Flag(help: "Check all versions, not only the current one.")
    var allVersions = false

    @Option(help: "Leave out the findings of this code; it may be given more than once.")
    var ignore: [Model.DiagnosticCode] = []

    @Flag(help: "Print the findings as a JSON array.")
    var json = false

    @OptionGroup var rows: RowOptions

    @Flag(help: "List the codes with their severities.")
    var codes = false

    func validate() throws {
        if json, rows.format != nil { throw ValidationError("--json and --format can't go together.") }
        if paths.isEmpty, !codes { throw ValidationError("There is nothing to check: name a model.") }
    }

    func run() throws {
        if codes { return printCodes() }
        var linter = Linter(checksAllVersions: allVersions, ignored: Set(ignore))
        for path in paths { try linter.add(path) }
        try write(linter.findings)
        if let failure = linter.failure { throw failure }
        let isBad = linter.findings.contains { $0.severity == .error || (strict && $0.severity == .warning) }
        if isBad { throw ExitCode(CommandFailure.Code.other.rawValue) }
    }

    private func write(_ findings: [LintFinding]) throws {
        guard rows.format != nil else {
            let sink = try rows.sink([])
            if json {
                try sink.write(JSONWriter(layout: .indented).string(.array(findings.map(\.json))) + "\n")
            } else {
                for finding in findings { try sink.write(TextTable.singleLine(finding.line) + "\n") }
            }
            return try sink.finish()
        }
        let columns = ["file", "line", "severity", "code", "version", "entity", "property", "message"].map {
            RowColumn(title: $0, isNumeric: $0 == "line")
        }
        let printer = try rows.printer(columns, standard: .table, table: "findings", stores: [])
        for finding in findings { try printer.write(members: finding.json) }
        try printer.finish(counting: ("finding", "findings"))
    }

    private func printCodes() {
        var table = TextTable(header: ["code", "severity"])
        table.rows = Model.DiagnosticCode.allCases.map { [$0.rawValue, $0.severity.rawValue] }
        table.lines.forEach { print($0) }
    }
}

extension Model.DiagnosticCode: ExpressibleByArgument {}
