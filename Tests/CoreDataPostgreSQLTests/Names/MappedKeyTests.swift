import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient
import Testing

/// Stores over tables of other programs whose keys are UUIDs and texts.
@Suite("Tables with UUIDs and texts as keys")
struct MappedKeyTests {
    private let store: NamedStore
    private let names = NamedModel(
        tables: [
            "Band": "music.bands", "Album": "music.albums", "Label": "music.labels", "Band.labels": "music.contracts",
        ],
        columns: [
            "Album.band": "band_id", "Band.labels": "label_code", "Label.bands": "band_id", "Album.code": "id",
            "Album.year": "released_in",
        ],
        keys: ["Band": "id", "Album": "id", "Label": "code"],
        versions: ["Band": "lock_version", "Album": "lock_version", "Label": "lock_version"],
        attributes: [("code", .UUIDAttributeType)])

    private static let can = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
    private static let mago = "6ba7b811-9dad-11d1-80b4-00c04fd430c8"

    init() throws {
        store = try NamedStore()
        try store.run(
            "CREATE SCHEMA music",
            """
            CREATE TABLE music.bands (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text UNIQUE, \
            key text, lock_version bigint NOT NULL DEFAULT 1)
            """,
            """
            CREATE TABLE music.albums (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), title text, released_in integer, \
            band_id uuid REFERENCES music.bands (id), lock_version bigint NOT NULL DEFAULT 1)
            """,
            """
            CREATE TABLE music.labels (code varchar(40) COLLATE "C" PRIMARY KEY, name text, \
            lock_version bigint NOT NULL DEFAULT 1)
            """,
            """
            CREATE TABLE music.contracts (band_id uuid REFERENCES music.bands (id), \
            label_code varchar(40) COLLATE "C" REFERENCES music.labels (code), PRIMARY KEY (band_id, label_code))
            """,
            "INSERT INTO music.bands (id, name) VALUES ('\(Self.can)', 'Can')",
            "INSERT INTO music.bands (name) VALUES ('Neu!')",
            "INSERT INTO music.labels (code, name) VALUES ('spo', 'Spoon'), ('bra', 'Brain')",
            "INSERT INTO music.contracts VALUES ('\(Self.can)', 'spo')",
            """
            INSERT INTO music.albums (id, title, released_in, band_id) VALUES ('\(Self.mago)', 'Tago Mago', 1971, '\(Self.can)')
            """)
    }

    private func names(_ objects: [NSManagedObject], _ key: String = "name") -> [String] {
        objects.compactMap { $0.value(forKey: key) as? String }.sorted()
    }

    @Test("rows are objects with numbers in their IDs, and relationships lead both ways") func reading() throws {
        let context = try store.open(names.make())
        try context.performAndWait {
            let album = try #require(
                try context.all("Album", "band.name == 'Can' AND ANY band.labels.name == 'Spoon'").first)
            #expect(album.value(forKey: "code") as? UUID == UUID(uuidString: Self.mago))
            #expect(album.objectID.uriRepresentation().lastPathComponent == "p1")
            let band = try #require(album.value(forKey: "band") as? NSManagedObject)
            #expect(band.value(forKey: "albums") as? NSSet == [album])
            #expect(names(try context.all("Band", "albums.@count == 1")) == ["Can"])
            #expect(names(try context.all("Label", "bands.@count == 0")) == ["Brain"])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
            request.predicate = NSPredicate(format: "band == %@", band)
            #expect(try context.fetch(request) == [album])
            request.predicate = NSPredicate(format: "code == %@", try #require(UUID(uuidString: Self.mago)) as NSUUID)
            #expect(try context.count(for: request) == 1)
        }
    }

    @Test("objects are saved, related, changed and deleted; new ones get the key that they have, or a random one")
    func writing() throws {
        let context = try store.open(names.make())
        let code = UUID()
        try context.performAndWait {
            let album = context.insert("Album", ["title": "Faust IV", "code": code])
            let other = context.insert("Album", ["title": "So Far"])
            let band = context.insert("Band", ["name": "Faust", "albums": [album, other] as NSSet])
            band.setValue(Set(try context.all("Label")), forKey: "labels")
            let label = context.insert("Label", ["name": "Virgin", "bands": [band] as NSSet])
            try context.save()
            #expect(other.value(forKey: "code") is UUID)
            #expect(!label.objectID.isTemporaryID)
            album.setValue("IV", forKey: "title")
            band.setValue(Set([label]), forKey: "labels")
            try context.save()
        }
        let found = """
            SELECT string_agg(bands.name || ' ' || title || ' ' || albums.lock_version || ' ' || labels.name, ', ' ORDER BY title) \
            FROM music.albums JOIN music.bands ON bands.id = band_id JOIN music.contracts ON contracts.band_id = bands.id \
            JOIN music.labels ON labels.code = label_code WHERE bands.name = 'Faust'
            """
        #expect(try store.run(found) == ["Faust IV 2 Virgin, Faust So Far 1 Virgin"])
        #expect(try store.run("SELECT title FROM music.albums WHERE id = '\(code)'") == ["IV"])
        let later = try store.open(names.make())
        try later.performAndWait {
            let band = try #require(try later.all("Band", "name == 'Faust'").first)
            #expect(names(Array(band.value(forKey: "labels") as? Set<NSManagedObject> ?? [])) == ["Virgin"])
            for object in try later.all("Album", "band.name == 'Faust'") + [band] { later.delete(object) }
            try later.save()
        }
        #expect(try store.run("SELECT count(*)::text FROM music.contracts") == ["1"])
        #expect(try store.run("SELECT count(*)::text FROM \"Band._keys\"") == ["2"])
    }

    @Test("what other programs insert, delete and give other keys is seen; a row keeps its object ID") func others()
        throws
    {
        let context = try store.open(names.make())
        try context.performAndWait {
            let band = try #require(try context.all("Band", "name == 'Neu!'").first)
            let id = band.objectID
            try store.run(
                "INSERT INTO music.bands (name) SELECT 'Band ' || n FROM generate_series(1, 1000) AS n",
                """
                UPDATE music.bands SET id = gen_random_uuid(), name = 'Neu! 75', lock_version = lock_version + 1 \
                WHERE name = 'Neu!'
                """,
                "DELETE FROM music.bands WHERE name = 'Band 7'")
            context.refreshAllObjects()
            #expect(try context.all("Band", "name BEGINSWITH 'Band '").count == 999)
            #expect(try context.all("Band", "name == 'Neu! 75'").map(\.objectID) == [id])
            #expect(band.value(forKey: "name") as? String == "Neu! 75")
        }
        #expect(try store.run("SELECT count(*)::text FROM \"Band._keys\"") == ["1001"])
    }

    @Test("another program's role needs no rights on the store's schema to write its table") func rights() throws {
        _ = try store.open(names.make())
        try store.run(
            "CREATE ROLE musician_\(store.role)", "GRANT USAGE ON SCHEMA music TO musician_\(store.role)",
            "GRANT INSERT ON music.bands TO musician_\(store.role)")
        // A temporary table of the role does not come between.
        try store.run(
            "REVOKE ALL ON SCHEMA public FROM PUBLIC", "SET ROLE musician_\(store.role)",
            "CREATE TEMP TABLE \"Band._keys\" (\"key\" uuid)", "INSERT INTO music.bands (name) VALUES ('Faust')")
        let context = try store.open(names.make())
        try context.performAndWait { () throws in #expect(try context.all("Band", "name == 'Faust'").count == 1) }
    }

    @Test("an attribute with the key can be changed, and leads to the same object") func changedKey() throws {
        let context = try store.open(names.make())
        let code = UUID()
        try context.performAndWait {
            let album = try #require(try context.all("Album").first)
            album.setValue(code, forKey: "code")
            try context.save()
            album.setValue("Future Days", forKey: "title")
            try context.save()
        }
        #expect(
            try store.run("SELECT title || lock_version FROM music.albums WHERE id = '\(code)'") == ["Future Days3"])
    }

    @Test("conflicts, constraints, batches and history work as with integers") func rest() throws {
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]
        let context = try store.open(names.make(), options: options)
        try context.performAndWait {
            let band = try #require(try context.all("Band", "name == 'Can'").first)
            _ = band.value(forKey: "name")
            try store.run("UPDATE music.bands SET name = 'CAN', lock_version = lock_version + 1 WHERE name = 'Can'")
            band.setValue("Inner Space", forKey: "name")
            #expect(throws: (any Error).self) { try context.save() }
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            try context.save()
            _ = context.insert("Band", ["name": "Neu!"])
            #expect(store.error { try context.save() }?.code == NSManagedObjectConstraintMergeError)
            context.rollback()
            let mago = try #require(UUID(uuidString: Self.mago))
            _ = context.insert("Album", ["title": "Twin", "code": mago])
            #expect(throws: (any Error).self) { try context.save() }
            context.rollback()
            #expect(try context.all("Album", "title == 'Tago Mago'").count == 1)

            let insertion = NSBatchInsertRequest(entityName: "Album", objects: (1...50).map { ["title": "t\($0)"] })
            insertion.resultType = .count
            #expect((try context.execute(insertion) as? NSBatchInsertResult)?.result as? Int == 50)
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Album")
            fetch.predicate = NSPredicate(format: "title BEGINSWITH 't1'")
            try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
            let types = transactions.flatMap { $0.changes ?? [] }.map(\.changeType)
            #expect(types.filter { $0 == .insert }.count == 50 && types.filter { $0 == .delete }.count == 11)
        }
        #expect(try store.run("SELECT count(*)::text FROM music.albums") == ["40"])
    }

    @Test("a save looks whether an object with a to-one is still as it was read") func checkedObjects() throws {
        let context = try store.open(names.make())
        try context.performAndWait {
            let album = try #require(try context.all("Album").first)
            let label = try #require(try context.all("Label", "name == 'Spoon'").first)
            _ = album.value(forKey: "title")
            context.detectConflicts(for: album)
            context.detectConflicts(for: try #require(try context.all("Band", "name == 'Can'").first))
            label.setValue("Spoon Records", forKey: "name")
            try context.save()
            #expect(try store.run("SELECT name FROM music.labels WHERE code = 'spo'") == ["Spoon Records"])
            try store.run("UPDATE music.albums SET title = 'Mago', lock_version = lock_version + 1")
            context.detectConflicts(for: album)
            label.setValue("Spoon", forKey: "name")
            let error = try #require(store.error { try context.save() })
            #expect(error.code == NSManagedObjectMergeError, "\(error)")
            #expect((error.userInfo["conflictList"] as? [NSMergeConflict])?.map(\.sourceObject) == [album])
            #expect(try store.run("SELECT name FROM music.labels WHERE code = 'spo'") == ["Spoon Records"])
        }
    }

    @Test("a model with other names keeps the object IDs; a destroyed store leaves the tables, without triggers")
    func lifetime() throws {
        func uri(_ names: NamedModel) throws -> URL {
            let context = try store.open(names.make())
            return try context.performAndWait {
                try #require(try context.all("Band", "name == 'Neu!'").first).objectID.uriRepresentation()
            }
        }
        let first = try uri(names)
        try store.run("ALTER TABLE music.bands RENAME name TO title")
        var next = names
        next.columns["Band.name"] = "title"
        #expect(try uri(next) == first)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: next.make())
        try coordinator.destroyPersistentStore(at: store.url, type: .postgreSQL)
        #expect(try store.run("SELECT count(*)::text FROM music.bands") == ["2"])
        let left = """
            SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace \
            UNION SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace \
            UNION SELECT tgname::text FROM pg_trigger WHERE tgrelid = 'music.bands'::regclass AND NOT tgisinternal
            """
        #expect(try store.run(left) == [])
        #expect(try uri(next) != first)
    }

    @Test("stores in two schemas have the same tables, each with its own numbers") func twoStores() throws {
        let separator = store.url.query == nil ? "?" : "&"
        let other = NamedStore(url: try #require(URL(string: store.url.absoluteString + separator + "schema=second")))
        let (one, two) = (try store.open(names.make()), try other.open(names.make()))
        try one.performAndWait {
            _ = one.insert("Band", ["name": "Faust"])
            try one.save()
        }
        try two.performAndWait {
            let band = try #require(try two.all("Band", "name == 'Faust'").first)
            band.setValue("Faust!", forKey: "name")
            try two.save()
        }
        #expect(try store.run("SELECT count(*)::text FROM music.bands WHERE name = 'Faust!'") == ["1"])
    }

    @Test("names with $$ in them are names as all others: of schemas, tables and columns") func dollars() throws {
        var names = names
        names.tables["Label"] = "music.lab$$els"
        names.columns["Band.name"] = "na$body$me"
        try store.run(
            "ALTER TABLE music.labels RENAME TO \"lab$$els\"", "ALTER TABLE music.bands RENAME name TO \"na$body$me\"")
        var parts = try #require(URLComponents(url: store.url, resolvingAgainstBaseURL: false))
        parts.queryItems = (parts.queryItems ?? []) + [URLQueryItem(name: "schema", value: "a$$b$both$")]
        let other = NamedStore(url: try #require(parts.url))
        let context = try other.open(names.make())
        try context.performAndWait {
            let label = context.insert("Label", ["name": "Sky"])
            _ = context.insert("Band", ["name": "Faust", "labels": [label] as NSSet])
            try context.save()
            try store.run("INSERT INTO music.bands (\"na$body$me\") VALUES ('Harmonia')")
            #expect(self.names(try context.all("Band")) == ["Can", "Faust", "Harmonia", "Neu!"])
            #expect(self.names(try context.all("Band", "ANY labels.name == 'Sky'")) == ["Faust"])
        }
        try store.run("DELETE FROM music.bands WHERE \"na$body$me\" = 'Harmonia'")
        #expect(try store.run("SELECT count(*)::text FROM \"a$$b$both$\".\"Band._keys\"") == ["3"])
        try NSPersistentStoreCoordinator(managedObjectModel: names.make()).destroyPersistentStore(
            at: other.url, type: .postgreSQL)
    }

    @Test("a to-one whose column has other values than the keys is refused") func wrongReference() throws {
        try store.run("ALTER TABLE music.albums DROP band_id", "ALTER TABLE music.albums ADD band_id bigint")
        let error = store.error { _ = try store.open(names.make()) }
        #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(error?.localizedFailureReason?.contains("the keys that it leads to are of type uuid") == true)
    }

    @Test("a role that may not make triggers is told so, and nothing is made") func noRights() throws {
        let role = "reader_\(store.role)"
        try store.run(
            "CREATE ROLE \(role) LOGIN", "GRANT USAGE ON SCHEMA music TO \(role)",
            "GRANT SELECT ON ALL TABLES IN SCHEMA music TO \(role)", "GRANT CREATE ON SCHEMA public TO \(role)",
            """
            DO $$ BEGIN EXECUTE 'GRANT CREATE ON DATABASE ' || quote_ident(current_database()) || ' TO \(role)'; END $$
            """)
        let url = store.url.absoluteString.replacing("postgres@", with: "\(role)@")
        let reader = NamedStore(url: try #require(URL(string: url)))
        let error = store.error { _ = try reader.open(names.make()) }
        #expect(error?.localizedFailureReason?.contains("permission denied for table") == true, "\(error as Any)")
        #expect(try store.run("SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace") == [])
    }
}

extension NamedStore {
    /// A name for roles, which are those of the whole server.
    fileprivate var role: String {
        url.path.filter { $0.isLetter || $0.isNumber }.lowercased()
    }
}
