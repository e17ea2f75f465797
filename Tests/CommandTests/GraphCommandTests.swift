import Foundation
import Testing

/// `coredata model graph` as one runs it.
@Suite struct GraphCommandTests {
    @Test func aDrawingIsWrittenToAFileOrToStandardOutput() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("League.svg")
        let model = Samples.package.appendingPathComponent("Examples/LeagueManager/League.xcdatamodeld").path
        let written = try Command(["model", "graph", model, "-o", file.path])
        #expect(written.status == 0)
        #expect(written.output.isEmpty)
        let printed = try Command(["model", "graph", model])
        #expect(try String(contentsOf: file, encoding: .utf8) == printed.output)
        #expect(printed.output.contains("<title>League</title>"))
        #expect(printed.output.hasSuffix("</svg>\n"))
    }

    @Test func whatIsNotThereIsAFailureOfItsOwn() throws {
        let run = try Command(["model", "graph", "/nowhere/None.xcdatamodeld"])
        #expect(run.status == 2)
        #expect(run.errors.contains("There is no file"))
    }
}
