import Foundation
import Testing

@testable import CoreDataCommand

@Suite("The progress bar")
struct ProgressTests {
    /// A store that takes a while.
    private static func largeStore() throws -> StoreCopy {
        try StoreCopy(
            "objcio-moody/Moody_5.moody",
            sql: """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) \
                INSERT INTO ZMOOD SELECT Z_PK + 10 * i, Z_ENT, Z_OPT, ZMARKEDFORREMOTEDELETION, ZRATING, ZCOUNTRY, ZDATE + i, \
                ZLATITUDE, ZLONGITUDE, ZMARKEDFORDELETIONDATE, ZCREATORID, ZREMOTEID || i, ZCOLORS FROM n, ZMOOD WHERE Z_PK <= 10
                """)
    }

    /// Runs the command on a pseudo-terminal.
    ///
    /// - Returns: What the terminal was sent.
    private static func onTerminal(_ command: String) throws -> String {
        let run = try Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"),
            arguments: ["script", "-qec", "stty cols 80 rows 24; exec " + command, "/dev/null"],
            environment: ["TERM": "xterm"])
        #expect(run.status == 0, "\(run.output.suffix(500)) \(run.errors)")
        return run.output
    }

    @Test("grows on a terminal, and is gone at the end")
    func terminal() throws {
        let store = try Self.largeStore()
        let coredata = Command.executable("coredata").path
        let out = store.folder.url.appendingPathComponent("other", isDirectory: true)
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
        let file = out.appendingPathComponent("out.csv").path
        let start = ContinuousClock.now
        let shown = try Self.onTerminal("\(coredata) export \(store.path) --format csv --output \(file)")
        let tenths = (ContinuousClock.now - start) / .milliseconds(100)
        let draws = shown.components(separatedBy: "\r").filter { $0.contains("Exporting") }
        #expect(!draws.isEmpty && Double(draws.count) <= tenths + 1, "\(draws.count) in \(tenths) tenths")
        let percents = draws.compactMap { $0.split(separator: " ").first { Int($0) != nil }.flatMap { Int($0) } }
        #expect(percents == percents.sorted() && percents.count == draws.count, "\(draws)")
        #expect(draws.allSatisfy { $0.contains("░") || $0.contains("█") })
        #expect(draws.allSatisfy { $0.replacing("\u{1B}[K", with: "").count < 80 })
        #expect(shown.hasSuffix("\r\u{1B}[K"), "\(shown.suffix(100).debugDescription)")
        let lines = try String(contentsOfFile: file, encoding: .utf8)
        #expect(!lines.contains("Exporting"))
        let piped = try Self.onTerminal("\(coredata) diff \(store.path) \(store.path) | cat")
        #expect(piped.contains("Comparing"))
    }

    @Test("is not drawn where standard error is no terminal, nor where the rows go to the terminal")
    func elsewhere() throws {
        let store = try Self.largeStore()
        let run = try Command(["export", store.path, "--format", "csv"])
        #expect(run.status == 0 && run.errors.isEmpty && !run.output.contains("\u{1B}"))
        let coredata = Command.executable("coredata").path
        let shown = try Self.onTerminal("\(coredata) export \(store.path) --format csv")
        #expect(!shown.contains("Exporting") && shown.contains("Mood/p1,"))
        let dumb = try Self.onTerminal("env TERM=dumb \(coredata) export \(store.path) > /dev/null")
        #expect(!dumb.contains("Exporting"))
    }

    @Test("fits the terminal", arguments: [10, 20, 30, 40, 60, 80, 200])
    func width(columns: Int) {
        for done in [0, 1, 500, 999, 1000, 1200] {
            let line = ProgressBar.line("Exporting", done: done, of: 1000, width: columns)
            #expect(TextWidth.of(line) < columns)
        }
        #expect(ProgressBar.line("Exporting", done: 500, of: 1000, width: 80).contains("50 %  500 of 1000"))
    }
}
