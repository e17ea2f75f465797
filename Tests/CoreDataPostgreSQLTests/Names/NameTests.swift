import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

/// User info that names tables and columns.
@Suite("Names of tables and columns")
struct NameTests {
    private let store: NamedStore
    private let names = NamedModel(
        tables: ["Band": "bands", "Label.bands": "band_labels"],
        columns: [
            "Band.name": "full name", "Album.band": "band_id", "Band.labels": "label_id", "Label.bands": "band_id",
        ])

    init() throws { store = try NamedStore() }

    /// The columns of all tables that have entities' rows.
    private func columns() throws -> [String] {
        try store.run(
            """
            SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public' \
            AND table_name NOT LIKE '\\_%' AND column_name NOT LIKE '\\_%' ORDER BY 1
            """
        ).compactMap(\.self)
    }

    @Test("tables and columns have the names that the user info says")
    func given() throws {
        let context = try store.open(names.make())
        #expect(
            try columns()
                == [
                    "Album.band_id", "Album.title", "Album.year", "Label.name", "band_labels.band_id",
                    "band_labels.label_id", "bands.full name",
                ].sorted())
        try context.performAndWait {
            let band = context.insert(
                "Band", ["name": "Can", "labels": [context.insert("Label", ["name": "Spoon"])] as NSSet])
            _ = context.insert("Album", ["title": "Tago Mago", "year": 1971, "band": band])
            try context.save()
        }
        #expect(try store.run("SELECT \"full name\" FROM bands JOIN band_labels ON band_id = _key") == ["Can"])
        let other = try store.open(names.make())
        try other.performAndWait {
            let found = try other.all("Album", "band.name == 'Can' AND ANY band.labels.name BEGINSWITH 'S'")
            #expect(found.map { $0.value(forKey: "title") as? String } == ["Tago Mago"])
        }
    }

    @Test("a model that asks for other names does not open the store, and the error says where")
    func otherNames() throws {
        _ = try store.open(names.make())
        var other = names
        other.columns["Band.name"] = "title"
        let error = store.error { _ = try store.open(other.make()) }
        #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(error?.localizedFailureReason?.contains("Band.name has “full name” in the store") == true)
    }

    @Test("a migration renames tables and columns as the new model says, and keeps the values")
    func migration() throws {
        let context = try store.open(names.make())
        try context.performAndWait {
            let band = context.insert("Band", ["name": "Can"])
            _ = context.insert("Album", ["title": "Ege Bamyasi", "year": 1972, "band": band])
            try context.save()
        }
        var next = names
        next.tables["Band"] = "groups"
        next.columns["Band.name"] = "name"
        next.columns["Album.band"] = nil
        next.attributes = [("rating", .integer16AttributeType)]
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let migrated = try store.open(next.make(), options: options)
        try migrated.performAndWait {
            let album = try #require(try migrated.all("Album", "band.name == 'Can'").first)
            album.setValue(5, forKey: "rating")
            try migrated.save()
        }
        #expect(
            try store.run("SELECT groups.name || rating FROM \"Album\" JOIN groups ON groups._key = \"Album\".band")
                == ["Can5"])
    }

    @Test("a store with names opens by its own model")
    func ownModel() throws {
        _ = try store.open(names.make())
        let model = try #require(try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: store.url))
        let context = try store.open(model)
        try context.performAndWait { () throws in #expect(try context.all("Band").isEmpty) }
    }

    @Test(
        "a name that can't be given is refused before anything is made",
        arguments: [
            (NamedModel(tables: ["Band": "same", "Album": "same"]), "can't have the same table"),
            (NamedModel(columns: ["Album.title": "year", "Album.year": "year"]), "the table has one of that name"),
            (NamedModel(columns: ["Album.title": "_key"]), "the table has one of that name"),
            (NamedModel(columns: ["Band.albums": "albums"]), "has no column that can be named"),
            (NamedModel(tables: ["Band.albums": "albums"]), "has no table of its own"),
            (NamedModel(tables: ["Band": "_coredata"]), "does not begin with _coredata"),
            (NamedModel(tables: ["Band": ""]), "1 to 63 bytes"),
            (NamedModel(tables: ["Label.bands": "a", "Band.labels": "b"]), "name two tables"),
        ])
    func refused(model: NamedModel, sentence: String) throws {
        let error = store.error { _ = try store.open(model.make()) }
        #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(error?.localizedFailureReason?.contains(sentence) == true, "\(error as Any)")
        #expect(try columns() == [])
    }
}
