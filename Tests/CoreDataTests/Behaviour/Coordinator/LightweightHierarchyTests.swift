import CoreData
import Foundation
import Testing

/// Migrations that the framework works out by itself: hierarchies of entities.
@Suite struct LightweightHierarchyTests {
    private func string(_ name: String) -> NSAttributeDescription { attribute(name, .stringAttributeType) }

    /// A model of trees, with all their entities.
    private func forest(_ roots: NSEntityDescription...) -> NSManagedObjectModel {
        func all(_ entity: NSEntityDescription) -> [NSEntityDescription] { [entity] + entity.subentities.flatMap(all) }
        let model = NSManagedObjectModel()
        model.entities = roots.flatMap(all)
        return model
    }

    private func values(_ context: NSManagedObjectContext, _ entity: String, _ keys: String...) throws -> [[String?]] {
        try context.all(entity).sorted { $0.objectID.uriRepresentation().path < $1.objectID.uriRepresentation().path }
            .map { object in
                [object.entity.name] + keys.map { object.entity.propertiesByName[$0] == nil ? "-" : object.string($0) }
            }
    }

    @Test func anEntityIsRenamed() throws {
        let store = try MigratedStore(forest(entity("Writer", [string("name")]))) { context throws in
            _ = context.insert("Writer", ["name": "Austen"])
        }
        try store.use(forest(entity("Author", [string("name")]).renamed(from: "Writer"))) { context throws in
            #expect(try values(context, "Author", "name") == [["Author", "Austen"]])
        }
    }

    @Test func attributesMoveUpAndDown() throws {
        let below = {
            self.forest(
                entity(
                    "Animal", [string("name")],
                    subentities: [entity("Cat", [string("sound")]), entity("Dog", [string("sound")])]))
        }
        let store = try MigratedStore(below()) { context throws in
            _ = context.insert("Animal", ["name": "a"])
            _ = context.insert("Cat", ["name": "c", "sound": "meow"])
            _ = context.insert("Dog", ["name": "d", "sound": "woof"])
        }
        let expected: [[String?]] = [["Animal", "a", nil], ["Cat", "c", "meow"], ["Dog", "d", "woof"]]
        let above = forest(
            entity("Animal", [string("name"), string("sound")], subentities: [entity("Cat", []), entity("Dog", [])]))
        try store.use(above) { context throws in #expect(try values(context, "Animal", "name", "sound") == expected) }
        try store.use(below()) { context throws in
            #expect(try values(context, "Cat", "sound") == [["Cat", "meow"]])
            #expect(try values(context, "Dog", "sound") == [["Dog", "woof"]])
        }
    }

    @Test func anEntityGetsAParentThatIsNew() throws {
        let store = try MigratedStore(forest(entity("Cat", [string("name")]), entity("Tree", [string("name")]))) {
            context in
            _ = context.insert("Cat", ["name": "c"])
            _ = context.insert("Tree", ["name": "t"])
        }
        let new = forest(
            entity("Animal", abstract: true, [string("name")], subentities: [entity("Cat", [])]),
            entity("Tree", [string("name")]))
        try store.use(new) { context throws in
            #expect(try values(context, "Animal", "name") == [["Cat", "c"]])
            #expect(try values(context, "Tree", "name") == [["Tree", "t"]])
        }
    }

    @Test func anEntityLeavesItsHierarchyWithItsRelationships() throws {
        func model(_ isApart: Bool) -> NSManagedObjectModel {
            let (owner, pets) = (toOne("owner"), toMany("pets", ordered: true))
            let cat = entity("Cat", [string("sound"), owner])
            let animal = entity("Animal", [string("name")])
            if isApart { cat.properties.append(string("name")) } else { animal.subentities = [cat] }
            let person = entity("Person", [string("name"), pets])
            connect(cat, owner, person, pets)
            return isApart ? forest(animal, cat, person) : forest(animal, person)
        }
        let store = try MigratedStore(model(false)) { context throws in
            _ = context.insert("Animal", ["name": "a"])
            let cats = ["c1", "c2"].map { context.insert("Cat", ["name": $0, "sound": "meow"]) }
            context.insert("Person", ["name": "p"]).setValue(NSOrderedSet(array: cats.reversed()), forKey: "pets")
        }
        try store.use(model(true)) { context throws in
            #expect(try values(context, "Animal", "name") == [["Animal", "a"]])
            let person = try #require(try context.all("Person").first)
            let pets = try #require(person.value(forKey: "pets") as? NSOrderedSet)
            #expect(pets.compactMap { ($0 as? NSManagedObject)?.string("name") } == ["c2", "c1"])
            #expect(pets.allSatisfy { ($0 as? NSManagedObject)?.string("sound") == "meow" })
        }
    }

    @Test func twoHierarchiesDoNotBecomeOne() throws {
        let store = try MigratedStore(forest(entity("Cat", [string("name")]), entity("Dog", [string("name")]))) {
            context in
            _ = context.insert("Cat", ["name": "c"])
        }
        let new = forest(
            entity("Animal", [string("name")], subentities: [entity("Cat", []), entity("Dog", [])]))
        let error = try #require(thrown { try store.use(new) { _ in } })
        #expect(error.code == NSMigrationMissingMappingModelError)
        #expect(error.localizedFailureReason?.contains("Dog") ?? false)
    }

    @Test func aParentThatIsRemovedLeavesItsSubentities() throws {
        let store = try MigratedStore(
            forest(
                entity(
                    "Animal", [string("name")], subentities: [entity("Cat", [string("sound")]), entity("Dog", [])]))
        ) { context throws in
            _ = context.insert("Animal", ["name": "a"])
            _ = context.insert("Cat", ["name": "c", "sound": "meow"])
            _ = context.insert("Dog", ["name": "d"])
        }
        let new = forest(entity("Cat", [string("name"), string("sound")]), entity("Dog", [string("name")]))
        try store.use(new) { context throws in
            #expect(try values(context, "Cat", "name", "sound") == [["Cat", "c", "meow"]])
            #expect(try values(context, "Dog", "name") == [["Dog", "d"]])
        }
    }

    @Test func anEntityWithObjectsDoesNotBecomeAbstract() throws {
        let old = { self.forest(entity("Animal", [self.string("name")], subentities: [entity("Cat", [])])) }
        let new = {
            self.forest(entity("Animal", abstract: true, [self.string("name")], subentities: [entity("Cat", [])]))
        }
        let store = try MigratedStore(old()) { _ = $0.insert("Animal", ["name": "a"]) }
        let error = try #require(thrown { try store.use(new()) { _ in } })
        #expect(error.code == NSMigrationError && error.userInfo["entity"] as? String == "Animal")
        let other = try MigratedStore(old()) { _ = $0.insert("Cat", ["name": "c"]) }
        try other.use(new()) { context throws in #expect(try values(context, "Animal", "name") == [["Cat", "c"]]) }
    }
}
