import CoreData
import Foundation
import Testing

/// Attributes with external storage, as an app sees them: wherever a store keeps a value, nothing else tells.
@Suite("External data, small and large")
struct ExternalDataTests {
    private let stack: Stack

    /// Sizes on both sides of what stores keep in rows.
    static let sizes = [0, 1, 2_000, 2_001, 100 * 1_024, 100 * 1_024 + 1, 300_000]

    init() throws {
        stack = try Stack(
            model(entity("Page", [attribute("title", .stringAttributeType), externalData("photo")])))
    }

    private func data(_ number: UInt8, _ size: Int = 300_000) -> Data { Data(repeating: number, count: size) }

    private func photo(_ page: NSManagedObject) -> Data? { page.value(forKey: "photo") as? Data }

    @Test("values of all sizes take each other's place, go with nil, and come back", arguments: sizes)
    func changes(size: Int) throws {
        let id = try stack.saved("Page", ["title": "a", "photo": data(1, size)])
        for (place, other) in Self.sizes.enumerated() {
            try stack.work { context throws in
                let page = context.object(with: id)
                page.setValue(data(UInt8(place), other), forKey: "photo")
                try context.save()
                #expect(photo(page) == data(UInt8(place), other))
            }
            try stack.reopened { fresh throws in
                #expect(try fresh.all("Page").map(photo) == [data(UInt8(place), other)])
            }
            try stack.work { context throws in
                let page = context.object(with: id)
                page.setValue(other % 2 == 0 ? nil : data(1, size), forKey: "photo")
                try context.save()
                page.setValue("b", forKey: "title")
                try context.save()
                #expect(photo(page) == (other % 2 == 0 ? nil : data(1, size)))
            }
        }
    }

    @Test("a rollback, a refresh and an undo give the row's value back")
    func takenBack() throws {
        let id = try stack.saved("Page", ["title": "a", "photo": data(1)])
        let context = stack.context()
        try context.performAndWait {
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            let page = context.object(with: id)
            manager.group { page.setValue(data(2), forKey: "photo") }
            context.undo()
            #expect(photo(page) == data(1))
            context.redo()
            context.rollback()
            #expect(photo(page) == data(1))
            manager.group { page.setValue(nil, forKey: "photo") }
            context.refresh(page, mergeChanges: false)
            #expect(photo(page) == data(1))
            manager.group { context.delete(page) }
            try context.save()
            context.undo()
            try context.save()
            #expect(try stack.work { try $0.all("Page").map(photo) } == [data(1)])
        }
    }

    @Test(
        "a merge policy decides about the value alone that both changed",
        arguments: [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
        ])
    func policies(policy: NSMergePolicyType) throws {
        for key in ["photo", "title"] {
            let id = try stack.saved("Page", ["title": "a", "photo": data(1)])
            let context = stack.context()
            try context.performAndWait {
                let page = context.object(with: id)
                _ = page.value(forKey: "title")
                context.mergePolicy = NSMergePolicy(merge: policy)
                try stack.work { other throws in
                    other.object(with: id).setValue(key == "photo" ? data(2) : "b", forKey: key)
                    try other.save()
                }
                page.setValue(data(3), forKey: "photo")
                try context.save()
                let isStores = key == "photo" && policy == .mergeByPropertyStoreTrumpMergePolicyType
                #expect(photo(page) == data(isStores ? 2 : 3))
                #expect(page.string("title") == (key == "title" ? "b" : "a"))
            }
            try stack.reopened { other in
                let isStores = key == "photo" && policy == .mergeByPropertyStoreTrumpMergePolicyType
                let page = try #require(
                    try other.all("Page", nil, sortedBy: "title").first {
                        $0.objectID.uriRepresentation() == id.uriRepresentation()
                    })
                #expect(photo(page) == data(isStores ? 2 : 3))
            }
        }
    }

    @Test("a child sees what its parent and the store have, and what it saves comes to both")
    func children() throws {
        let id = try stack.saved("Page", ["title": "a", "photo": data(1)])
        let (parent, child) = (stack.context(), NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType))
        child.parent = parent
        try child.performAndWait {
            let page = child.object(with: id)
            #expect(photo(page) == data(1))
            page.setValue(data(2), forKey: "photo")
            try child.save()
            #expect(photo(page) == data(2))
        }
        try parent.performAndWait {
            #expect(photo(parent.object(with: id)) == data(2))
            try parent.save()
        }
        child.performAndWait {
            child.refreshAllObjects()
            #expect(photo(child.object(with: id)) == data(2))
        }
    }

    @Test("a context that is pinned to a generation, and a child of it, have the generation's value")
    func generations() throws {
        let id = try stack.saved("Page", ["title": "a", "photo": data(1)])
        let (pinned, child) = (stack.context(), NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType))
        child.parent = pinned
        try pinned.performAndWait {
            try pinned.setQueryGenerationFrom(.current)
            #expect(pinned.object(with: id).string("title") == "a")
        }
        try stack.work { context throws in
            context.object(with: id).setValue(data(2), forKey: "photo")
            try context.save()
        }
        pinned.performAndWait { #expect(photo(pinned.object(with: id)) == data(1)) }
        child.performAndWait { #expect(photo(child.object(with: id)) == data(1)) }
        try pinned.performAndWait {
            try pinned.setQueryGenerationFrom(nil)
            pinned.refreshAllObjects()
            #expect(photo(pinned.object(with: id)) == data(2))
        }
    }

    @Test("a batch writes values of all sizes")
    func batches() throws {
        try stack.work { context throws in
            let objects = Self.sizes.enumerated().map { ["title": "\($0)", "photo": data(7, $1)] as [String: Any] }
            try context.execute(NSBatchInsertRequest(entityName: "Page", objects: objects))
            let pages = try context.all("Page", sortedBy: "title")
            #expect(pages.map(photo) == Self.sizes.map { data(7, $0) })
            for size in Self.sizes {
                let update = NSBatchUpdateRequest(entityName: "Page")
                update.propertiesToUpdate = ["photo": data(8, size)]
                try context.execute(update)
                context.refreshAllObjects()
                #expect(pages.allSatisfy { photo($0) == data(8, size) })
            }
        }
    }
}
