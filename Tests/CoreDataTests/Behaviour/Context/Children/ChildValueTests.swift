import CoreData
import Testing

@Suite("Values and hooks in child contexts")
struct ChildValueTests {
    @Test("transformables, external data and composites go down to children and up again, transient values only up")
    func values() throws {
        let chain = try Chain(DiaryModel.make(), depth: 2)
        let photo = Data(repeating: 9, count: 300_000)
        let place = ["town": "Miami", "street": "Flagler"]
        // A transformer takes no such object: that is the affair of the save that writes.
        let words = Words()
        try chain.root.work { context throws in
            let page = context.insert("Page", ["title": "a", "photo": photo, "place": place, "mood": "calm"])
            page.setValue(words, forKey: "words")
        }
        try chain.last.work { context throws in
            let page = try #require(try context.all("Page").first)
            #expect(page.value(forKey: "photo") as? Data == photo)
            #expect(page.value(forKey: "words") as? Words === words)
            #expect(page.value(forKey: "place") as? [String: String] == place)
            #expect(page.string("mood") == nil, "a transient value begins anew in each context")
            #expect(!page.hasChanges)
            page.setValue(Data([1]), forKey: "photo")
            page.setValue(["x"], forKey: "words")
            page.setValue(["town": "Boston"], forKey: "place")
            page.setValue("angry", forKey: "mood")
            try context.save()
            #expect(page.string("mood") == "angry" && page.value(forKey: "words") as? [String] == ["x"])
        }
        try chain.child.work { try $0.save() }
        let mine = try chain.root.work { context throws in
            let page = try #require(try context.all("Page").first)
            #expect(page.string("mood") == "angry")
            try context.save()
            #expect(page.string("mood") == "angry")
            return page
        }
        try chain.last.work { context throws in
            context.reset()
            #expect(try context.all("Page").first?.string("mood") == nil)
        }
        withExtendedLifetime(mine) {}
        try chain.stack.reopened { context throws in
            let page = try #require(try context.all("Page").first)
            #expect(page.value(forKey: "photo") as? Data == Data([1]))
            #expect(page.value(forKey: "words") as? [String] == ["x"])
            #expect(page.value(forKey: "place") as? [String: String] == ["town": "Boston"])
            #expect(page.string("mood") == nil)
        }
    }

    @Test("each level has an instance of its own, woken before it gets its values, and hooks of its own saves")
    func hooks() throws {
        let chain = try Chain(DiaryModel.make())
        let theirs = try #require(
            try chain.child.work { context throws in
                let page = context.insert("Page", ["title": "a"])
                try context.save()
                return page
            } as? DiaryPage)
        let mine = try #require(try chain.root.work { try $0.all("Page")[0] } as? DiaryPage)
        #expect(theirs !== mine && theirs.objectID == mine.objectID)
        #expect(theirs.log == ["inserted as nothing", "will save", "did save"])
        #expect(mine.log == ["inserted as nothing"])
        #expect(mine.string("title") == "a")
        try chain.root.work { context throws in
            _ = context.insert("Note", ["text": "n", "page": mine])
            try context.save()
        }
        #expect(mine.log == ["inserted as nothing", "will save", "did save"])
        try chain.child.work { context throws in
            context.refresh(theirs, mergeChanges: false)
            context.delete(theirs)
            try context.save()
        }
        #expect(theirs.log.contains("will be deleted with 1 notes") && mine.log.last == "will be deleted with 1 notes")
    }

    @Test("relationships can be prefetched through the parent, unsaved members included")
    func prefetching() throws {
        let chain = try Chain(DiaryModel.make())
        try chain.root.work { context throws in
            for number in 0..<5 {
                let page = context.insert("Page", ["title": "\(number)"])
                _ = context.insert("Note", ["text": "n\(number)", "page": page])
            }
            try context.save()
            let first = try context.all("Page", sortedBy: "title")[0]
            _ = context.insert("Note", ["text": "new", "page": first])
        }
        try chain.child.work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Page")
            request.relationshipKeyPathsForPrefetching = ["notes"]
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let pages = try context.fetch(request)
            #expect(pages[0].names("notes", "text") == ["n0", "new"])
            #expect(pages[4].names("notes", "text") == ["n4"])
        }
    }

    @Test("without pending changes a child's fetch sees its parent's state, and not its own changes")
    func withoutPendingChanges() throws {
        let chain = try Chain(DiaryModel.make())
        chain.root.work { _ = $0.insert("Page", ["title": "parent's"]) }
        try chain.child.work { context throws in
            _ = context.insert("Page", ["title": "child's"])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Page")
            request.includesPendingChanges = false
            #expect(try context.fetch(request).map { $0.string("title") } == ["parent's"])
            request.includesPendingChanges = true
            #expect(try context.fetch(request).count == 2)
        }
    }

    @Test("an asynchronous fetch in a child sees its parent's state")
    func asynchronousFetch() async throws {
        let chain = try Chain(DiaryModel.make())
        chain.root.work { _ = $0.insert("Page", ["title": "unsaved"]) }
        let child = chain.child
        let count: Int = try await withCheckedThrowingContinuation { done in
            child.perform {
                let request = NSAsynchronousFetchRequest(
                    fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Page")
                ) { result in done.resume(returning: result.finalResult?.count ?? -1) }
                do { try child.execute(request) } catch { done.resume(throwing: error) }
            }
        }
        #expect(count == 1)
    }
}

private final class Words: NSObject {}
