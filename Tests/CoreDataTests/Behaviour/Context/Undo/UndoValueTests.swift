import CoreData
import Testing

@Suite("Undo of values of every kind")
struct UndoValueTests {
    private func context(_ stack: Stack) -> (NSManagedObjectContext, UndoManager) {
        let context = stack.context()
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.undoManager = manager
        return (context, manager)
    }

    @Test("awake(fromSnapshotEvents:) says whether an insertion, a deletion or a change was taken back")
    func snapshotEvents() throws {
        let stack = try Stack(DiaryModel.make())
        let (context, manager) = context(stack)
        try context.performAndWait {
            let page = try #require(manager.group { context.insert("Page", ["title": "a"]) } as? DiaryPage)
            context.undo()
            #expect(page.takeEvents() == [.undoInsertion])
            context.redo()
            #expect(page.takeEvents() == [.undoDeletion])
            manager.group { page.setValue("b", forKey: "title") }
            context.undo()
            #expect(page.takeEvents() == [.undoUpdate])
            context.redo()
            #expect(page.takeEvents() == [.undoUpdate])
            try context.save()
            manager.group { context.delete(page) }
            context.undo()
            #expect(page.takeEvents() == [.undoDeletion])
            context.redo()
            #expect(page.takeEvents() == [.undoInsertion])
            try context.save()
            context.undo()
            #expect(page.takeEvents() == [.undoDeletion])
        }
    }

    @Test(
        "external data, transformables and composites go back, and come back with an object after its deletion was saved"
    )
    func values() throws {
        let stack = try Stack(DiaryModel.make())
        let (context, manager) = context(stack)
        let (large, small) = (Data(repeating: 7, count: 300_000), Data([1, 2, 3]))
        func values(_ page: NSManagedObject) -> [AnyHashable?] {
            let place = page.value(forKey: "place") as? [String: String]
            return [page.value(forKey: "photo") as? Data, page.value(forKey: "words") as? [String], place]
        }
        try context.performAndWait {
            let place = ["town": "Miami", "street": "Biscayne Boulevard"]
            let page = manager.group {
                context.insert("Page", ["title": "a", "photo": large, "words": ["x", "y"], "place": place])
            }
            let note = manager.group { context.insert("Note", ["text": "n", "page": page]) }
            let before = values(page)
            #expect(before == [large, ["x", "y"], place])
            try context.save()
            context.refresh(page, mergeChanges: false)
            manager.group {
                page.setValue(small, forKey: "photo")
                page.setValue(["z"], forKey: "words")
                page.setValue(["town": "Boston"], forKey: "place")
            }
            let after = values(page)
            context.undo()
            #expect(values(page) == before && !context.hasChanges)
            context.redo()
            try context.save()
            #expect(values(page) == after)
            context.undo()
            #expect(values(page) == before)
            try context.save()
            context.refresh(page, mergeChanges: false)
            manager.group { context.delete(page) }
            try context.save()
            context.undo()
            #expect(values(page) == before && note.object("page") === page)
            try context.save()
            #expect(values(page) == before)
            try stack.reopened { other throws in
                let stored = try #require(try other.all("Page").first)
                #expect(values(stored) == before && stored.names("notes", "text") == ["n"])
            }
        }
    }

    @Test("observers are told, and sets that were read before show it")
    func observers() throws {
        let stack = try Stack(DiaryModel.make())
        let (context, manager) = context(stack)
        try context.performAndWait {
            let page = manager.group { context.insert("Page", ["title": "a"]) }
            let observer = KeyCollector()
            for key in ["title", "notes"] { page.addObserver(observer, forKeyPath: key, context: nil) }
            let notes = try #require(page.value(forKey: "notes") as? NSSet)
            manager.group {
                page.setValue("b", forKey: "title")
                _ = context.insert("Note", ["page": page])
            }
            #expect(notes.count == 1)
            observer.keys = []
            context.undo()
            #expect(observer.keys.sorted() == ["notes", "title"])
            #expect(notes.count == 0)
            context.redo()
            #expect(notes.count == 1)
        }
    }

    @Test("an undo manager given later knows nothing of what was changed before")
    func laterManager() throws {
        let stack = try Stack(DiaryModel.make())
        try stack.work { context throws in
            let page = context.insert("Page", ["title": "a"])
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            manager.group { page.setValue("b", forKey: "title") }
            context.undo()
            #expect(page.string("title") == "a" && page.isInserted && !manager.canUndo)
            manager.group { page.setValue("c", forKey: "title") }
            context.undoManager = nil
            #expect(!manager.canUndo, "a manager that is taken away forgets the context's actions")
            page.setValue("d", forKey: "title")
            context.undo()
            #expect(page.string("title") == "d")
        }
    }

    @Test("an undo manager outlives its context, and undoes nothing then")
    func managerOutlivesContext() throws {
        let stack = try Stack(DiaryModel.make())
        let manager = UndoManager()
        manager.groupsByEvent = false
        weak var gone: NSManagedObjectContext?
        do {
            let context = stack.context()
            gone = context
            context.performAndWait {
                context.undoManager = manager
                manager.group { _ = context.insert("Page") }
            }
            #expect(manager.canUndo)
        }
        #expect(gone == nil)
        #expect(!manager.canUndo)
        manager.undo()
    }

    @Test("changes of a relationship of 10,000 members are undone without their rows")
    func manyMembers() throws {
        let stack = try Stack(DiaryModel.make())
        let id = try stack.work { context throws in
            let page = context.insert("Page", ["title": "a"])
            for _ in 0..<10_000 { _ = context.insert("Note", ["page": page]) }
            try context.save()
            return page.objectID
        }
        let (context, manager) = context(stack)
        context.performAndWait {
            let page = context.object(with: id)
            let note = manager.group { context.insert("Note", ["page": page]) }
            #expect(page.objectIDs(forRelationshipNamed: "notes").count == 10_001)
            context.undo()
            #expect(page.objectIDs(forRelationshipNamed: "notes").count == 10_000)
            #expect(note.managedObjectContext == nil && !context.hasChanges)
            #expect(context.registeredObjects.allSatisfy { $0.isFault || $0 === page })
        }
    }
}

private final class KeyCollector: KeyValueObserver {
    var keys: [String] = []

    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        keyPath.map { keys.append($0) }
    }
}
