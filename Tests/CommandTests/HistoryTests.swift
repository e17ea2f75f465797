import CoreData
import Foundation
import Testing

@Suite("coredata history")
struct HistoryTests {
    private let league: LeagueStore

    /// Three transactions: five players and two teams, an update, a deletion.
    init() throws {
        league = try LeagueStore(history: true)
        try league.fill(author: "app")
        try league.use(author: "widget") { context throws in
            let bird = try #require(try context.object("Player", "Bird"))
            bird.setValue(31, forKey: "age")
            bird.setValue(2.06, forKey: "height")
            try context.save()
        }
        try league.use(author: "app") { context throws in
            context.delete(try #require(try context.object("Player", "Russell")))
            try context.save()
        }
    }

    private func rows(_ arguments: String...) throws -> [[String: Any]] {
        let run = try Command(["history", league.path, "--format", "jsonl"] + arguments)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        return try run.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func kinds(_ arguments: String...) throws -> [String] {
        let run = try Command(["history", league.path, "--format", "tsv"] + arguments)
        return run.output.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            return "\(fields[0]) \(fields[2]) \(fields[5]) \(fields[6])"
        }
    }

    @Test("each change is a row with its transaction, author, program, object, properties and tombstone")
    func changes() throws {
        let rows = try rows()
        #expect(rows.count == 9)
        #expect(rows.prefix(7).allSatisfy { $0["change"] as? String == "inserted" && $0["author"] as? String == "app" })
        #expect(rows.allSatisfy { ($0["process"] as? String)?.isEmpty == false && $0["date"] is String })
        let update = rows[7]
        #expect(update["transaction"] as? Int == 2 && update["author"] as? String == "widget")
        #expect(update["properties"] as? [String] == ["age", "height"] && update["tombstone"] is NSNull)
        let deletion = rows[8]
        #expect(deletion["change"] as? String == "deleted" && deletion["properties"] is NSNull)
        #expect(deletion["tombstone"] as? [String: String] == ["name": "Russell"])
    }

    @Test("transactions are listed with the numbers of their changes")
    func transactions() throws {
        let counts = try rows("--transactions").map { row in
            ["transaction", "inserted", "updated", "deleted"].map { row[$0] as? Int ?? -1 }
        }
        #expect(counts == [[1, 7, 0, 0], [2, 0, 1, 0], [3, 0, 0, 1]])
    }

    @Test("--since takes a transaction's number or a date; --author, --entity and --limit choose, too")
    func filters() throws {
        let bird = try #require(try rows("--since", "1", "--limit", "1").first?["id"] as? String)
        let russell = try #require(try rows("--since", "2").first?["id"] as? String)
        #expect(try kinds("--since", "1") == ["2 widget updated \(bird)", "3 app deleted \(russell)"])
        #expect(try kinds("--since", "3").isEmpty)
        #expect(try kinds("--author", "widget") == ["2 widget updated \(bird)"])
        #expect(try kinds("--author", "").isEmpty)
        #expect(try rows("--entity", "Team").map { $0["id"] as? String ?? "" }.sorted() == ["Team/p1", "Team/p2"])
        #expect(try kinds("--limit", "2").count == 8)
        let date = try #require(try rows("--since", "1", "--limit", "1").first?["date"] as? String)
        // The date is cut to the millisecond, so that it lies before the transaction or after it.
        #expect([1, 2].contains(try kinds("--since", date).count))
        #expect(try kinds("--since", "2001-01-02").count == 9 && kinds("--since", "2101-01-01").isEmpty)
    }

    @Test("a purge is told where transactions after the known one are gone")
    func gap() throws {
        try league.use { context throws in
            let all = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let result = try context.execute(all) as? NSPersistentHistoryResult
            let last = try #require((result?.result as? [NSPersistentHistoryTransaction])?.last)
            try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: last))
        }
        let run = try Command(["history", league.path, "--since", "1", "--format", "tsv"])
        #expect(run.status == 0 && run.output.contains("3\t") && !run.output.contains("\n2\t"), "\(run.output)")
        #expect(run.errors.contains("the transactions from 2 to 2 were purged"), "\(run.errors)")
    }

    @Test("wrong arguments are refused")
    func wrong() throws {
        for arguments in [["--since", "yesterday"], ["--since", "-1"], ["--limit", "0"]] {
            #expect(try Command(["history", league.path] + arguments).status == 64, "\(arguments)")
        }
        #expect(try Command(["history", league.path, "--entity", "Coach"]).status == 7)
        #expect(try Command(["history", "/nowhere.sqlite"]).status == 2)
    }

    @Test("a store without history is an error that says how history comes about")
    func withoutHistory() throws {
        let run = try Command(["history", Samples.path("objcio-moody/Moody_3.moody")])
        #expect(run.status == 1 && run.errors.contains("NSPersistentHistoryTrackingKey"), "\(run.errors)")
    }

    // MARK: Apple's stores

    @Test("all history of the committed stores of Apple's is listed, and no byte changes", arguments: withHistory)
    func committed(store: String) throws {
        let copy = try StoreCopy(store)
        let before = try Data(contentsOf: URL(fileURLWithPath: copy.path))
        try compare(copy.path)
        #expect(try Command(["history", copy.path, "--verify"]).errors.contains("nothing has changed"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy.path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: copy.folder.url.path) == ["Copy.sqlite"])
    }

    private static let withHistory = [
        "cartkit-swiftdata/CartKitSwiftData_v1.sqlite", "freezeray-swiftdata/App-1_0_0.sqlite",
        "freezeray-swiftdata/App-2_0_0.sqlite",
    ]

    @Test("all history of a photo library is listed: 385 transactions and 1,823 changes", .enabled(if: hasPhotos))
    func photos() throws {
        try compare(Self.photos.path)
        #expect(try Command(["history", Self.photos.path]).output.hasSuffix("\n1823 changes\n"))
        #expect(try Command(["history", Self.photos.path, "--transactions"]).output.hasSuffix("\n385 transactions\n"))
    }

    private static let photos = Samples.moreStores.appendingPathComponent("osxphotos-13/Photos.sqlite")
    private static var hasPhotos: Bool { FileManager.default.fileExists(atPath: photos.path) }

    /// Compares numbers, kinds, keys and entities with the tables.
    private func compare(_ path: String) throws {
        let sql = """
            SELECT ZTRANSACTIONID || ' ' || CASE ZCHANGETYPE WHEN 0 THEN 'inserted' WHEN 1 THEN 'updated' ELSE 'deleted' END \
            || ' ' || Z_NAME || '/p' || ZENTITYPK FROM ACHANGE c JOIN Z_PRIMARYKEY k ON k.Z_ENT = c.ZENTITY \
            ORDER BY ZTRANSACTIONID, c.Z_PK
            """
        let expected = try Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"), arguments: ["sqlite3", "file:\(path)?immutable=1", sql])
        #expect(expected.status == 0, "\(expected.errors)")
        let run = try Command(["history", path, "--format", "tsv"])
        #expect(run.status == 0, "\(run.errors)")
        let listed = run.output.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            return "\(fields[0]) \(fields[5]) \(fields[6])"
        }
        #expect(listed == expected.output.split(separator: "\n").map(String.init))
    }
}
