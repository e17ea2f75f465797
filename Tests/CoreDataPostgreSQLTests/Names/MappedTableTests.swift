import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

/// Stores over tables that another program has made.
@Suite("Tables of other programs")
struct MappedTableTests {
    private let store: NamedStore
    private let names = NamedModel(
        tables: [
            "Band": "music.bands", "Album": "music.albums", "Label": "music.labels", "Band.labels": "music.contracts",
        ],
        columns: [
            "Band.name": "full_name", "Album.band": "band_id", "Band.labels": "label_id", "Label.bands": "band_id",
            "Album.year": "released_in", "Album.kind": "kind", "Album.added": "added_at", "Album.price": "price",
            "Album.length": "minutes", "Album.notes": "notes", "Album.code": "code", "Album.cover": "cover",
        ],
        keys: ["Band": "id", "Album": "id", "Label": "id"],
        versions: ["Band": "lock_version", "Album": "lock_version"],
        attributes: [
            ("kind", .stringAttributeType), ("added", .dateAttributeType), ("price", .decimalAttributeType),
            ("length", .doubleAttributeType), ("notes", .stringAttributeType), ("code", .UUIDAttributeType),
            ("cover", .binaryDataAttributeType),
        ])

    /// Tables with what is common elsewhere: keys of 32 bits that the database gives, constraints that do not wait,
    /// enumerations, dates without a time zone, a column that a trigger fills.
    init() throws {
        store = try NamedStore()
        try store.run(
            "CREATE SCHEMA music",
            "CREATE TYPE music.kind AS ENUM ('studio', 'live')",
            """
            CREATE TABLE music.bands (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
            full_name varchar(20) NOT NULL UNIQUE, lock_version integer NOT NULL DEFAULT 1, hits bigint DEFAULT 7)
            """,
            """
            CREATE TABLE music.albums (id serial PRIMARY KEY, title text, released_in smallint, \
            band_id integer REFERENCES music.bands (id), kind music.kind, added_at timestamp, price numeric(8, 2), \
            minutes real, notes jsonb, code uuid, cover bytea, lock_version bigint NOT NULL DEFAULT 1)
            """,
            "CREATE TABLE music.labels (id bigserial PRIMARY KEY, name text)",
            """
            CREATE TABLE music.contracts (band_id integer REFERENCES music.bands (id), \
            label_id bigint REFERENCES music.labels (id), PRIMARY KEY (band_id, label_id))
            """,
            """
            CREATE FUNCTION music.shout() RETURNS trigger LANGUAGE plpgsql AS \
            $$ BEGIN NEW.title = upper(NEW.title); RETURN NEW; END $$
            """,
            "CREATE TRIGGER shout BEFORE INSERT OR UPDATE ON music.albums FOR EACH ROW EXECUTE FUNCTION music.shout()",
            "INSERT INTO music.bands (full_name) VALUES ('Can'), ('Neu!')",
            "INSERT INTO music.labels (name) VALUES ('Spoon'), ('Brain')",
            "INSERT INTO music.contracts VALUES (1, 1), (2, 2)",
            """
            INSERT INTO music.albums (title, released_in, band_id, kind, added_at, price, minutes, notes, code, cover) \
            VALUES ('Tago Mago', 1971, 1, 'studio', '2001-01-01 00:00:10', 12.50, 73.5, '{"a": 1}', \
            '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '\\x0102')
            """)
    }

    @Test("rows of other programs are objects, with values of all types")
    func reading() throws {
        let context = try store.open(names.make())
        try context.performAndWait {
            let album = try #require(
                try context.all("Album", "band.name == 'Can' AND ANY band.labels.name == 'Spoon' AND year < 1972").first
            )
            #expect(album.value(forKey: "title") as? String == "TAGO MAGO")
            #expect(album.value(forKey: "kind") as? String == "studio")
            #expect(album.value(forKey: "added") as? Date == Date(timeIntervalSinceReferenceDate: 10))
            #expect(album.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "12.5"))
            #expect(album.value(forKey: "length") as? Double == 73.5)
            #expect(album.value(forKey: "notes") as? String == "{\"a\": 1}")
            #expect(album.value(forKey: "code") as? UUID == UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
            #expect(album.value(forKey: "cover") as? Data == Data([1, 2]))
            #expect(album.objectID.uriRepresentation().lastPathComponent == "p1")
            #expect(
                try context.all("Band", sorted: "name").map { $0.value(forKey: "name") as? String } == ["Can", "Neu!"])
        }
    }

    @Test("objects are saved, changed and deleted in an order that constraints of the tables allow")
    func writing() throws {
        let context = try store.open(names.make())
        try context.performAndWait {
            let album = context.insert("Album", ["title": "Faust IV", "year": 1973, "kind": "live", "length": 44.0])
            let band = context.insert("Band", ["name": "Faust", "albums": [album] as NSSet])
            band.setValue(Set(try context.all("Label", "name == 'Brain'")), forKey: "labels")
            try context.save()
            // The table's trigger has changed it.
            #expect(album.value(forKey: "title") as? String == "FAUST IV")
            album.setValue("So far", forKey: "title")
            try context.save()
            #expect(album.value(forKey: "title") as? String == "SO FAR")
        }
        #expect(
            try store.run(
                """
                SELECT full_name || ' ' || title || ' ' || kind || ' ' || albums.lock_version || ' ' || hits || ' ' || labels.name \
                FROM music.albums JOIN music.bands ON bands.id = band_id JOIN music.contracts ON contracts.band_id = bands.id \
                JOIN music.labels ON labels.id = label_id WHERE full_name = 'Faust'
                """) == ["Faust SO FAR live 2 7 Brain"])
        try context.performAndWait {
            for object in try context.all("Band", "name == 'Faust'") + context.all("Album", "band.name == 'Faust'") {
                context.delete(object)
            }
            try context.save()
        }
        #expect(try store.run("SELECT count(*)::text FROM music.contracts") == ["2"])
    }

    @Test("new objects get the keys that a sequence gives, with the gaps that it has") func gaps() throws {
        try store.run("ALTER SEQUENCE music.albums_id_seq INCREMENT BY 50")
        let context = try store.open(names.make())
        try context.performAndWait {
            for number in 1...3 { _ = context.insert("Album", ["title": "saved \(number)"]) }
            try context.save()
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.performAndWait {
                let albums = (1...3).map { child.insert("Album", ["title": "of a child \($0)"]) }
                try child.obtainPermanentIDs(for: albums)
                try child.save()
            }
            try context.save()
            let titles = (1...150).map { ["title": "b\($0)"] }
            try context.execute(NSBatchInsertRequest(entityName: "Album", objects: titles))
        }
        let found = try store.run("SELECT title FROM music.albums WHERE title NOT LIKE 'B%' ORDER BY id")
        #expect(found.count == 7, "\(found)")
        #expect(try store.run("SELECT count(*)::text FROM music.albums WHERE id % 50 = 1") == ["157"])
        // What is left of the keys that a batch takes is less than a hundred.
        #expect(try store.run("SELECT (last_value < 50 * 270)::text FROM music.albums_id_seq") == ["true"])
    }

    @Test("what another program has changed since is a conflict, and nothing of it is lost")
    func conflict() throws {
        let context = try store.open(names.make())
        try context.performAndWait {
            let band = try #require(try context.all("Band", "name == 'Can'").first)
            _ = band.value(forKey: "name")
            try store.run("UPDATE music.bands SET full_name = 'CAN', lock_version = lock_version + 1 WHERE id = 1")
            band.setValue("Inner Space", forKey: "name")
            #expect(throws: (any Error).self) { try context.save() }
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            try context.save()
        }
        #expect(try store.run("SELECT full_name || lock_version FROM music.bands WHERE id = 1") == ["Inner Space3"])
    }

    @Test("a constraint of the tables refuses a save with an error, and all of it")
    func constraint() throws {
        let context = try store.open(names.make())
        try context.performAndWait { () throws in
            _ = context.insert("Album", ["title": "x"])
            _ = context.insert("Band", ["name": "Neu!"])
            let error = store.error { try context.save() }
            #expect(error?.code == NSManagedObjectConstraintMergeError, "\(error as Any)")
            context.rollback()
            _ = context.insert("Band", ["name": "A name that is longer than the column"])
            #expect(store.error { try context.save() }?.code == NSPersistentStoreSaveError)
        }
        #expect(try store.run("SELECT count(*)::text FROM music.albums") == ["1"])
        #expect(try store.run("SELECT count(*)::text FROM music.bands") == ["2"])
    }

    @Test("batches insert, change and delete rows of other programs")
    func batches() throws {
        let context = try store.open(names.make())
        try context.performAndWait {
            let insertion = NSBatchInsertRequest(
                entityName: "Album", objects: (1...50).map { ["title": "t\($0)", "year": 1900 + $0] })
            insertion.resultType = .count
            #expect((try context.execute(insertion) as? NSBatchInsertResult)?.result as? Int == 50)
            let update = NSBatchUpdateRequest(entityName: "Album")
            update.predicate = NSPredicate(format: "year <= 1910")
            update.propertiesToUpdate = ["kind": "live"]
            update.resultType = .updatedObjectsCountResultType
            #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 10)
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Album")
            fetch.predicate = NSPredicate(format: "year BETWEEN {1911, 1950}")
            try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        }
        #expect(try store.run("SELECT count(*) || ' ' || count(kind) FROM music.albums") == ["11 11"])
        #expect(try store.run("SELECT count(*)::text FROM \"_coredata_trigger_notes\"") == ["0"])
    }

    @Test("history has the changes of rows of other programs")
    func history() throws {
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]
        let context = try store.open(names.make(), options: options)
        try context.performAndWait {
            context.insert("Band", ["name": "Cluster"]).setValue("Cluster II", forKey: "name")
            try context.save()
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
            #expect(transactions.flatMap { $0.changes ?? [] }.map(\.changeType) == [.insert])
        }
    }

    @Test("a table without a column for versions is read, and refuses to be written")
    func readOnly() throws {
        let context = try store.open(names.make())
        try context.performAndWait {
            let label = try #require(try context.all("Label", "name == 'Spoon'").first)
            label.setValue("Fork", forKey: "name")
            let error = store.error { try context.save() }
            #expect(error?.code == CocoaError.Code.fileWriteNoPermission.rawValue, "\(error as Any)")
            #expect(error?.localizedFailureReason?.contains("Label can only be read") == true)
            context.rollback()
            // What others write is seen.
            try store.run("UPDATE music.labels SET name = 'Knife' WHERE id = 1")
            context.refreshAllObjects()
            #expect(try context.all("Label", "name == 'Knife'") == [label])
            #expect(label.value(forKey: "name") as? String == "Knife")
        }
    }

    @Test("a model with another attribute is mapped anew; the tables stay as they are")
    func otherModel() throws {
        _ = try store.open(names.make())
        var next = names
        next.attributes.append(("hits", .integer64AttributeType))
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        #expect(throws: (any Error).self) { _ = try store.open(next.make(), options: options) }
        try store.run("ALTER TABLE music.albums ADD hits bigint NOT NULL DEFAULT 3")
        let context = try store.open(next.make(), options: options)
        try context.performAndWait { () throws in
            #expect(try context.all("Album", "hits == 3").count == 1)
        }
    }

    @Test("an attribute can have the key, which is the number in the object's ID, and stays as it is")
    func attributeWithKey() throws {
        var model = names
        model.attributes.append(("number", .integer64AttributeType))
        model.columns["Album.number"] = "id"
        let context = try store.open(model.make())
        try context.performAndWait {
            let album = context.insert("Album", ["title": "Soon Over Babaluma", "number": 4711])
            try context.save()
            let number = try #require(album.value(forKey: "number") as? Int)
            #expect(album.objectID.uriRepresentation().lastPathComponent == "p\(number)")
            album.setValue(4712, forKey: "number")
            album.setValue("Landed", forKey: "title")
            try context.save()
            #expect(album.value(forKey: "number") as? Int == number)
            #expect(try context.all("Album", "number == \(number) AND title == 'LANDED'") == [album])
        }
    }

    @Test("a column that has another name now is found once the user info says it")
    func otherNames() throws {
        _ = try store.open(names.make())
        try store.run("ALTER TABLE music.bands RENAME full_name TO title")
        var next = names
        next.columns["Band.name"] = "title"
        let context = try store.open(next.make())
        try context.performAndWait { () throws in #expect(try context.all("Band", "name == 'Can'").count == 1) }
    }

    @Test("a destroyed store leaves the tables of the other program")
    func destruction() throws {
        _ = try store.open(names.make())
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: names.make())
        try coordinator.destroyPersistentStore(at: store.url, type: .postgreSQL)
        #expect(try store.run("SELECT count(*)::text FROM music.bands") == ["2"])
        let left = """
            SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace \
            UNION SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
            """
        #expect(try store.run(left) == [])
        _ = try store.open(names.make())
    }

    @Test(
        "what the tables lack is told by an error, and nothing is made",
        arguments: [
            ("Band", \NamedModel.tables, "music.groups", "there is no table \"music\".\"groups\""),
            ("Band.name", \NamedModel.columns, "name", "has no column “name”"),
            ("Band", \NamedModel.keys, "nothing", "has no column “nothing” with integers, UUIDs or texts"),
            ("Album", \NamedModel.keys, "price", "has no column “price” with integers, UUIDs or texts"),
            ("Album", \NamedModel.keys, "title", "needs a unique index on its column title"),
            ("Band", \NamedModel.keys, nil, "Band lacks postgreSQLKey"),
            ("Album.year", \NamedModel.columns, "title", "is of type text, of which no integer can be made"),
            ("Band.labels", \NamedModel.tables, "music.albums", "has no column “label_id” with integers"),
        ] as [(String, WritableKeyPath<NamedModel, [String: String]> & Sendable, String?, String)])
    func refused(
        path: String, part: WritableKeyPath<NamedModel, [String: String]> & Sendable, name: String?, sentence: String
    ) throws {
        var model = names
        model[keyPath: part][path] = name
        let error = store.error { _ = try store.open(model.make()) }
        #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(error?.localizedFailureReason?.contains(sentence) == true, "\(error as Any)")
        #expect(try store.run("SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace") == [])
    }
}
