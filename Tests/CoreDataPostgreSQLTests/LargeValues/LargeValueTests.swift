import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

/// Large values of attributes with external storage stay in the database until an app asks for them.
///
/// That a value came with its row shows when another program changes it: the object has the old one then.
@Suite("Large values in PostgreSQL")
struct LargeValueTests {
    private let store: NamedStore
    private let model = LargeModel().make()

    init() throws { store = try NamedStore() }

    /// People with photos of these sizes, by name.
    private func fill(_ sizes: KeyValuePairs<String, Int>) throws -> NSManagedObjectContext {
        let context = try store.open(model)
        try context.performAndWait {
            for (name, size) in sizes {
                _ = context.insert("Person", ["name": name, "photo": LargeModel.photo(1, size)])
            }
            try context.save()
        }
        return context
    }

    // MARK: Reading

    @Test("a fetch leaves large values in the database, and an object reads its own when it is asked for it")
    func reading() throws {
        _ = try fill(["a": 200_000, "b": 2_001, "c": 2_000, "d": 0])
        try store.reading(model) { context in
            let people = try context.all("Person", sorted: "name")
            for name in ["a", "b", "c", "d"] { try store.replacePhoto(name, 2, 3_000) }
            #expect(people[0].photo == LargeModel.photo(2, 3_000) && people[1].photo == LargeModel.photo(2, 3_000))
            #expect(people[2].photo == LargeModel.photo(1, 2_000) && people[3].photo == Data())
        }
    }

    @Test("so do faults, parts of rows, members of a relationship and prefetched ones")
    func otherReads() throws {
        let context = try store.open(model)
        try context.performAndWait {
            let team = context.insert("Team", ["name": "t"])
            for name in ["a", "b", "c"] {
                _ = context.insert("Player", ["name": name, "photo": LargeModel.photo(1), "team": team])
            }
            try context.save()
        }
        try store.reading(model) { context in
            let part = NSFetchRequest<NSManagedObject>(entityName: "Person")
            (part.propertiesToFetch, part.predicate) = (["photo"], NSPredicate(format: "name == 'a'"))
            let found = try #require(try context.fetch(part).first)
            let team = NSFetchRequest<NSManagedObject>(entityName: "Team")
            team.relationshipKeyPathsForPrefetching = ["people"]
            let members = try #require(try context.fetch(team).first?.value(forKey: "people") as? Set<NSManagedObject>)
            #expect(members.allSatisfy { $0.value(forKey: "name") != nil })
            try store.run("UPDATE \"Person\" SET \"photo\" = decode(repeat('03', 200000), 'hex')")
            #expect(found.photo == LargeModel.photo(3))
            #expect(members.count == 3 && members.allSatisfy { $0.photo == LargeModel.photo(3) })
            context.refreshAllObjects()
            #expect(members.allSatisfy { $0.photo == LargeModel.photo(3) })
        }
    }

    @Test("a context in a query generation has the values of the generation, and so has its child")
    func generations() throws {
        _ = try fill(["a": 200_000])
        let pinned = try store.open(model)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = pinned
        try pinned.performAndWait {
            try pinned.setQueryGenerationFrom(.current)
            let person = try #require(try pinned.all("Person").first)
            try store.replacePhoto("a", 2)
            #expect(person.photo == LargeModel.photo(1))
            let id = person.objectID
            child.performAndWait { #expect(child.object(with: id).photo == LargeModel.photo(1)) }
            try pinned.setQueryGenerationFrom(nil)
            #expect(person.photo == LargeModel.photo(1))
            pinned.refresh(person, mergeChanges: false)
            #expect(person.photo == LargeModel.photo(2))
        }
    }

    @Test("an object whose row another program has deleted has no large value any longer, and all others")
    func deletedRow() throws {
        _ = try fill(["a": 200_000])
        try store.reading(model) { context in
            let person = try #require(try context.all("Person").first)
            #expect(person.value(forKey: "name") as? String == "a")
            try store.run("DELETE FROM \"Person\"")
            #expect(person.photo == nil && person.value(forKey: "name") as? String == "a")
        }
    }

    @Test("a value that was read stays what it was, until its object is refreshed")
    func cachedValue() throws {
        _ = try fill(["a": 200_000])
        try store.reading(model) { context in
            let person = try #require(try context.all("Person").first)
            #expect(person.photo == LargeModel.photo(1))
            try store.replacePhoto("a", 2)
            #expect(person.photo == LargeModel.photo(1))
            context.refresh(person, mergeChanges: false)
            #expect(person.photo == LargeModel.photo(2))
        }
    }

    @Test("predicates and dictionaries see large values as small ones")
    func requests() throws {
        _ = try fill(["a": 200_000, "b": 10])
        try store.run("INSERT INTO \"Person\" (\"_key\", \"_entity\", \"_version\", name) VALUES (1000, 1, 1, 'c')")
        try store.reading(model) { context in
            #expect(try context.all("Person", "photo == nil").map { $0.value(forKey: "name") as? String } == ["c"])
            #expect(try context.all("Person", "photo != nil").count == 2)
            let request = NSFetchRequest<NSDictionary>(entityName: "Person")
            (request.resultType, request.propertiesToFetch) = (.dictionaryResultType, ["photo"])
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let photos = try context.fetch(request).map { $0["photo"] as? Data }
            #expect(photos == [LargeModel.photo(1), LargeModel.photo(1, 10), nil])
            let equal = NSFetchRequest<NSManagedObject>(entityName: "Person")
            equal.predicate = NSPredicate(format: "photo == %@", LargeModel.photo(1) as NSData)
            #expect(store.error { _ = try context.fetch(equal) }?.code == 134_091)
        }
    }

    // MARK: Saving

    @Test("large values are saved, changed, taken back and removed with their rows")
    func saving() throws {
        let context = try store.open(model)
        try context.performAndWait {
            let person = context.insert(
                "Player", ["name": "a", "photo": LargeModel.photo(1), "scan": [String](repeating: "x", count: 50_000)])
            try context.save()
            #expect(person.photo == LargeModel.photo(1))
            context.refresh(person, mergeChanges: false)
            #expect((person.value(forKey: "scan") as? [String])?.count == 50_000)
            for (new, count) in [
                (LargeModel.photo(2), 200_000), (LargeModel.photo(3, 5), 5), (LargeModel.photo(4), 200_000),
            ] {
                person.setValue(new, forKey: "photo")
                try context.save()
                #expect(person.photo == new)
                #expect(try store.run("SELECT octet_length(photo)::text FROM \"Person\"") == ["\(count)"])
            }
            person.setValue(LargeModel.photo(5), forKey: "photo")
            context.rollback()
            #expect(person.photo == LargeModel.photo(4))
            person.setValue("b", forKey: "name")
            try context.save()
            #expect(person.photo == LargeModel.photo(4))
            person.setValue(nil, forKey: "photo")
            try context.save()
            #expect(person.photo == nil)
            context.delete(person)
            try context.save()
            #expect(try store.run("SELECT count(*)::text FROM \"Person\"") == ["0"])
        }
    }

    @Test("a save that sets the value that the row has writes nothing")
    func equalValue() throws {
        let context = try fill(["a": 200_000])
        try context.performAndWait {
            let person = try #require(try context.all("Person").first)
            person.setValue(LargeModel.photo(1), forKey: "photo")
            try context.save()
            #expect(try store.run("SELECT \"_version\"::text FROM \"Person\"") == ["1"])
        }
    }

    @Test("a save that fails leaves the value as it was, in the database and in other contexts")
    func failedSave() throws {
        let context = try fill(["a": 200_000])
        try context.performAndWait {
            let person = try #require(try context.all("Person").first)
            try store.replacePhoto("a", 2)
            person.setValue(LargeModel.photo(3), forKey: "photo")
            #expect(store.error { try context.save() }?.code == NSManagedObjectMergeError)
            #expect(try store.run("SELECT get_byte(photo, 0)::text FROM \"Person\"") == ["2"])
            #expect(person.photo == LargeModel.photo(3))
            context.rollback()
            context.refresh(person, mergeChanges: false)
            #expect(person.photo == LargeModel.photo(2))
        }
    }

    // MARK: Batches

    @Test("batches write large values: contexts that read afterwards have them")
    func batches() throws {
        let context = try fill([:])
        try context.performAndWait {
            let objects: [[String: Any]] = (0..<3).map {
                ["name": "p\($0)", "photo": LargeModel.photo(UInt8($0) + 1, $0 == 0 ? 10 : 100_000)]
            }
            try context.execute(NSBatchInsertRequest(entityName: "Person", objects: objects))
            let people = try context.all("Person", sorted: "name")
            #expect(people.map(\.photo) == objects.map { $0["photo"] as? Data })
            let update = NSBatchUpdateRequest(entityName: "Person")
            update.propertiesToUpdate = ["photo": LargeModel.photo(9, 100_000)]
            try context.execute(update)
            context.refreshAllObjects()
            #expect(people.allSatisfy { $0.photo == LargeModel.photo(9, 100_000) })
            #expect(try store.run("SELECT count(DISTINCT \"photo._stamp\")::text FROM \"Person\"") == ["3"])
            let all = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
            try context.execute(NSBatchDeleteRequest(fetchRequest: all))
            #expect(try store.run("SELECT count(*)::text FROM \"Person\"") == ["0"])
        }
    }
}
