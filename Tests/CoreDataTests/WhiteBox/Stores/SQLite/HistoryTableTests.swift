import Foundation
import Testing

@testable import CoreData

@Suite("The tables of persistent history")
struct HistoryTableTests {
    /// The definitions in the stores that Apple's framework made, of tables and indexes.
    private static let definitions = [
        "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
        "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
        "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
        "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
        "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
        "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
        "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
        "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
            + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )",
        "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
            + "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
            + "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
        "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
        "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
    ]

    /// The first column of a statement's rows.
    private func column(_ sql: String, of url: URL) throws -> [String] {
        let connection = try SQLiteConnection(path: url.path, access: .readOnly)
        defer { connection.close() }
        let statement = try SQLiteStatement(sql, on: connection)
        var found: [String] = []
        while try statement.step() { found.append(statement.text(0) ?? "-") }
        return found
    }

    @Test("tables and indexes are those of Apple's stores")
    func schema() throws {
        let stack = try HistoryStack()
        let texts = try column(
            "SELECT sql FROM sqlite_master WHERE tbl_name IN ('ATRANSACTION', 'ACHANGE', 'ATRANSACTIONSTRING') "
                + "AND sql IS NOT NULL", of: stack.url())
        #expect(texts.sorted() == Self.definitions.sorted())
    }

    @Test("a model's kept attributes have a column for each place of the entity that has most")
    func tombstoneColumns() throws {
        let kept = ["a", "b"].map { attribute($0, .stringAttributeType) }
        for attribute in kept { attribute.preservesValueInHistoryOnDeletion = true }
        let stack = try HistoryStack(model(entity("One", []), entity("Two", kept)))
        let names = try column("SELECT name FROM pragma_table_info('ACHANGE')", of: stack.url())
        #expect(names.filter { $0.hasPrefix("ZTOMBSTONE") } == ["ZTOMBSTONE0", "ZTOMBSTONE1"])
    }

    @Test("rows are as Apple's stores have them: numbers, masks, keys of strings, and the highest keys")
    func rows() throws {
        let stack = try HistoryStack()
        try stack.work(author: "app", name: "main") { context throws in
            let player = context.insert("Player", ["name": "Wade"])
            let note = context.insert("Note", ["text": "n"])
            let page = context.insert("Page", ["text": "p"])
            try context.save()
            player.setValue("Bosh", forKey: "name")
            player.setValue(30, forKey: "age")
            page.setValue(note, forKey: "note")
            try context.save()
            context.delete(player)
            try context.save()
        }
        let program = ProcessInfo.processInfo.processName
        let bundle = Bundle.main.bundleIdentifier ?? program
        #expect(
            try column(
                "SELECT t.Z_PK || ' ' || t.Z_ENT || ' ' || quote(t.Z_OPT) || ' ' || a.ZNAME || ' ' || b.ZNAME || ' ' || "
                    + "c.ZNAME || ' ' || p.ZNAME || ' ' || typeof(t.ZTIMESTAMP) || ' ' || quote(t.ZAUTHOR) || "
                    + "quote(t.ZBUNDLEID) || quote(t.ZCONTEXTNAME) || quote(t.ZPROCESSID) || quote(t.ZQUERYGEN) "
                    + "FROM ATRANSACTION t JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS "
                    + "JOIN ATRANSACTIONSTRING b ON b.Z_PK = t.ZBUNDLEIDTS "
                    + "JOIN ATRANSACTIONSTRING c ON c.Z_PK = t.ZCONTEXTNAMETS "
                    + "JOIN ATRANSACTIONSTRING p ON p.Z_PK = t.ZPROCESSIDTS ORDER BY t.Z_PK", of: stack.url())
                == (1...3).map { "\($0) 16002 NULL app \(bundle) main \(program) real NULLNULLNULLNULLNULL" })
        // Player: team, then age, code, home, isActive, joined, name …; Page: note, its place there, text; Note:
        // team, text, pages.
        #expect(
            try column(
                "SELECT c.Z_ENT || ' ' || quote(c.Z_OPT) || ' ' || c.ZCHANGETYPE || ' ' || e.Z_NAME || ' ' || "
                    + "c.ZENTITYPK || ' ' || c.ZTRANSACTIONID || ' ' || quote(c.ZCOLUMNS) FROM ACHANGE c "
                    + "JOIN Z_PRIMARYKEY e ON e.Z_ENT = c.ZENTITY WHERE c.ZTRANSACTIONID > 1 ORDER BY e.Z_NAME, c.Z_PK",
                of: stack.url())
                == [
                    "16001 NULL 1 Note 1 2 X'20'", "16001 NULL 1 Page 1 2 X'C0'", "16001 NULL 1 Player 1 2 X'4200'",
                    "16001 NULL 2 Player 1 3 NULL",
                ])
        #expect(
            try column(
                "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER || ' ' || Z_MAX FROM Z_PRIMARYKEY "
                    + "WHERE Z_ENT > 16000 ORDER BY Z_ENT", of: stack.url())
                == ["16001 CHANGE 0 7", "16002 TRANSACTION 0 3"]
                + ["16003 TRANSACTIONSTRING 0 \(Set(["app", "main", program, bundle]).count)"])
    }

    @Test("an older store with the strings themselves in its transactions is read and written")
    func olderTables() throws {
        let stack = try HistoryStack()
        try stack.work(author: "app") { context throws in
            _ = context.insert("Player")
            try context.save()
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        let connection = try SQLiteConnection(path: stack.url().path, access: .readWrite)
        try connection.execute("UPDATE ATRANSACTION SET ZAUTHOR = 'old', ZPROCESSID = 'oldapp'")
        for label in ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"] {
            try connection.execute("DROP INDEX ATRANSACTION_Z\(label)TS_INDEX")
            try connection.execute("ALTER TABLE ATRANSACTION DROP COLUMN Z\(label)TS")
        }
        try connection.execute("DROP TABLE ATRANSACTIONSTRING")
        connection.close()
        try stack.reopened { context throws in
            context.transactionAuthor = "new"
            _ = context.insert("Player")
            try context.save()
            let found = try context.transactions(.fetchHistory(after: Date.distantPast))
            #expect(found.map(\.author) == ["old", "new"])
            #expect(found.map(\.processID) == ["oldapp", ProcessInfo.processInfo.processName])
        }
    }

    @Test(
        "with damaged tables of history a save and a batch throw, and nothing is changed",
        arguments: [
            "ALTER TABLE ACHANGE DROP COLUMN ZCOLUMNS",
            "DROP TABLE ATRANSACTIONSTRING; CREATE TABLE ATRANSACTIONSTRING (x)",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775806 WHERE Z_ENT = 16001",
        ])
    func damage(_ statements: String) throws {
        let stack = try HistoryStack()
        try stack.work { context throws in
            _ = context.insert("Player", ["name": "A"])
            try context.save()
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        let connection = try SQLiteConnection(path: stack.url().path, access: .readWrite)
        try connection.execute(statements)
        connection.close()
        try stack.reopened { context throws in
            for name in ["B", "C"] { _ = context.insert("Player", ["name": name]) }
            #expect(throws: NSError.self) { try context.save() }
            #expect(throws: NSError.self) {
                try context.execute(NSManagedObjectContext.update("Player", ["age": 30], "name == 'A'"))
                try context.execute(NSManagedObjectContext.update("Player", ["age": 31], "name == 'A'"))
            }
            context.rollback()
            #expect(try context.all("Player").map { $0.string("name") } == ["A"])
        }
    }

    // MARK: A library of Apple's Photos

    @Test(
        "the properties of Photos' changes are what their transactions' names say",
        .enabled(if: SharedFixtures.isAtHand, "needs the shared folder"))
    func photos() throws {
        let folder = try StoreFolder()
        let store = try AppleStores.copy(AppleStores.photos, to: folder)
        let layouts = store.identity.layouts
        let facts: [(String, [Int: String])] = [
            ("Asset", [65: "faceAreaPoints", 75: "imageRequestHints", 100: "thumbnailIndex"]),
            (
                "AdditionalAssetAttributes",
                [4: "sceneprint", 52: "pendingViewCount", 58: "reverseLocationData", 59: "reverseLocationDataIsValid"]
            ),
            ("ExtendedAttributes", [0: "asset", 6: "dateCreated", 15: "latitude", 17: "longitude"]),
            ("FaceCrop", [1: "face", 8: "state"]), ("Sceneprint", [1: "data"]),
            ("AlbumList", [3: "albums"]), ("Keyword", [3: "assetAttributes"]),
            ("Folder", [5: "parentFolder", 31: "childCollections"]),
            ("ImportSession", [6: "cachedCount", 7: "cachedPhotosCount", 15: "endDate", 24: "startDate"]),
        ]
        for (name, bits) in facts {
            let columns = HistoryColumns(try #require(layouts.layout(named: name)))
            for (bit, property) in bits { #expect(columns.names[bit] == property, "\(name), bit \(bit)") }
        }
        #expect(
            HistoryColumns(try #require(layouts.layout(named: "LibraryScope"))).preserved.map(\.name)
                == ["cloudDeleteState", "scopeIdentifier", "scopeSyncingState", "scopeType", "status", "uuid"])
        let numbers = try column(
            "SELECT e.Z_NAME || ' ' || max(length(c.ZCOLUMNS)) FROM ACHANGE c JOIN Z_PRIMARYKEY e ON e.Z_ENT = c.ZENTITY "
                + "WHERE c.ZCHANGETYPE = 1 AND c.ZTRANSACTIONID > 338 GROUP BY e.Z_NAME", of: store.url)
        #expect(numbers.count > 10)
        for entry in numbers.map({ $0.split(separator: " ").map(String.init) }) {
            let columns = HistoryColumns(try #require(layouts.layout(named: entry[0])))
            #expect(Int(entry[1]) == (columns.names.count + 7) / 8, "\(entry[0])")
        }
    }

    @Test(
        "all history of Apple's stores is listed, with what was kept of deleted objects",
        .enabled(if: SharedFixtures.isAtHand, "needs the shared folder"))
    func fixtures() throws {
        let folder = try StoreFolder()
        let store = try AppleStores.copy(AppleStores.photos, to: folder)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: store.model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store.url,
            options: [NSReadOnlyPersistentStoreOption: true as NSNumber])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let found = try context.transactions(.fetchHistory(after: Date.distantPast))
            #expect(found.map(\.transactionNumber) == Array(1...385))
            let changes = found.flatMap { $0.changes ?? [] }
            #expect(changes.count == 1823)
            #expect(changes.filter { $0.changeType == .insert }.count == 368)
            #expect(found.last?.bundleID == "com.apple.photolibraryd" && found.last?.processID == "photolibraryd")
            #expect(changes.filter { $0.tombstone != nil }.count == 35)
            let person = changes.first { $0.tombstone?["personUUID"] != nil }
            #expect(person?.tombstone?["personUUID"] as? String == "9BA44428-CB62-492E-9919-B03B91FFCA93")
            #expect(person?.tombstone?["cloudDeleteState"] as? Int == 0)
        }
    }
}
