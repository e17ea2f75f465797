import Foundation
import Testing

@testable import CoreData

/// The triggers in the file: those that we make, and those that we find.
@Suite struct StoredTriggerTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private func statements(_ model: NSManagedObjectModel) throws -> [String] {
        try withExtendedLifetime(model) {
            try SQLSchema.derived(from: model.storeModel(configuration: nil).layouts).creationStatements()
        }
    }

    @Test func triggersHaveTheFormThatApplesFrameworkGivesThem() throws {
        let expected = [
            "CREATE TRIGGER Z_DA_ZBOOK_Book_savedAt_UPDATE AFTER UPDATE OF Z_OPT ON ZBOOK FOR EACH ROW BEGIN "
                + "UPDATE ZBOOK SET ZSAVEDAT = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK; "
                + "SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'savedAt', ZSAVEDAT) "
                + "FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END",
            "CREATE TRIGGER Z_DA_ZBOOK_Shelf_bookCount_books_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN "
                + "UPDATE ZSHELF SET ZBOOKCOUNT = (SELECT IFNULL(COUNT(ZSHELF), 0) FROM ZBOOK "
                + "WHERE ZSHELF = ZSHELF.Z_PK) WHERE Z_PK = NEW.ZSHELF; "
                + "SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZSHELF', Z_ENT, Z_PK, 'bookCount', "
                + "ZBOOKCOUNT) FROM ZSHELF WHERE Z_PK = NEW.ZSHELF; END",
        ]
        let made = try statements(Library.model())
        for statement in expected { #expect(made.contains(statement), "\(statement)") }
    }

    @Test func triggersThatCallAFunctionOfOursAreNotWrittenToTheFile() throws {
        let made = try statements(Library.model()).filter { $0.contains("TRIGGER") }
        #expect(!made.isEmpty)
        for statement in made {
            #expect(!statement.contains("CoreDataCanonical") && !statement.contains("CoreDataLower"))
        }
        let model = Library.model()
        try withExtendedLifetime(model) {
            let under = try StoreUnderTest(folder.file("Library.sqlite"), model.storeModel(configuration: nil))
            let stored = try under.integer("SELECT count(*) FROM sqlite_master WHERE name LIKE '%_canonical_%'")
            #expect(stored == 0)
            #expect(
                try under.integer("SELECT count(*) FROM sqlite_temp_master WHERE name LIKE '%_canonical_%'") ?? 0 > 0)
        }
    }

    @Test func aModelWithoutDerivedAttributesHasNoTriggers() throws {
        let under = try StoreUnderTest(folder.file("League.sqlite"))
        #expect(try under.integer("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == 0)
        #expect(try under.integer("SELECT count(*) FROM sqlite_temp_master") == 0)
    }

    @Test func theFunctionsOfATriggerThatTheFileBringsAlongAreKnown() throws {
        let model = Library.model()
        try withExtendedLifetime(model) {
            let url = folder.file("Library.sqlite")
            let identity = try model.storeModel(configuration: nil)
            let first = try StoreUnderTest(url, identity)
            // What the function that folds is called in Apple's stores is not known; any name must do.
            try first.store.connection.execute(
                """
                CREATE TRIGGER Z_DA_ZBOOK_Book_canonical_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN
                    UPDATE ZBOOK SET ZCANONICAL = NSCoreDataSomeName(ZTITLE) WHERE Z_PK = NEW.Z_PK;
                    SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue(
                        'ZBOOK', Z_ENT, Z_PK, 'canonical', ZCANONICAL) FROM ZBOOK WHERE Z_PK = NEW.Z_PK;
                END
                """)
            try first.store.close()
            let under = try StoreUnderTest(url, identity)
            let book = try under.newReference("Book")
            let row = try under.save(inserts: [under.change(book, nil, ["title": .string("É")])])[0]
            #expect(under.string(row, "canonical") == "e")
        }
    }

    @Test func aFunctionThatTriggersCallOnlyToTellOfARowIsKnownWhateverItsName() throws {
        let url = folder.file("League.sqlite")
        let first = try StoreUnderTest(url)
        try first.store.connection.execute(
            """
            CREATE TRIGGER ZT_ZTEAM_TOUCH AFTER INSERT ON ZTEAM FOR EACH ROW BEGIN
                UPDATE ZTEAM SET ZFOUNDED = 7 WHERE Z_PK = NEW.Z_PK;
                SELECT NSCoreDataOfTomorrow('ZTEAM', Z_ENT, Z_PK) FROM ZTEAM WHERE Z_PK = NEW.Z_PK;
            END
            """)
        try first.store.close()
        let under = try StoreUnderTest(url)
        let row = try under.save(inserts: [under.change(try under.newReference("Team"))])[0]
        #expect(row.double(under.slot("Team", "founded").cell) == 7)
    }

    // MARK: Places

    private func places() throws -> NSManagedObjectModel {
        let place = entity(
            "Place", [attribute("latitude", .doubleAttributeType), attribute("longitude", .doubleAttributeType)])
        place.indexes = [
            NSFetchIndexDescription(
                name: "byPlace",
                elements: place.properties.sorted { $0.name < $1.name }.map {
                    NSFetchIndexElementDescription(property: $0, collationType: .rTree)
                })
        ]
        return CoreDataTests.model(place)
    }

    @Test func aSpatialIndexIsAnRTreeThatTriggersKeep() throws {
        let model = try places()
        try withExtendedLifetime(model) {
            let under = try StoreUnderTest(folder.file("Places.sqlite"), model.storeModel(configuration: nil))
            #expect(
                try under.store.connection.text(
                    "SELECT sql FROM sqlite_master WHERE name = 'Z_RT_Place_byPlace_INSERT'")
                    == "CREATE TRIGGER Z_RT_Place_byPlace_INSERT AFTER INSERT ON ZPLACE FOR EACH ROW BEGIN "
                    + "INSERT OR REPLACE INTO Z_RT_Place_byPlace (Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX, "
                    + "ZLONGITUDE_MIN, ZLONGITUDE_MAX) VALUES (NEW.Z_PK, NEW.ZLATITUDE, NEW.ZLATITUDE, "
                    + "NEW.ZLONGITUDE, NEW.ZLONGITUDE); END")
            func found(_ box: String) throws -> Int64? {
                try under.integer("SELECT max(Z_PK) FROM Z_RT_Place_byPlace WHERE \(box)")
            }
            let place = try under.newReference("Place")
            let row = try under.save(inserts: [
                under.change(place, nil, ["latitude": .double(52), "longitude": .double(4.5)])
            ])[0]
            #expect(try found("ZLATITUDE_MIN > 51 AND ZLATITUDE_MAX < 53 AND ZLONGITUDE_MIN > 4") == place.key)
            let moved = try under.save(updates: [under.change(place, row, ["latitude": .double(59.9)])])[0]
            #expect(try found("ZLATITUDE_MIN > 51 AND ZLATITUDE_MAX < 53") == 0)
            #expect(try found("ZLATITUDE_MIN > 59") == place.key)
            try under.save(deletes: [under.change(place, moved)])
            #expect(try under.integer("SELECT count(*) FROM Z_RT_Place_byPlace") == 0)
            #expect(try under.store.connection.text("PRAGMA integrity_check") == "ok")
        }
    }
}
