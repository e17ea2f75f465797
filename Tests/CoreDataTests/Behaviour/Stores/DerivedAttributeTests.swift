import CoreData
import Foundation
import Testing

/// Derived attributes, as an app sees them: right after each save.
@Suite struct DerivedAttributeTests {
    @Test func aDerivedStringIsTheTransformedOneAfterEverySave() throws {
        let stack = try Stack(Library.model())
        try stack.work { context in
            let book = context.insert("Book", ["title": "Ünïcode"])
            try context.save()
            #expect(values(of: book, ["canonical", "lower", "upper"]) == ["unicode", "ünïcode", "ÜNÏCODE"])
            book.setValue("Šahrazād", forKey: "title")
            try context.save()
            #expect(values(of: book, ["canonical", "lower", "upper"]) == ["sahrazad", "šahrazād", "ŠAHRAZĀD"])
            book.setValue(nil, forKey: "title")
            try context.save()
            #expect(values(of: book, ["canonical", "lower", "upper"]) == [nil, nil, nil])
        }
    }

    @Test func nowIsTheTimeOfTheRowsLastSave() throws {
        let stack = try Stack(Library.model())
        try stack.work { context in
            let (book, other) = (context.insert("Book"), context.insert("Book"))
            let before = Date()
            try context.save()
            let first = try #require(book.value(forKey: "savedAt") as? Date)
            #expect(first >= before.addingTimeInterval(-0.001) && first <= Date())
            book.setValue("A", forKey: "title")
            try context.save()
            #expect(try #require(book.value(forKey: "savedAt") as? Date) > first)
            #expect(try #require(other.value(forKey: "savedAt") as? Date) <= first.addingTimeInterval(1))
        }
    }

    @Test func aValueOverToOnesFollowsEveryChangeOnTheWay() throws {
        let stack = try Stack(Library.model())
        try stack.work { context in
            let (town, far) = (context.insert("Town", ["name": "Delft"]), context.insert("Town", ["name": "Uppsala"]))
            let shelf = context.insert("Shelf", ["label": "Ä", "town": town])
            let book = context.insert("Book", ["shelf": shelf])
            try context.save()
            func expect(_ label: String?, _ folded: String?, _ town: String?) throws {
                try context.save()
                context.refresh(book, mergeChanges: false)
                #expect(values(of: book, ["shelfLabel", "shelfCanonical", "townName"]) == [label, folded, town])
            }
            try expect("Ä", "a", "Delft")
            shelf.setValue("Ö", forKey: "label")
            try expect("Ö", "o", "Delft")
            town.setValue("Leiden", forKey: "name")
            try expect("Ö", "o", "Leiden")
            shelf.setValue(far, forKey: "town")
            try expect("Ö", "o", "Uppsala")
            book.setValue(context.insert("Shelf", ["label": "É"]), forKey: "shelf")
            try expect("É", "e", nil)
            book.setValue(shelf, forKey: "shelf")
            try expect("Ö", "o", "Uppsala")
            context.delete(shelf)
            try expect(nil, nil, nil)
        }
    }

    @Test func countsAndSumsFollowTheMembers() throws {
        let stack = try Stack(Library.model())
        try stack.work { context in
            let (a, b) = (context.insert("Shelf"), context.insert("Shelf"))
            let books = (1...3).map { context.insert("Book", ["pages": $0 * 100, "shelf": a]) }
            func expect(_ expected: [Int], _ place: String) throws {
                try context.save()
                [a, b].forEach { context.refresh($0, mergeChanges: false) }
                let found = [a, b].flatMap { [$0.value(forKey: "bookCount"), $0.value(forKey: "pageSum")] }
                #expect(found.map { $0 as? Int } == expected, "\(place)")
            }
            try expect([3, 600, 0, 0], "inserted")
            books[0].setValue(b, forKey: "shelf")
            try expect([2, 500, 1, 100], "moved")
            books[0].setValue(150, forKey: "pages")
            try expect([2, 500, 1, 150], "changed")
            context.delete(books[1])
            try expect([1, 300, 1, 150], "deleted")
            books[2].setValue(nil, forKey: "shelf")
            try expect([0, 0, 1, 150], "taken away")
        }
    }

    @Test func countsAndSumsFollowTheMembersOfAManyToManyAndOfOneWithoutInverse() throws {
        let stack = try Stack(Library.model())
        try stack.work { context in
            let reader = context.insert("Reader")
            let books = (1...3).map { context.insert("Book", ["pages": $0]) }
            func expect(_ expected: [Int], _ place: String) throws {
                try context.save()
                context.refresh(reader, mergeChanges: false)
                let found = ["likedCount", "likedPages", "wishCount", "wishPages"].map {
                    reader.value(forKey: $0) as? Int
                }
                #expect(found == expected, "\(place)")
            }
            reader.mutableSetValue(forKey: "liked").addObjects(from: Array(books[..<2]))
            reader.mutableSetValue(forKey: "wishes").add(books[2])
            try expect([2, 3, 1, 3], "added")
            books[0].setValue(10, forKey: "pages")
            books[2].setValue(30, forKey: "pages")
            try expect([2, 12, 1, 30], "changed")
            reader.mutableSetValue(forKey: "liked").remove(books[1])
            reader.mutableSetValue(forKey: "wishes").removeAllObjects()
            try expect([1, 10, 0, 0], "removed")
            context.delete(books[0])
            try expect([0, 0, 0, 0], "deleted")
        }
    }

    @Test func derivedValuesOfSubentitiesAndOfTreesOfOneEntityAreKept() throws {
        let stack = try Stack(Library.model())
        try stack.work { context in
            let (root, plain) = (context.insert("Section", ["name": "Root"]), context.insert("Node", ["name": "N"]))
            let children = (1...2).map { context.insert("Section", ["name": "C\($0)", "parent": root]) }
            plain.setValue(root, forKey: "parent")
            try context.save()
            [root, plain].forEach { context.refresh($0, mergeChanges: false) }
            children.forEach { context.refresh($0, mergeChanges: false) }
            #expect(root.value(forKey: "childCount") as? Int == 3)
            #expect(children.map { $0.value(forKey: "parentName") as? String } == ["Root", "Root"])
            root.setValue("Top", forKey: "name")
            try context.save()
            children.forEach { context.refresh($0, mergeChanges: false) }
            #expect(children.map { $0.value(forKey: "parentName") as? String } == ["Top", "Top"])
        }
    }

    @Test func whatAnAppSetsInADerivedAttributeDoesNotLast() throws {
        let stack = try Stack(Library.model())
        try stack.work { context in
            let shelf = context.insert("Shelf", ["bookCount": 7])
            try context.save()
            #expect(shelf.value(forKey: "bookCount") as? Int == 0)
            shelf.setValue(9, forKey: "bookCount")
            shelf.setValue("L", forKey: "label")
            try context.save()
            #expect(shelf.value(forKey: "bookCount") as? Int == 0)
        }
        try stack.reopened { context throws in
            #expect(try context.all("Shelf").map { $0.value(forKey: "bookCount") as? Int } == [0])
        }
    }

    @Test func aReopenedStoreGoesOnKeepingThem() throws {
        let stack = try Stack(Library.model())
        try stack.work { context in
            let shelf = context.insert("Shelf", ["label": "A"])
            _ = context.insert("Book", ["title": "É", "shelf": shelf])
            try context.save()
        }
        try stack.reopened { context throws in
            let shelf = try #require(try context.all("Shelf").first)
            let book = try #require(try context.all("Book", "canonical == 'e' AND shelf.bookCount == 1").first)
            book.setValue("Ï", forKey: "title")
            _ = context.insert("Book", ["shelf": shelf])
            try context.save()
            context.refresh(shelf, mergeChanges: false)
            #expect(book.string("canonical") == "i" && shelf.value(forKey: "bookCount") as? Int == 2)
        }
    }

    /// A compiled model has functions for the operators of key paths, and so has the model inside of a store.
    @Test func aggregatesAsCompiledModelsSpellThemAreKept() throws {
        let model = Library.model()
        for (name, format) in ["bookCount": "count:(books)", "pageSum": "sum:(books.pages)"] {
            let attribute = model.entitiesByName["Shelf"]?.attributesByName[name] as? NSDerivedAttributeDescription
            try #require(attribute).derivationExpression = NSExpression(format: format)
        }
        try Stack(model).work { context in
            let shelf = context.insert("Shelf")
            for pages in [3, 4] { _ = context.insert("Book", ["pages": pages, "shelf": shelf]) }
            try context.save()
            context.refresh(shelf, mergeChanges: false)
            #expect(shelf.value(forKey: "bookCount") as? Int == 2 && shelf.value(forKey: "pageSum") as? Int == 7)
        }
    }

    @Test(arguments: [
        "shelf.@count", "title.@sum.pages", "wishes.@max.pages", "canonical:(pages)", "shelf", "nothing", "pages + 1",
    ])
    func aDerivationThatNoStoreCanKeepIsRefusedWithTheReason(expression: String) throws {
        let model = Library.model()
        let derived = NSDerivedAttributeDescription()
        derived.name = "odd"
        derived.attributeType = .stringAttributeType
        derived.derivationExpression = NSExpression(format: expression)
        model.entitiesByName["Book"]?.properties.append(derived)
        let error = try #require(thrown { _ = try Stack(model) })
        #expect(error.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(error.localizedDescription.contains("Book.odd"))
    }

    private func values(of object: NSManagedObject, _ names: [String]) -> [String?] { names.map { object.string($0) } }
}

/// A model with every kind of derivation.
enum Library {
    static func model() -> NSManagedObjectModel {
        let (shelf, books, town, shelves) = (toOne("shelf"), toMany("books"), toOne("town"), toMany("shelves"))
        let (liked, likedBy, parent, children) = (
            toMany("liked"), toMany("likedBy"), toOne("parent"), toMany("children")
        )
        let wishes = toMany("wishes")
        let bookEntity = entity(
            "Book",
            [
                attribute("title", .stringAttributeType), attribute("pages", .integer32AttributeType), shelf, likedBy,
                derived("savedAt", .dateAttributeType, "now()"),
                derived("canonical", .stringAttributeType, "canonical:(title)"),
                derived("lower", .stringAttributeType, "lowercase:(title)"),
                derived("upper", .stringAttributeType, "uppercase:(title)"),
                derived("shelfLabel", .stringAttributeType, "shelf.label"),
                derived("shelfCanonical", .stringAttributeType, "canonical:(shelf.label)"),
                derived("townName", .stringAttributeType, "shelf.town.name"),
            ])
        let shelfEntity = entity(
            "Shelf",
            [
                attribute("label", .stringAttributeType), books, town,
                derived("bookCount", .integer64AttributeType, "books.@count"),
                derived("pageSum", .integer64AttributeType, "books.@sum.pages"),
            ])
        let townEntity = entity("Town", [attribute("name", .stringAttributeType), shelves])
        let readerEntity = entity(
            "Reader",
            [
                liked, wishes, derived("likedCount", .integer64AttributeType, "liked.@count"),
                derived("likedPages", .integer64AttributeType, "liked.@sum.pages"),
                derived("wishCount", .integer64AttributeType, "wishes.@count"),
                derived("wishPages", .integer64AttributeType, "wishes.@sum.pages"),
            ])
        wishes.destinationEntity = bookEntity
        let sectionEntity = entity(
            "Section",
            [
                derived("parentName", .stringAttributeType, "parent.name"),
                derived("childCount", .integer64AttributeType, "children.@count"),
            ])
        let nodeEntity = entity(
            "Node", [attribute("name", .stringAttributeType), parent, children], subentities: [sectionEntity])
        connect(bookEntity, shelf, shelfEntity, books)
        connect(shelfEntity, town, townEntity, shelves)
        connect(readerEntity, liked, bookEntity, likedBy)
        connect(nodeEntity, parent, nodeEntity, children)
        let model = NSManagedObjectModel()
        model.entities = [bookEntity, shelfEntity, townEntity, readerEntity, nodeEntity, sectionEntity]
        return model
    }

    static func derived(_ name: String, _ type: NSAttributeType, _ expression: String) -> NSDerivedAttributeDescription
    {
        let derived = NSDerivedAttributeDescription()
        derived.name = name
        derived.attributeType = type
        derived.isOptional = true
        derived.derivationExpression = NSExpression(format: expression)
        return derived
    }
}
