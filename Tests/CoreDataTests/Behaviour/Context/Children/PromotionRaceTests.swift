import CoreData
import Foundation
import Synchronization
import Testing

/// The root gives unsaved objects their permanent IDs at the very moment in which a child is told of them.
@Suite("IDs that become permanent while a child asks")
struct PromotionRaceTests {
    private let chain: Chain
    private let transformer = HookedTransformer()
    private var root: NSManagedObjectContext { chain.contexts[0] }
    private var parent: NSManagedObjectContext { chain.contexts[1] }
    private var child: NSManagedObjectContext { chain.contexts[2] }
    private var grandchild: NSManagedObjectContext { chain.contexts[3] }

    init() throws {
        let name = "HookedTransformer-" + UUID().uuidString
        ValueTransformer.setValueTransformer(transformer, forName: NSValueTransformerName(name))
        let mark = attribute("mark", .transformableAttributeType)
        mark.valueTransformerName = name
        let author = toOne("author")
        let notes = toMany("notes")
        let page = entity("Page", [attribute("title", .stringAttributeType), mark, author])
        let writer = entity("Writer", [attribute("name", .stringAttributeType), notes])
        connect(page, author, writer, notes)
        chain = try Chain(model(page, writer), depth: 3)
    }

    /// An object that the root has, unsaved, and that the parent has changed since: it makes a row of it when it is
    /// asked, and the root saves while it is at it.
    private func page() throws -> NSManagedObject {
        let page = try parent.work { context throws in
            let page = context.insert("Page", ["title": "1", "mark": "x"])
            page.setValue(context.insert("Writer", ["name": "W"]), forKey: "author")
            try context.save()
            page.setValue("2", forKey: "title")
            page.setValue("y", forKey: "mark")
            return page
        }
        return page
    }

    private func rootSavesMeanwhile() {
        transformer.setHook { [root] in #expect(throws: Never.self) { try root.work { try $0.save() } } }
    }

    @Test("an object that a child asks for by its temporary ID has its permanent one, and is one object")
    func asking() throws {
        let page = try page()
        let temporary = page.objectID
        rootSavesMeanwhile()
        try child.work { context throws in
            let found = try context.existingObject(with: temporary)
            #expect(!transformer.hasHook, "the root saved meanwhile")
            #expect(!found.objectID.isTemporaryID && found.objectID == page.objectID)
            #expect(context.object(with: page.objectID) === found && context.object(with: temporary) === found)
            #expect(found.object("author")?.objectID.isTemporaryID == false)
            #expect(found.object("author")?.string("name") == "W")
        }
    }

    @Test("a fault that fires meanwhile hands the permanent key on to grandchildren")
    func firing() throws {
        let page = try page()
        let temporary = page.objectID
        rootSavesMeanwhile()
        let id = child.work { context in
            let found = context.object(with: temporary)
            #expect(found.string("title") == "2")
            return found.objectID
        }
        #expect(!transformer.hasHook && !id.isTemporaryID)
        try grandchild.work { context throws in
            let found = try context.existingObject(with: id)
            #expect(found.objectID == id && context.object(with: id) === found)
            #expect(found.object("author")?.objectID.isTemporaryID == false)
        }
    }

    @Test("what a child saves meanwhile is known by its permanent key below")
    func saving() throws {
        let page = try page()
        let temporary = page.objectID
        let id = try child.work { context throws in
            let own = context.object(with: temporary)
            own.setValue("3", forKey: "title")
            rootSavesMeanwhile()
            try context.save()
            return own.objectID
        }
        #expect(!transformer.hasHook && !id.isTemporaryID && page.objectID == id)
        try grandchild.work { context throws in
            let found = try context.existingObject(with: id)
            #expect(found.objectID == id && context.object(with: id) === found && found.string("title") == "3")
        }
        try parent.work { try $0.save() }
        try root.work { try $0.save() }
        try chain.stack.reopened { context throws in
            #expect(try context.all("Page").map { $0.string("title") } == ["3"])
        }
    }
}

/// Keeps texts as data, and lets a test in once when a value is written.
private final class HookedTransformer: ValueTransformer, @unchecked Sendable {
    // Unchecked: all that it has is under the lock.
    private let hook = Mutex<(@Sendable () -> Void)?>(nil)

    var hasHook: Bool { hook.withLock { $0 != nil } }

    func setHook(_ body: @escaping @Sendable () -> Void) { hook.withLock { $0 = body } }

    override func transformedValue(_ value: Any?) -> Any? {
        let body = hook.withLock { hook in
            defer { hook = nil }
            return hook
        }
        body?()
        return (value as? String).map { Data($0.utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0, as: UTF8.self) }
    }
}
