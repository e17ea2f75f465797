import CoreData
import Foundation
import Testing

@Suite("Stores that apps write: subclasses of NSAtomicStore")
struct AtomicStoreTests {
    let folder: FileFolder
    let model = StoreKindModel.make()
    let json = JSONStore.register()

    init() throws { folder = try FileFolder() }

    var url: URL { folder.file("Store.json") }

    @Test("a JSON store keeps all values, relationships and orders")
    func roundTrip() throws {
        let coordinator = try NSPersistentStoreCoordinator.opened(model, json, at: url)
        let before = try coordinator.work { context throws in
            StoreKindModel.fill(context)
            try context.save()
            return try StoreKindModel.summary(context)
        }
        try coordinator.remove(coordinator.persistentStores[0])
        let reopened = try NSPersistentStoreCoordinator.opened(model, json, at: url)
        #expect(try reopened.work { try StoreKindModel.summary($0) } == before)
        #expect(reopened.persistentStores[0] is JSONStore)
    }

    @Test("registered classes are listed by their types; a type that is not registered is refused with 134000")
    func registering() {
        let types = NSPersistentStoreCoordinator.registeredStoreTypes
        #expect((types[json] as? NSNumber)?.uintValue == UInt(bitPattern: ObjectIdentifier(JSONStore.self)))
        #expect(
            Set(types.keys).isSuperset(of: [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType]))
        let type = NSPersistentStore.StoreType(rawValue: "AtomicStoreTests")
        NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, type: type)
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes[type.rawValue] != nil)
        NSPersistentStoreCoordinator.registerStoreClass(nil, type: type)
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes[type.rawValue] == nil)
        let error = thrown { _ = try NSPersistentStoreCoordinator.opened(model, type.rawValue, at: url) }
        #expect(error?.code == NSPersistentStoreInvalidTypeError)
    }

    @Test("metadata are read and set without opening, and a store of another model is refused before it is loaded")
    func metadata() throws {
        let coordinator = try NSPersistentStoreCoordinator.opened(model, json, at: url)
        coordinator.persistentStores[0].metadata["mine"] = 7
        try coordinator.work { try $0.save() }
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: json, at: url)
        #expect(metadata["mine"] as? Int == 7 && metadata[NSStoreTypeKey] as? String == json)
        #expect(metadata[NSStoreUUIDKey] as? String == coordinator.persistentStores[0].identifier)
        metadata["mine"] = 8
        try NSPersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreOfType: json, at: url)
        let second = try NSPersistentStoreCoordinator.opened(model, json, at: url)
        #expect(second.persistentStores[0].metadata["mine"] as? Int == 8)
        let error = thrown { _ = try NSPersistentStoreCoordinator.opened(LeagueModel.make(), json, at: url) }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
        try Data("{".utf8).write(to: url)
        #expect(thrown { _ = try NSPersistentStoreCoordinator.opened(model, json, at: url) }?.code == 259)
    }

    // MARK: A store of lines

    private func lines(_ lines: [String]) throws -> (coordinator: NSPersistentStoreCoordinator, store: LineStore) {
        NSPersistentStoreCoordinator.registerStoreClass(LineStore.self, forStoreType: "Lines")
        try Data(lines.joined(separator: "\n").utf8).write(to: folder.file("Lines"))
        let coordinator = try NSPersistentStoreCoordinator.opened(LineStore.model(), "Lines", at: folder.file("Lines"))
        return (coordinator, try #require(coordinator.persistentStores[0] as? LineStore))
    }

    @Test("URIs of objects have what the store calls them, and lead back to them")
    func uris() throws {
        let (coordinator, store) = try lines(["a b/c", "42"])
        try coordinator.work { context throws in
            let texts = try context.all("Line", sortedBy: "text")
            let uris = texts.map { $0.objectID.uriRepresentation().absoluteString }
            #expect(uris.map { $0.components(separatedBy: "/Line/")[1] } == ["p42", "pa%20b%2Fc"])
            for text in texts {
                let id = coordinator.managedObjectID(forURIRepresentation: text.objectID.uriRepresentation())
                #expect(id == text.objectID && coordinator.managedObjectID(for: uris[0]) == texts[0].objectID)
                #expect(store.referenceObject(for: text.objectID) as? String == text.string("text"))
            }
            let unknown = try #require(URL(string: "x-coredata://\(store.identifier ?? "")/Line/pnone"))
            let id = try #require(coordinator.managedObjectID(forURIRepresentation: unknown))
            #expect(
                thrown { _ = try context.existingObject(with: id) }?.code == NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test("nodes are made, updated and removed by a save, and the store writes them")
    func saving() throws {
        let (coordinator, store) = try lines(["one", "two"])
        try coordinator.work { context throws in
            let (one, two) = (
                try context.all("Line", sortedBy: "text")[0], try context.all("Line", sortedBy: "text")[1]
            )
            two.setValue("2", forKey: "text")
            let three = context.insert("Line", ["text": "three"])
            three.setValue(two, forKey: "before")
            context.delete(one)
            try context.save()
            #expect(
                store.calls == ["added", "remove one", "new three", "update three -> 2", "update 2 -> -", "save"])
            #expect(store.cacheNode(for: three.objectID)?.value(forKey: "text") as? String == "three")
            #expect(store.cacheNodes().count == 2)
        }
        #expect(
            try String(contentsOf: folder.file("Lines"), encoding: .utf8).split(separator: "\n").sorted() == [
                "2", "three",
            ])
    }

    @Test("a save that fails leaves nodes, file and context as they were; the next one succeeds")
    func failingSave() throws {
        let (coordinator, store) = try lines(["one", "two"])
        try coordinator.work { context throws in
            let one = try #require(context.all("Line", "text == 'one'").first)
            let two = try #require(context.all("Line", "text == 'two'").first)
            one.setValue("1", forKey: "text")
            context.delete(two)
            let three = context.insert("Line", ["text": "three"])
            store.isFull = true
            #expect(thrown { try context.save() }?.code == CocoaError.Code.fileWriteOutOfSpace.rawValue)
            #expect(store.texts == ["one", "two"] && three.objectID.isTemporaryID && one.hasChanges)
            store.isFull = false
            try context.save()
            #expect(store.texts == ["1", "three"])
        }
    }

    @Test("one end of a relationship in the file is enough")
    func inverse() throws {
        let (coordinator, _) = try lines(["one", "two>one"])
        try coordinator.work { context throws in
            let one = try #require(context.all("Line", "text == 'one'").first)
            #expect(one.names("after", "text") == ["two>one"])
            #expect(try context.all("Line", "before.text == 'one'").map { $0.string("text") } == ["two>one"])
        }
    }

    @Test("a node with a value of another type is an error (259) with the entity and the key")
    func wrongType() {
        let error = thrown { _ = try lines(["number"]) }
        #expect(error?.code == 259 && error?.localizedFailureReason?.contains("Line.text") ?? false)
    }

    @Test("nodes that are added later are found by the next fetch")
    func laterNodes() throws {
        let (coordinator, store) = try lines(["one"])
        try coordinator.work { context throws in
            #expect(try context.all("Line").count == 1)
            store.add("two")
            #expect(try context.all("Line", "text == 'two'").count == 1)
        }
    }

    @Test("a store is told that it was added and will be removed; it has no coordinator afterwards")
    func life() throws {
        let (coordinator, store) = try lines([])
        #expect(store.calls == ["added"] && store.persistentStoreCoordinator === coordinator)
        try coordinator.remove(store)
        #expect(store.calls == ["added", "removed"] && store.persistentStoreCoordinator == nil)
    }
}

/// A store of lines of text, of which each is an object: `text>other` is a line after another one.
private final class LineStore: NSAtomicStore, @unchecked Sendable {
    // Unchecked like its superclass.

    static func model() -> NSManagedObjectModel {
        let (before, after) = (toOne("before"), toMany("after"))
        let line = entity("Line", [attribute("text", .stringAttributeType), before, after])
        connect(line, before, line, after)
        return CoreDataTests.model(line)
    }

    var calls: [String] = []
    var isFull = false
    var texts: [String] { cacheNodes().compactMap { $0.value(forKey: "text") as? String }.sorted() }

    override func load() throws {
        let lines = try String(contentsOf: url!, encoding: .utf8).split(separator: "\n").map(String.init)
        lines.forEach { add($0) }
        for line in lines {
            let parts = line.split(separator: ">").map(String.init)
            guard parts.count == 2, let other = cacheNode(for: id(parts[1])), let node = cacheNode(for: id(line)) else {
                continue
            }
            // The other end alone.
            other.setValue(NSSet(object: node), forKey: "after")
        }
    }

    func add(_ line: String) {
        let node = NSAtomicStoreCacheNode(objectID: id(line))
        node.setValue(line == "number" ? 1 as NSNumber : line as NSString, forKey: "text")
        addCacheNodes([node])
    }

    private func id(_ line: String) -> NSManagedObjectID {
        objectID(for: persistentStoreCoordinator!.managedObjectModel.entitiesByName["Line"]!, withReferenceObject: line)
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any { managedObject.string("text") ?? "" }

    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        calls.append("new \(managedObject.string("text") ?? "")")
        return NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    }

    override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        calls.append(
            "update \(managedObject.string("text") ?? "") -> \(managedObject.object("before")?.string("text") ?? "-")")
        super.updateCacheNode(node, from: managedObject)
    }

    override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        calls += cacheNodes.compactMap { $0.value(forKey: "text") as? String }.map { "remove \($0)" }
    }

    override func save() throws {
        if isFull { throw CocoaError(.fileWriteOutOfSpace) }
        calls.append("save")
        try Data(texts.joined(separator: "\n").utf8).write(to: url!)
    }

    override func didAdd(to coordinator: NSPersistentStoreCoordinator) { calls.append("added") }
    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) { calls.append("removed") }
}
