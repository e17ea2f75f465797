import Testing

@testable import CoreDataCommand

@Suite("Tables and CSV")
struct RenderingTests {
    @Test("columns line up, numbers on the right, and no value leaves its row")
    func table() {
        var table = TextTable(header: ["name", "rows"], rightAligned: ["rows"])
        table.rows = [["Team", "12"], ["a\nb", "3"], ["\u{1B}[31mred", ""]]
        #expect(
            table.lines == [
                "name      rows",
                "────────  ────",
                "Team        12",
                "a⏎b          3",
                "\u{FFFD}[31mred",
            ])
    }

    @Test("fields are quoted exactly where they must be")
    func csv() {
        #expect(
            CSV.line(["plain", "a,b", "say \"hi\"", "two\nlines", "", " x"])
                == "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",,\" x\"\n")
    }
}
