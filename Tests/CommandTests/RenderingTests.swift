import StoreBrowsing
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

    @Test("fields are quoted exactly where they must be, lines end as RFC 4180 says")
    func csv() {
        #expect(
            CSV().line(["plain", "a,b", "say \"hi\"", "two\nlines", "", " x"])
                == "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",,\" x\"\r\n")
    }

    @Test(
        "a text that a spreadsheet would run is disarmed, a number stays one",
        arguments: [
            ("=1+1", "'=1+1"), ("+SUM(A1)", "'+SUM(A1)"), ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
            ("@x", "'@x"), ("\t=1", "'\t=1"), ("＝1", "'＝1"),
            ("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""),
            ("-5.25", "-5.25"), ("+3e10", "+3e10"), ("a=b", "a=b"), ("", ""),
        ])
    func formulas(text: String, field: String) {
        #expect(CSV().field(text) == field)
        #expect(!CSV(isExact: true).field(text).contains("'=") && !CSV(isExact: true).field(text).hasPrefix("'"))
    }

    @Test("a file for spreadsheets begins with a byte order mark, one for programs doesn't")
    func mark() {
        #expect(Array(CSV().start.utf8) == [0xEF, 0xBB, 0xBF])
        #expect(CSV(isExact: true).start.isEmpty)
    }
}
