import Foundation
import Testing

@testable import CoreData

@Suite("Reading SQL as it is run")
struct SQLDebugTests {
    /// What a fetch with a value says, and a fetch that has to sort.
    private func lines(level: Int) throws -> [String] {
        let folder = try StoreFolder()
        let under = try StoreUnderTest(folder.file("Debug.sqlite"))
        nonisolated(unsafe) var lines: [String] = []
        let connection = under.store.connection
        connection.listen(SQLDebug(level: level, name: "Debug.sqlite") { lines.append($0) })
        try connection.execute(
            "INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 5, 1, 'Heat'), (2, 5, 1, 'Jazz')")
        lines = []
        let statement = try connection.statement("SELECT Z_PK FROM ZTEAM WHERE ZNAME > ? ORDER BY ZFOUNDED")
        statement.bind(1, text: "A'b")
        while try statement.step() {}
        try under.store.close()
        return lines
    }

    @Test("level 1: statements, their time and the number of their rows")
    func statements() throws {
        let lines = try lines(level: 1)
        #expect(lines.first == "sql: SELECT Z_PK FROM ZTEAM WHERE ZNAME > ? ORDER BY ZFOUNDED   [Debug.sqlite]")
        #expect(lines[1].firstMatch(of: /annotation: \d+\.\d{3} ms, 2 rows/) != nil, "\(lines[1])")
        #expect(!lines.contains { $0.contains("A'") || $0.hasPrefix("plan") })
    }

    @Test("level 2: values too; level 3: what it cost")
    func values() throws {
        let two = try lines(level: 2)
        #expect(two[1] == "details: with values: SELECT Z_PK FROM ZTEAM WHERE ZNAME > 'A''b' ORDER BY ZFOUNDED")
        #expect(!two.contains { $0.contains("sorts") })
        let three = try lines(level: 3)
        #expect(
            three.contains { $0.firstMatch(of: /details: \d+ steps, \d+ rows scanned .* 1 sorts/) != nil }, "\(three)")
    }

    @Test("level 4: the plan, when a statement is prepared")
    func plans() throws {
        let lines = try lines(level: 4)
        #expect(lines.first?.hasPrefix("plan of: SELECT Z_PK") ?? false)
        #expect(lines.contains { $0.hasPrefix("plan:    S") && $0.contains("ZTEAM") })
        #expect(lines.contains { $0.hasPrefix("plan:    USE TEMP B-TREE FOR ORDER BY") })
        #expect(!lines.contains { $0.hasPrefix("sql: EXPLAIN") })
    }

    @Test("without the switch there is no listener")
    func off() throws {
        let folder = try StoreFolder()
        let under = try StoreUnderTest(folder.file("Quiet.sqlite"))
        #expect(SQLDebug.level > 0 || under.store.connection.debug == nil)
        try under.store.close()
    }
}
