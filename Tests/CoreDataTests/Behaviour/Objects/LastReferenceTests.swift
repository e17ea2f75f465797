import CoreData
import Testing

/// An object of an app that runs code when it goes.
final class Parting: NSManagedObject {
    var atTheEnd: (() -> Void)?

    deinit { atTheEnd?() }
}

/// The context, or a relationship, may hold the last reference to an object. Its `deinit` then runs in the middle of
/// what the framework does, and may use other objects.
@Suite("Objects that run code when they go")
struct LastReferenceTests {
    private static func shelves() -> NSManagedObjectModel {
        let book = entity("Book", className: "CoreDataTests.Parting", [attribute("title", .stringAttributeType)])
        let books = toMany("books")
        books.destinationEntity = book
        let shelf = entity("Shelf", [attribute("name", .stringAttributeType), books])
        return model(book, shelf)
    }

    @Test("those that were inserted and deleted again change other objects")
    func insertedAndDeleted() throws {
        let stack = try Stack(Self.shelves())
        try stack.work { context throws in
            let shelves = (0..<200).map { context.insert("Shelf", ["name": "\($0)"]) }
            try context.save()
            var ended = 0
            for shelf in shelves {
                let book = try #require(context.insert("Book") as? Parting)
                book.atTheEnd = {
                    ended += 1
                    shelf.setValue("changed", forKey: "name")
                }
                context.delete(book)
            }
            try context.save()
            // The next notification takes the place of the one that told of the books.
            shelves[0].setValue("first", forKey: "name")
            context.processPendingChanges()
            #expect(ended == 200)
            #expect(context.updatedObjects.count == 200)
            try context.save()
            #expect(try context.all("Shelf", "name == 'changed'").count == 200)
        }
    }

    @Test("those that a relationship without an inverse led to read the relationship")
    func formerMembers() throws {
        let stack = try Stack(Self.shelves())
        try stack.work { context throws in
            let shelf = context.insert("Shelf")
            shelf.setValue(NSSet(array: (0..<300).map { context.insert("Book", ["title": "\($0)"]) }), forKey: "books")
            try context.save()
            context.refreshAllObjects()
            var ended = 0
            func books() -> Set<Parting> { shelf.value(forKey: "books") as? Set<Parting> ?? [] }
            var ids: [NSManagedObjectID] = []
            for book in books() {
                ids.append(book.objectID)
                book.atTheEnd = {
                    ended += 1
                    #expect(books().count < 300)
                }
            }
            let members = shelf.mutableSetValue(forKey: "books")
            for id in ids.prefix(290) { members.remove(context.object(with: id)) }
            #expect(books().count == 10)
            try context.save()
            context.refreshAllObjects()
            #expect(ended > 0)
            #expect(books().count == 10)
        }
    }
}
