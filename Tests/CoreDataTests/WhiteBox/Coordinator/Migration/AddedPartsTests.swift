import Foundation
import Testing

@testable import CoreData

/// What an app has made by itself in a store: a migration in place keeps it, or says what stands against that.
@Suite struct AddedPartsTests {
    private static let removable = ["a", "b", "c"]

    private func books(_ attributes: [NSAttributeDescription], _ extra: [NSEntityDescription] = [])
        -> NSManagedObjectModel
    {
        let model = NSManagedObjectModel()
        model.entities = [entity("Book", attributes)] + extra
        return model
    }

    private func string(_ name: String) -> NSAttributeDescription { attribute(name, .stringAttributeType) }

    /// A store of books with attributes enough that a migration which removes three of them copies the table.
    private func store(_ statements: String...) throws -> MigratedStore {
        let store = try MigratedStore(books((["title", "pages"] + Self.removable).map(string))) { context throws in
            for title in ["Emma", "Persuasion"] { _ = context.insert("Book", ["title": title, "pages": "7"]) }
        }
        try sql(store, statements)
        return store
    }

    private func sql(_ store: MigratedStore, _ statements: [String]) throws {
        let connection = try SQLiteConnection(path: store.url.path, access: .readWrite)
        defer { connection.close() }
        for statement in statements { try connection.execute(statement) }
    }

    private func text(_ store: MigratedStore, _ query: String) throws -> String? {
        let connection = try SQLiteConnection(path: store.url.path, access: .readWrite)
        defer { connection.close() }
        return try connection.text(query)
    }

    private func definition(_ store: MigratedStore, _ name: String) throws -> String? {
        try text(store, "SELECT sql FROM sqlite_master WHERE name = '\(name)'")
    }

    /// Migrations that keep the table, copy it, and rename what is in it.
    private var versions: [(name: String, model: NSManagedObjectModel, title: String)] {
        [
            ("added", books((["title", "pages", "more"] + Self.removable).map(string)), "ZTITLE"),
            ("copied", books(["title", "pages"].map(string)), "ZTITLE"),
            ("renamed", books([string("name").renamed(from: "title"), string("pages")]), "ZNAME"),
            (
                "renamed in place",
                books((["pages"] + Self.removable).map(string) + [string("name").renamed(from: "title")]), "ZNAME"
            ),
        ]
    }

    @Test func anIndexStaysOverTheColumnsThatStay() throws {
        for version in versions {
            let store = try store(
                "CREATE INDEX by_title ON ZBOOK(ztitle, ZPAGES DESC) WHERE ZTITLE <> 'ZTITLE'",
                "CREATE UNIQUE INDEX \"Zoo\" ON ZBOOK(upper(ZTITLE))")
            try store.use(version.model) { _ in }
            let found = try #require(try definition(store, "by_title"), "\(version.name)")
            #expect(found.replacing("\"", with: "").contains("(\(version.title)") || found.contains("(ztitle"))
            #expect(found.contains("'ZTITLE'"))
            #expect(
                try text(store, "SELECT group_concat(name) FROM pragma_index_info('by_title')")
                    == "\(version.title),ZPAGES")
            #expect(try definition(store, "Zoo") != nil, "\(version.name)")
        }
    }

    @Test func anIndexGoesWithItsColumn() throws {
        for attributes in [["title", "pages"], ["title", "pages", "b", "c"]] {
            let store = try store("CREATE INDEX by_a ON ZBOOK(ZTITLE, za)")
            try store.use(books(attributes.map(string))) { context throws in
                #expect(
                    try context.all("Book", sortedBy: "title").map { $0.string("title") } == ["Emma", "Persuasion"])
            }
            #expect(try definition(store, "by_a") == nil)
        }
    }

    @Test func triggersAndViewsStayAndDoNotRunMeanwhile() throws {
        for version in versions {
            let store = try store(
                "CREATE TABLE log(title, note)",
                "CREATE TRIGGER noted AFTER INSERT ON ZBOOK BEGIN "
                    + "INSERT INTO log VALUES (new.ZTITLE, (SELECT count(*) FROM titles)); END",
                "CREATE TRIGGER removed AFTER DELETE ON ZBOOK BEGIN DELETE FROM log WHERE title = old.ZTITLE; END",
                "CREATE VIEW titles AS SELECT ZTITLE AS title FROM ZBOOK",
                "CREATE VIEW long_titles AS SELECT title FROM titles WHERE length(title) > 4",
                "CREATE TRIGGER added INSTEAD OF INSERT ON long_titles BEGIN "
                    + "INSERT INTO log VALUES (new.title, 'view'); END")
            let title = version.title == "ZTITLE" ? "title" : "name"
            try store.use(version.model) { context throws in
                _ = context.insert("Book", [title: "Mansfield Park"])
                try context.save()
            }
            #expect(
                try text(store, "SELECT group_concat(title || note) FROM log") == "Mansfield Park3", "\(version.name)")
            #expect(
                try text(store, "SELECT group_concat(title) FROM (SELECT * FROM long_titles ORDER BY title)")
                    == "Mansfield Park,Persuasion")
            try sql(store, ["INSERT INTO long_titles VALUES ('a view')"])
            #expect(try text(store, "SELECT note FROM log WHERE title = 'a view'") == "view")
        }
    }

    @Test func aTriggerOrViewOverAColumnThatGoesStopsTheMigration() throws {
        let parts = [
            "CREATE TRIGGER noted AFTER UPDATE OF ZA ON ZBOOK BEGIN DELETE FROM ZBOOK WHERE ZTITLE = new.ZA; END",
            "CREATE VIEW noted AS SELECT \"ZA\" FROM ZBOOK",
        ]
        for part in parts {
            for attributes in [["title", "pages"], ["title", "pages", "b", "c"]] {
                let store = try store(part)
                let error = try #require(thrown { try store.use(books(attributes.map(string))) { _ in } })
                #expect(error.code == NSMigrationError)
                #expect(error.localizedFailureReason?.contains("noted") ?? false)
                #expect(error.localizedFailureReason?.contains("ZA") ?? false)
                try store.use(books((["title", "pages"] + Self.removable).map(string)), [:]) { context throws in
                    #expect(try context.all("Book").count == 2)
                }
                #expect(try definition(store, "noted") == part)
            }
        }
    }

    @Test func aNumberOfAnEntityThatChangesStopsTheMigration() throws {
        let store = try store("CREATE VIEW one AS SELECT ZTITLE FROM ZBOOK WHERE Z_ENT = 1")
        let all = (["title", "pages"] + Self.removable).map(string)
        let error = try #require(
            thrown { try store.use(books(all, [entity("Author", [string("name")])])) { _ in } })
        #expect(error.code == NSMigrationError && error.localizedFailureReason?.contains("Z_ENT") ?? false)
    }

    @Test func aVirtualTableWithANameThatChangesStopsTheMigration() throws {
        let parts = [
            ["CREATE VIRTUAL TABLE boxes USING rtree(id, ZBOOK_low, high, +ZTITLE, +ZBOOK)"],
            [
                "CREATE VIRTUAL TABLE boxes USING rtree(id, low, high, +ZTITLE)",
                "CREATE TRIGGER boxed AFTER INSERT ON ZBOOK BEGIN "
                    + "INSERT INTO boxes(id, low, high, ZTITLE) VALUES (new.Z_PK, 1, 2, new.ZTITLE); END",
            ],
        ]
        for part in parts {
            for version in versions {
                let store = try store()
                try sql(store, part)
                let error = thrown { try store.use(version.model) { _ in } }
                #expect((error?.code == NSMigrationError) == (version.title != "ZTITLE"), "\(version.name)")
                if let error { #expect(error.localizedFailureReason?.contains("virtual table") ?? false) }
            }
        }
    }

    @Test func aTriggerGoesWithItsTable() throws {
        let store = try store(
            "CREATE TABLE log(title)",
            "CREATE TRIGGER noted AFTER INSERT ON ZBOOK BEGIN INSERT INTO log VALUES (new.ZTITLE); END")
        try store.use(model(entity("Author", [string("name")]))) { _ in }
        #expect(try definition(store, "noted") == nil)
    }

    @Test func aTriggerThatCanNotRunAnyLongerStopsTheMigration() throws {
        let store = try store("CREATE VIEW titles AS SELECT ZTITLE FROM ZBOOK")
        try sql(
            store,
            ["CREATE TRIGGER noted AFTER INSERT ON ZBOOK BEGIN INSERT INTO gone SELECT ZTITLE FROM ZBOOK; END"])
        let error = try #require(thrown { try store.use(books(["title", "pages"].map(string))) { _ in } })
        #expect(error.code == NSMigrationError)
        #expect(error.localizedFailureReason?.contains("noted") ?? false)
    }

    @Test func columnsOfTheAppStayWhereTheTableIsCopied() throws {
        for version in versions {
            let store = try store(
                "ALTER TABLE ZBOOK ADD COLUMN shelf TEXT DEFAULT 'none'", "CREATE INDEX by_shelf ON ZBOOK(shelf)",
                "UPDATE ZBOOK SET shelf = 'b7' WHERE ZTITLE = 'Emma'")
            try store.use(version.model) { _ in }
            let shelves = "SELECT group_concat(shelf) FROM (SELECT shelf FROM ZBOOK ORDER BY \(version.title))"
            #expect(try text(store, shelves) == "b7,none", "\(version.name)")
            #expect(try definition(store, "by_shelf") != nil)
        }
    }

    @Test func aColumnOfTheAppWhoseNameTheModelNeedsStopsTheMigration() throws {
        for removed in [[], Self.removable] {
            let store = try store("ALTER TABLE ZBOOK ADD COLUMN ZSHELF TEXT DEFAULT 'none'")
            let kept = (["title", "pages"] + Self.removable).filter { !removed.contains($0) }
            let error = try #require(
                thrown { try store.use(books((kept + ["shelf"]).map(string))) { _ in } })
            #expect(error.code == NSMigrationError && error.localizedFailureReason?.contains("ZSHELF") ?? false)
        }
    }
}
