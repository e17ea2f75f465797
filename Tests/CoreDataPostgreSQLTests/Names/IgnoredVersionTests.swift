import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

/// Stores that are opened whatever version of the model made them.
@Suite("NSIgnorePersistentStoreVersioningOption in PostgreSQL")
struct IgnoredVersionTests {
    private let store: NamedStore
    private static var ignoring: [AnyHashable: Any] { [NSIgnorePersistentStoreVersioningOption: true] }

    init() throws { store = try NamedStore() }

    private func fill(_ model: NSManagedObjectModel) throws {
        let context = try store.open(model)
        try context.performAndWait {
            let band = context.insert("Band", ["name": "Can"])
            _ = context.insert("Album", ["title": "Tago Mago", "year": 1971, "band": band])
            try context.save()
        }
    }

    private var hashes: [String: Data]? {
        get throws {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: store.url)[
                NSStoreModelVersionHashesKey] as? [String: Data]
        }
    }

    private func stamped() -> NSManagedObjectModel {
        let model = NamedModel().make()
        model.entitiesByName["Album"]?.attributesByName["title"]?.versionHashModifier = "2"
        return model
    }

    @Test("a store that has all that the model has is read and written, and is the model's from then on")
    func sameTables() throws {
        try fill(NamedModel().make())
        let model = stamped()
        #expect(
            store.error { _ = try store.open(model) }?.code == NSPersistentStoreIncompatibleVersionHashError)
        let context = try store.open(model, options: Self.ignoring)
        try context.performAndWait {
            #expect(try context.all("Album", "band.name == 'Can'").count == 1)
            _ = context.insert("Album", ["title": "Future Days"])
            try context.save()
        }
        #expect(try hashes == model.entityVersionHashesByName)
        let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: store.url, options: nil)
        #expect(cached?.entityVersionHashesByName == model.entityVersionHashesByName)
        let later = try store.open(model)
        #expect(try later.performAndWait { try later.all("Album").count } == 2)
        #expect(
            store.error { _ = try store.open(NamedModel().make()) }?.code
                == NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("what the model does not have stays in the store")
    func fewerProperties() throws {
        let full = NamedModel(attributes: [("notes", .stringAttributeType)])
        try fill(full.make())
        try store.run("UPDATE \"Album\" SET notes = 'n'")
        let context = try store.open(NamedModel().make(), options: Self.ignoring)
        try context.performAndWait {
            try #require(try context.all("Album").first).setValue("Ege Bamyasi", forKey: "title")
            try context.save()
        }
        let later = try store.open(full.make(), options: Self.ignoring)
        try later.performAndWait {
            let album = try #require(try later.all("Album").first)
            #expect(album.value(forKey: "title") as? String == "Ege Bamyasi")
            #expect(album.value(forKey: "notes") as? String == "n")
        }
    }

    /// Models that ask for more than the store has, and what the error names.
    private func larger() -> [(model: NSManagedObjectModel, missing: String)] {
        let other = NamedModel().make()
        other.entitiesByName["Album"]?.attributesByName["year"]?.attributeType = .stringAttributeType
        let more = NamedModel().make()
        let entity = NSEntityDescription()
        entity.name = "Author"
        more.entities.append(entity)
        let related = NamedModel().make()
        let side = NSRelationshipDescription()
        (side.name, side.destinationEntity, side.maxCount) = ("publisher", related.entitiesByName["Label"], 1)
        related.entitiesByName["Album"]?.properties.append(side)
        return [
            (NamedModel(attributes: [("price", .decimalAttributeType)]).make(), "Album.price"),
            (other, "Album.year"), (more, "Author"), (related, "Album.publisher"),
        ]
    }

    @Test("what the store does not have is refused, with names; a store that is only read yields the rest")
    func moreProperties() throws {
        try fill(NamedModel().make())
        let before = try hashes
        for (model, missing) in larger() {
            let error = try #require(store.error { _ = try store.open(model, options: Self.ignoring) })
            #expect(error.code == NSPersistentStoreIncompatibleSchemaError)
            #expect(error.localizedFailureReason?.contains(missing) ?? false, "\(error.localizedFailureReason ?? "")")
            let options = Self.ignoring.merging([NSReadOnlyPersistentStoreOption: true]) { $1 }
            let context = try store.open(model, options: options)
            try context.performAndWait {
                let album = try #require(try context.all("Album").first)
                #expect(album.value(forKey: "title") as? String == "Tago Mago")
                if missing == "Album.price" || missing == "Album.publisher" {
                    #expect(album.value(forKey: String(missing.dropFirst(6))) == nil)
                }
            }
            #expect(try hashes == before)
        }
        let context = try store.open(NamedModel().make())
        #expect(try context.performAndWait { try context.all("Album").count } == 1)
    }

    @Test("an attribute that is derived in the new model is kept from then on")
    func derived() throws {
        try fill(NamedModel(attributes: [("loud", .stringAttributeType)]).make())
        let model = NamedModel().make()
        let loud = NSDerivedAttributeDescription()
        (loud.name, loud.attributeType, loud.isOptional) = ("loud", .stringAttributeType, true)
        loud.derivationExpression = NSExpression(format: "uppercase:(title)")
        model.entitiesByName["Album"]?.properties.append(loud)
        let context = try store.open(model, options: Self.ignoring)
        try context.performAndWait {
            let album = context.insert("Album", ["title": "Monster Movie"])
            try context.save()
            #expect(album.value(forKey: "loud") as? String == "MONSTER MOVIE")
        }
    }

    @Test("external storage that the new model allows takes effect at once")
    func externalStorage() throws {
        try store.reading(LargeModel(isExternal: false).make()) { context in
            _ = context.insert("Person", ["name": "a", "photo": LargeModel.photo(1)])
            try context.save()
        }
        let context = try store.open(LargeModel().make(), options: Self.ignoring)
        try context.performAndWait {
            let person = try #require(try context.all("Person").first)
            try store.replacePhoto("a", 2)
            #expect(person.photo == LargeModel.photo(2))
        }
    }

    @Test("views over another program's tables are made for the new model, where the tables have its columns")
    func mapped() throws {
        try store.run(
            "CREATE SCHEMA app",
            """
            CREATE TABLE app.people (id bigserial PRIMARY KEY, name text, age integer, photo bytea, \
            version bigint NOT NULL DEFAULT 1)
            """, "INSERT INTO app.people (name, age) VALUES ('a', 3)")
        let tables = ["postgreSQLTable": "app.people", "postgreSQLKey": "id", "postgreSQLVersion": "version"]
        _ = try store.open(LargeModel(photo: nil, tables: tables).make())
        let context = try store.open(LargeModel(tables: tables).make(), options: Self.ignoring)
        try context.performAndWait {
            let person = try #require(try context.all("Person").first)
            person.setValue(LargeModel.photo(1), forKey: "photo")
            try context.save()
        }
        #expect(try store.run("SELECT octet_length(photo)::text FROM app.people") == ["200000"])
        let missing = LargeModel(photo: "picture", tables: tables).make()
        #expect(
            store.error { _ = try store.open(missing, options: Self.ignoring) }?.code
                == NSPersistentStoreIncompatibleSchemaError)
    }
}
