import SQLSamples
import Testing

@testable import CoreData

@Suite("Constants in SQL")
struct SQLConstantTests {
    private func bindings(_ format: String, _ arguments: Any..., entity: String = "Player") throws -> [SQLValue] {
        SQLTintTransformer.register()
        let query = try sqlQuery(entity, NSPredicate(format: format, argumentArray: arguments))
        return Array(query.bindings.dropFirst(entity == "Player" ? 1 : 0))
    }

    @Test("Each constant is bound as its attribute is stored, on either side")
    func types() throws {
        let uuid = UUID()
        let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
        #expect(try bindings("age == 5") == [.int(5)])
        #expect(try bindings("active == YES") == [.int(1)])
        #expect(try bindings("salary == 1.5") == [.double(1.5)])
        #expect(try bindings("price == %@", NSDecimalNumber(string: "10.25")) == [.double(10.25)])
        #expect(try bindings("born >= %@", Date(timeIntervalSinceReferenceDate: 7.5)) == [.double(7.5)])
        #expect(try bindings("key == %@", uuid) == [.blob(bytes)])
        #expect(try bindings("key == %@", uuid.uuidString) == [.blob(bytes)])
        #expect(try bindings("%@ == page", URL(string: "https://a.b/c") as Any) == [.text("https://a.b/c")])
        #expect(try bindings("shirt == %@", Data([1, 2])) == [.blob(Data([1, 2]))])
        #expect(try bindings("name == %@", "Ann") == [.text("Ann")])
    }

    @Test("A constant of another kind is converted where nothing is lost")
    func conversions() throws {
        #expect(try bindings("age == '5'") == [.int(5)])
        #expect(try bindings("name == 5") == [.text("5")])
        #expect(try bindings("born == 5") == [.double(5)])
    }

    @Test("A transformable attribute is compared by the data that its transformer makes of the constant")
    func transformables() throws {
        #expect(try bindings("tint == %@", "red") == [.blob(Data("der".utf8))])
        #expect(try bindings("tint IN %@", ["red", "sky"]) == [.blob(Data("der".utf8)), .blob(Data("yks".utf8))])
    }

    @Test("What is constant is computed before the statement")
    func folding() throws {
        #expect(try bindings("age == 2 + 3 * 4") == [.int(14)])
        #expect(try bindings("name ==[c] 'ÉCOLE'") == [.text("école")])
        #expect(try bindings("born > CAST(10, 'NSDate')") == [.double(10)])
        #expect(try bindings("age IN {1, 2} UNION {2}").sorted { "\($0)" } == [.int(1), .int(2)])
    }

    // MARK: Objects

    private func id(_ entity: String, _ key: Int64, store: Int32 = SQLTestModel.store) -> NSManagedObjectID {
        let layout = SQLTestModel.layout(entity)
        return NSManagedObjectID(
            ObjectReference(key: key, entity: layout.number, store: store), entity: layout.entity, token: nil)
    }

    @Test("Objects are compared by their keys")
    func objects() throws {
        #expect(try bindings("team == %@", id("Team", 5)) == [.int(5)])
        #expect(try bindings("team IN %@", [id("Team", 5), id("Team", 6)]) == [.int(5), .int(6)])
        #expect(try bindings("SELF == %@", id("Player", 9)) == [.int(9)])
        #expect(try bindings("objectID == %@", id("Player", 9)) == [.int(9)])
        #expect(try bindings("players CONTAINS %@", id("Player", 9), entity: "Team") == [.int(9)])
        #expect(try bindings("ANY players == %@", id("Player", 9), entity: "Team") == [.int(9)])
        #expect(
            try sqlClause("Team", "players CONTAINS %@", [id("Player", 9)])
                == " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.Z_PK = ?)")
        #expect(
            try sqlClause("Player", "fans CONTAINS %@", [id("Coach", 9)])
                == " WHERE t0.Z_ENT = ? AND EXISTS (SELECT 1 FROM Z_2FAVOURITES t1 "
                + "WHERE t1.Z_3FAVOURITES = t0.Z_PK AND t1.Z_2FANS = ?)")
    }

    @Test("An object that is unsaved, of another store or of another kind has no row to match")
    func strangers() throws {
        #expect(try bindings("team == %@", id("Team", -5)) == [.int(0)])
        #expect(try bindings("team == %@", id("Team", 5, store: 99)) == [.int(0)])
        #expect(try bindings("team == %@", id("Player", 5)) == [.int(0)])
    }

    @Test("An entity is compared by its number in the store")
    func entities() throws {
        let query = try sqlQuery(
            "Person", NSPredicate(format: "entity == %@", argumentArray: [SQLTestModel.layout("Coach").entity as Any]))
        #expect(query.text == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 WHERE t0.Z_ENT = ?")
        #expect(query.bindings == [.int(2)])
    }

    // MARK: Lists

    @Test("Long lists find what short ones do, with JSON and without, whatever the values")
    func longLists() throws {
        var random = SQLRandom(seed: 3)
        let database = try SQLTestDatabase(using: &random)
        let texts = (0..<5_000).map { "x\($0)\"\\\n\u{1}é\u{1F600}" } + ["a", "é", "\u{1F600}x", "\0"]
        let doubles = (0..<5_000).map { Double($0) / 7 } + [0.1, 3.25]
        for hasJSON in [true, false] {
            func found(_ format: String, _ list: Any) throws -> [Int64] {
                let predicate = NSPredicate(format: format, argumentArray: [list])
                let wanted = database.rows(of: "Player").filter { predicate.evaluate(with: $0) }.map(\.key)
                #expect(!wanted.isEmpty)
                let keys = try database.keys(sqlQuery("Player", predicate, hasJSON: hasJSON)).sorted()
                #expect(keys == wanted, "\(format), JSON: \(hasJSON)")
                return keys
            }
            _ = try found("name IN %@", texts)
            _ = try found("salary IN %@", doubles)
            _ = try found("rating IN %@", Set(doubles))
            _ = try found("age IN %@", Array(0...9_999))
        }
    }

    @Test("A list in JSON is answered by an index")
    func listUsesIndex() throws {
        var random = SQLRandom(seed: 3)
        let database = try SQLTestDatabase(using: &random)
        try database.connection.execute("CREATE INDEX I ON ZPERSON (ZNAME)")
        let names = NSPredicate(format: "name IN %@", argumentArray: [(0..<100).map { "n\($0)" }])
        #expect(try database.plan(sqlQuery("Person", names)).contains("USING INDEX I (ZNAME=?)"))
        let prefix = NSPredicate(format: "name BEGINSWITH 'ab'")
        #expect(try database.plan(sqlQuery("Person", prefix)).contains("USING INDEX I (ZNAME>? AND ZNAME<?)"))
        let pattern = NSPredicate(format: "name LIKE 'ab*c'")
        #expect(try database.plan(sqlQuery("Person", pattern)).contains("USING INDEX I (ZNAME>? AND ZNAME<?)"))
        let unindexed = NSPredicate(format: "noindex(name) == 'ab'")
        #expect(!(try database.plan(sqlQuery("Person", unindexed)).contains("INDEX I ")))
    }

    @Test("The least string above a prefix ends where no string follows")
    func successors() {
        #expect(SQLiteDialect.successor(of: "ab") == "ac")
        #expect(SQLiteDialect.successor(of: "a\u{10FFFF}") == "b")
        #expect(SQLiteDialect.successor(of: "\u{D7FF}") == "\u{E000}")
        #expect(SQLiteDialect.successor(of: "\u{10FFFF}") == nil)
        #expect(SQLiteDialect.successor(of: "") == nil)
    }
}

extension [SQLValue] {
    fileprivate func sorted(by key: (SQLValue) -> String) -> [SQLValue] { sorted { key($0) < key($1) } }
}
