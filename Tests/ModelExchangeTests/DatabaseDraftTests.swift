import CoreData
import CoreDataPostgreSQL
import Foundation
import ModelDocument
import ModelLint
import PostgreSQLClient
import PostgreSQLServer
import StoreBrowsing
import Testing

@testable import ModelExchange

@Suite("Drafts of models over the tables of a database")
struct DatabaseDraftTests {
    private static let shop = """
        CREATE TYPE status AS ENUM ('open', 'paid');
        CREATE TABLE customers (id bigserial PRIMARY KEY, lock_version integer NOT NULL DEFAULT 0,
            full_name varchar(60) NOT NULL UNIQUE, born date, score double precision DEFAULT 1.5, address inet);
        COMMENT ON TABLE customers IS 'Who buys';
        COMMENT ON COLUMN customers.full_name IS 'As it is spoken';
        CREATE TABLE orders (id serial PRIMARY KEY, version bigint NOT NULL DEFAULT 1,
            customer_id bigint NOT NULL REFERENCES customers ON DELETE CASCADE, state status NOT NULL DEFAULT 'open',
            total numeric(8, 2), placed_at timestamptz NOT NULL DEFAULT now(), CHECK (total >= 0));
        CREATE INDEX orders_placed ON orders (placed_at DESC);
        CREATE INDEX orders_open ON orders (placed_at) WHERE state = 'open';
        CREATE TABLE tags (id int PRIMARY KEY, version int NOT NULL DEFAULT 1, label text NOT NULL);
        CREATE TABLE order_tags (order_id int REFERENCES orders ON DELETE CASCADE, tag_id int REFERENCES tags,
            PRIMARY KEY (tag_id, order_id));
        CREATE VIEW paid AS SELECT * FROM orders WHERE state = 'paid';
        INSERT INTO customers (full_name, born) VALUES ('Ada', '1815-12-10');
        INSERT INTO orders (customer_id, total) VALUES (1, 12.50);
        INSERT INTO tags VALUES (1, 1, 'gift');
        INSERT INTO order_tags VALUES (1, 1);
        """

    private func database(_ sql: String) throws -> String {
        let url = try PostgreSQLServer.shared.newDatabase()
        let connection = try PostgreSQLConnection(url)
        defer { connection.close() }
        for statement in sql.components(separatedBy: ";\n")
        where !statement.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
            try connection.execute(statement)
        }
        return url
    }

    @Test("the draft is as it was looked at, and lints clean")
    func expected() throws {
        let (draft, _) = try DraftSource.draft(database(Self.shop))
        let text = DraftTests.listing(draft)
        if ProcessInfo.processInfo.environment["COREDATA_RECORD"] == "1" {
            try Data(text.utf8).write(to: ExchangeSamples.fixtures.appendingPathComponent("Expected/Shop.database.txt"))
        }
        #expect(try text == ExchangeSamples.fixture("Expected/Shop.database.txt"))
        #expect(ModelLint.diagnostics(of: draft.model).isEmpty)
    }

    @Test("a store opens over the tables with the draft as it is, and reads and saves objects")
    func store() throws {
        let url = try database(Self.shop)
        let (draft, _) = try DraftSource.draft(url)
        try use(url, draft) { context in
            let customer = try #require(
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Customer")).first)
            #expect(customer.value(forKey: "fullName") as? String == "Ada")
            let order = try #require((customer.value(forKey: "orders") as? Set<NSManagedObject>)?.first)
            #expect(order.value(forKey: "state") as? String == "open")
            let tags = order.value(forKey: "tags") as? Set<NSManagedObject>
            #expect(tags?.first?.value(forKey: "label") as? String == "gift")
            let other = NSEntityDescription.insertNewObject(forEntityName: "Customer", into: context)
            other.setValue("Grace", forKey: "fullName")
            order.setValue("paid", forKey: "state")
            try context.save()
        }
        let connection = try PostgreSQLConnection(url)
        defer { connection.close() }
        #expect(try connection.execute("SELECT count(*) FROM customers").int64(0, 0) == 2)
        #expect(try connection.execute("SELECT version FROM orders WHERE state = 'paid'").int64(0, 0) == 2)
    }

    /// Works with a store over the tables of a database.
    private func use(_ url: String, _ draft: ModelDraft, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let model = try NSManagedObjectModel(document: draft.model.plain)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        // The framework's own tables come into a schema of their own.
        let place = try #require(URL(string: url + (url.contains("?") ? "&" : "?") + "schema=framework"))
        let store = try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType, configurationName: nil, at: place, options: nil)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
    }

    @Test("tables with UUIDs and texts as keys make a draft over which a store opens, too") func otherKeys() throws {
        let url = try database(
            """
            CREATE TABLE countries (code text PRIMARY KEY, version int NOT NULL DEFAULT 1, name text);
            CREATE TABLE people (id uuid PRIMARY KEY, version int NOT NULL DEFAULT 1, name text, \
            country_code text REFERENCES countries);
            CREATE TABLE friends (person_id uuid REFERENCES people, friend_id uuid REFERENCES people, \
            PRIMARY KEY (person_id, friend_id));
            INSERT INTO countries VALUES ('ar', 1, 'Argentina');
            INSERT INTO people VALUES ('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 1, 'Ana', 'ar')
            """)
        let (draft, _) = try DraftSource.draft(url)
        #expect(ModelLint.diagnostics(of: draft.model).isEmpty)
        try use(url, draft) { context in
            let ana = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).first)
            let country = try #require(ana.value(forKey: "country") as? NSManagedObject, "\(draft.notes)")
            #expect(country.value(forKey: "name") as? String == "Argentina")
            let bea = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            bea.setValuesForKeys(["id": UUID(), "name": "Bea", "country": country])
            try context.save()
        }
        let connection = try PostgreSQLConnection(url)
        defer { connection.close() }
        #expect(try connection.execute("SELECT count(*) FROM people WHERE country_code = 'ar'").int64(0, 0) == 2)
    }

    @Test("what can't be mapped is told: keys of other types, keys of several columns, tables without versions")
    func unmapped() throws {
        let (draft, _) = try DraftSource.draft(
            database(
                """
                CREATE TABLE a (id date PRIMARY KEY, name text);
                CREATE TABLE b (id int PRIMARY KEY, a_id date REFERENCES a, note text);
                CREATE TABLE c (x int, y int, PRIMARY KEY (x, y));
                CREATE TABLE pairs (b_id int REFERENCES b, other_id int REFERENCES b);
                """))
        #expect(draft.notes.contains { $0.hasPrefix("public.a has no single key of integers, UUIDs or texts") })
        #expect(draft.notes.contains { $0.hasPrefix("public.c has no single key") })
        #expect(draft.notes.contains { $0.hasPrefix("public.b has no column with versions") })
        #expect(draft.notes.contains { $0.contains("public.b (a_id) refers to other columns of public.a") })
        #expect(draft.notes.contains { $0.contains("public.pairs has no unique index") })
        #expect(draft.model[entity: "B"]?.attributes.map(\.name) == ["aId", "note"])
        #expect(ModelLint.diagnostics(of: draft.model).isEmpty)
    }

    @Test("a schema alone is read, and failures name no password")
    func schemas() throws {
        let url = try database(
            "CREATE SCHEMA one;\nCREATE TABLE one.t (id int PRIMARY KEY);\nCREATE TABLE t (id int PRIMARY KEY);")
        let (both, _) = try DraftSource.draft(url)
        #expect(both.model.entities.map(\.name).sorted() == ["OneT", "PublicT"])
        let (one, _) = try DraftSource.draft(url + (url.contains("?") ? "&" : "?") + "schema=one")
        #expect(one.model.entities.map(\.name) == ["T"])
        let failure = #expect(throws: ToolFailure.self) {
            try DraftSource.draft("postgresql://me:secret@127.0.0.1:1/none?connect_timeout=1")
        }
        #expect(failure?.message.contains("secret") == false)
    }
}
