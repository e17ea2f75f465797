import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

/// What becomes of a large value that another program changes behind a context.
@Suite("Large values that others change", .serialized)
struct LargeValueMergeTests {
    private let store: NamedStore
    private let model = LargeModel().make()

    init() throws { store = try NamedStore() }

    /// The first byte of the photo that is there in the end, and the name.
    private func outcome(
        _ policy: NSMergePolicyType, theirs: () throws -> Void, ours: (NSManagedObject) -> Void
    ) throws -> [String?] {
        let context = try store.open(model)
        try store.run("DELETE FROM \"Person\"")
        return try context.performAndWait {
            let person = context.insert("Person", ["name": "a", "photo": LargeModel.photo(1)])
            try context.save()
            context.mergePolicy = NSMergePolicy(merge: policy)
            try theirs()
            ours(person)
            try context.save()
            let kept = person.photo.map { "\($0.first ?? 0)" }
            #expect(try store.run("SELECT get_byte(photo, 0)::text FROM \"Person\"") == [kept])
            return [kept, person.value(forKey: "name") as? String]
        }
    }

    private func photo(_ number: UInt8) -> (NSManagedObject) -> Void {
        { $0.setValue(LargeModel.photo(number), forKey: "photo") }
    }

    private func rename() throws {
        try store.run("UPDATE \"Person\" SET name = 'b', \"_version\" = \"_version\" + 1")
    }

    @Test("the store's value wins where both changed it, and the policy says so")
    func storeWins() throws {
        let found = try outcome(
            .mergeByPropertyStoreTrumpMergePolicyType, theirs: { try store.replacePhoto("a", 2) }, ours: photo(3))
        #expect(found == ["2", "a"])
    }

    @Test("a value that the store did not change is the object's, whatever else changed in the row")
    func otherProperty() throws {
        let found = try outcome(.mergeByPropertyStoreTrumpMergePolicyType, theirs: rename, ours: photo(3))
        #expect(found == ["3", "b"])
    }

    @Test("the object's value wins under the other policies that let its changes stand")
    func objectWins() throws {
        for policy in [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType] {
            let found = try outcome(policy, theirs: { try store.replacePhoto("a", 2) }, ours: photo(3))
            #expect(found == ["3", "a"])
        }
    }

    @Test("a value that the object did not change is the store's")
    func unchanged() throws {
        for policy in [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .rollbackMergePolicyType,
        ] {
            let found = try outcome(
                policy, theirs: { try store.replacePhoto("a", 2) }, ours: { $0.setValue(30, forKey: "age") })
            #expect(found == ["2", "a"])
        }
    }

    @Test("a large value that became a small one, and a small one that became large, are others")
    func sizes() throws {
        let found = try outcome(
            .mergeByPropertyStoreTrumpMergePolicyType, theirs: { try store.replacePhoto("a", 2, 5) }, ours: photo(3))
        #expect(found == ["2", "a"])
        let other = try outcome(.mergeByPropertyStoreTrumpMergePolicyType) {
            try store.run("UPDATE \"Person\" SET photo = '\\x05'")
            try store.replacePhoto("a", 2)
        } ours: {
            photo(3)($0)
        }
        #expect(other == ["2", "a"])
    }

    @Test("so is a value that another program removed")
    func removal() throws {
        let remove = {
            _ = try store.run("UPDATE \"Person\" SET photo = NULL, \"_version\" = \"_version\" + 1")
        }
        #expect(try outcome(.mergeByPropertyStoreTrumpMergePolicyType, theirs: remove, ours: photo(3)) == [nil, "a"])
        let own = try outcome(.mergeByPropertyObjectTrumpMergePolicyType, theirs: remove, ours: photo(3))
        #expect(own == ["3", "a"])
    }

    @Test("a child has its parent's values, saved or not, and hands on its own")
    func children() throws {
        let parent = try store.open(model)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try parent.performAndWait {
            let person = parent.insert("Person", ["name": "a", "photo": LargeModel.photo(1)])
            try parent.save()
            let id = person.objectID
            try child.performAndWait {
                let own = child.object(with: id)
                #expect(own.photo == LargeModel.photo(1))
                own.setValue(LargeModel.photo(2), forKey: "photo")
                try child.save()
                #expect(own.photo == LargeModel.photo(2))
            }
            #expect(person.photo == LargeModel.photo(2))
            child.performAndWait {
                child.refreshAllObjects()
                #expect(child.object(with: id).photo == LargeModel.photo(2))
            }
            try parent.save()
            child.performAndWait {
                child.refreshAllObjects()
                #expect(child.object(with: id).photo == LargeModel.photo(2))
            }
        }
    }

    @Test("a context that merges another one's save has the new value")
    func merging() throws {
        let writer = try store.open(model)
        let viewer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        viewer.persistentStoreCoordinator = writer.persistentStoreCoordinator
        viewer.automaticallyMergesChangesFromParent = true
        let id = try writer.performAndWait {
            let person = writer.insert("Person", ["name": "a", "photo": LargeModel.photo(1)])
            try writer.save()
            return person.objectID
        }
        viewer.performAndWait { #expect(viewer.object(with: id).photo == LargeModel.photo(1)) }
        try writer.performAndWait {
            writer.object(with: id).setValue(LargeModel.photo(2), forKey: "photo")
            try writer.save()
        }
        viewer.performAndWait { #expect(viewer.object(with: id).photo == LargeModel.photo(2)) }
    }
}
