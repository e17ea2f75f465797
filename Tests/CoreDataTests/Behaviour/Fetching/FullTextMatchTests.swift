import CoreData
import Foundation
import Testing

/// Full-text search with ranks and snippets.
@Suite("Matches of full-text search")
struct FullTextMatchTests {
    private func request(_ format: String? = nil, entity: String = "Document") -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        return request
    }

    private func titles(_ matches: [NSFullTextMatch<NSManagedObject>]) -> [String] {
        matches.compactMap { $0.object.string("title") }
    }

    @Test("matches come best first, with a snippet in which the words are marked")
    func ranked() throws {
        let store = try SearchedFile()
        try store.work { context throws in
            let long = String(repeating: "Much is said of other things here. ", count: 40)
            _ = context.insert("Document", ["title": "Little", "body": long + "One swift." + long])
            _ = context.insert("Document", ["title": "Swift", "body": "Swift, swift and swift."])
            _ = context.insert("Document", ["title": "None", "body": long])
            try context.save()
            let matches = try context.matches(for: "swif*", in: request())
            #expect(titles(matches) == ["Swift", "Little"])
            #expect(matches[0].rank < matches[1].rank)
            let last = matches[1]
            #expect(last.snippet.hasPrefix("…") && last.snippet.hasSuffix("…") && last.snippet.count < 200)
            #expect(last.highlights.map { String(last.snippet[$0]) } == ["swift"])
            #expect(matches[0].highlights.map { matches[0].snippet[$0].lowercased() } == ["swift", "swift", "swift"])
        }
    }

    @Test("the request's predicate, order, window and subentities hold")
    func requests() throws {
        let store = try SearchedFile()
        try store.fill()
        try store.work { context throws in
            #expect(
                titles(try context.matches(for: "data", in: request("year > 2020"))).sorted() == [
                    "Cafés of Zürich", "Core Data",
                ])
            #expect(titles(try context.matches(for: "data", in: request(entity: "Article"))) == ["Core Data"])
            #expect(titles(try context.matches(for: "swift", in: request(), attribute: "title")) == ["Swift data"])
            #expect(try context.matches(for: "", in: request()).isEmpty)
            let byYear = request()
            byYear.sortDescriptors = [NSSortDescriptor(key: "year", ascending: false)]
            #expect(
                titles(try context.matches(for: "data", in: byYear)) == ["Core Data", "Cafés of Zürich", "Swift data"])
            let all = titles(try context.matches(for: "data", in: request()))
            #expect(all.first == "Core Data")
            let pages = try (0..<3).flatMap { page in
                let part = request()
                (part.fetchLimit, part.fetchOffset) = (1, page)
                return titles(try context.matches(for: "data", in: part))
            }
            #expect(pages == all)
        }
    }

    @Test("matches show what the store has, without what the context has deleted")
    func pending() throws {
        let store = try SearchedFile()
        try store.fill()
        try store.work { context throws in
            _ = context.insert("Document", ["title": "New data"])
            let old = try #require(try context.all("Document", "title == 'Swift data'").first)
            context.delete(old)
            #expect(titles(try context.matches(for: "data", in: request())) == ["Core Data", "Cafés of Zürich"])
            try context.save()
            #expect(titles(try context.matches(for: "new data", in: request())) == ["New data"])
        }
    }

    @Test("a child context finds what its parent's store has")
    func child() throws {
        let store = try SearchedFile()
        try store.fill()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = store.context
        try child.performAndWait {
            let matches = try child.matches(for: "waiter", in: request())
            #expect(titles(matches) == ["Cafés of Zürich"])
            #expect(matches.allSatisfy { $0.object.managedObjectContext === child })
        }
    }

    @Test("dictionaries have rank and snippet as expressions")
    func dictionaries() throws {
        let store = try SearchedFile()
        try store.fill()
        try store.work { context throws in
            let request = NSFetchRequest<NSDictionary>(entityName: "Document")
            request.resultType = .dictionaryResultType
            let rank = NSExpressionDescription()
            (rank.name, rank.expressionResultType) = ("rank", .doubleAttributeType)
            rank.expression = NSExpression(format: "FUNCTION(SELF, 'textRank:', %@)", argumentArray: ["tables"])
            request.propertiesToFetch = ["title", rank]
            request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: true)]
            let rows = try context.fetch(request)
            #expect(rows.map { $0["title"] as? String } == ["Swift data"])
            #expect((rows.first?["rank"] as? Double ?? 0) < 0)
        }
    }

    @Test("several stores' matches are one list, by rank or by the request's order")
    func severalStores() throws {
        let store = try SearchedFile()
        try store.fill()
        let second = try store.addStore("Second.store")
        try store.work { context throws in
            for (title, year) in [("More data", 2019), ("Data, data, data", 2024)] {
                context.assign(context.insert("Document", ["title": title, "year": year]), to: second)
            }
            try context.save()
            let matches = try context.matches(for: "data", in: request())
            #expect(matches.count == 5)
            #expect(matches.map(\.rank) == matches.map(\.rank).sorted())
            let byYear = request()
            byYear.sortDescriptors = [NSSortDescriptor(key: "year", ascending: true)]
            (byYear.fetchLimit, byYear.fetchOffset) = (2, 3)
            #expect(titles(try context.matches(for: "data", in: byYear)) == ["Core Data", "Data, data, data"])
            byYear.affectedStores = [second]
            (byYear.fetchLimit, byYear.fetchOffset) = (0, 0)
            #expect(titles(try context.matches(for: "data", in: byYear)) == ["More data", "Data, data, data"])
        }
    }

    @Test("a store without an index has no matches to rank")
    func withoutIndex() throws {
        let store = try SearchedFile(SearchLibrary.make(), [:])
        let error = store.work { context in thrown { _ = try context.matches(for: "data", in: request()) } }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
        #expect(error?.localizedDescription.contains("NSPersistentStoreFullTextSearchOptionKey") == true)
    }
}
