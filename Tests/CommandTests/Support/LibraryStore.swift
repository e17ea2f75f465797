import CoreData
import Foundation

/// A store with all kinds of relationships and attributes.
///
/// A publication is a book or a magazine. A book has chapters and authors in an order, tags without an inverse, a
/// sequel with one, and a shelf without one.
struct LibraryStore {
    let folder: TemporaryFolder
    var url: URL { folder.url.appendingPathComponent("Library.sqlite") }
    var path: String { url.path }

    /// - Parameters:
    ///   - bookCount: How many books there are, with three chapters each.
    ///   - derives: Whether a book has derived attributes.
    init(bookCount: Int = 12, derives: Bool = false) throws {
        folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(derives: derives))
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        coordinator.setMetadata(["Librarian": "Hypatia"], for: store)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            try Self.fill(context, bookCount)
        }
        try coordinator.remove(store)
    }

    /// Saves in between, so that memory has a part of a large store.
    private static func fill(_ context: NSManagedObjectContext, _ bookCount: Int) throws {
        let authors = (0..<7).map { context.insert("Author", ["name": "Author \($0)"]) }
        let shelves = (0..<3).map { context.insert("Shelf", ["name": "Shelf \($0)"]) }
        // A sequel is in the same part: books of five follow each other.
        for start in stride(from: 0, to: bookCount, by: 5_000) {
            addBooks(start..<min(bookCount, start + 5_000), authors, shelves)
            guard bookCount > 5_000 else { continue }
            try context.save()
            context.refreshAllObjects()
        }
        for number in 0..<3 { _ = context.insert("Magazine", ["title": "Magazine \(number)", "issue": number]) }
        authors[0].setValue(NSSet(array: [authors[0], authors[1], authors[5]]), forKey: "friends")
        try context.save()
    }

    private static func addBooks(_ numbers: Range<Int>, _ authors: [NSManagedObject], _ shelves: [NSManagedObject]) {
        guard let context = shelves[0].managedObjectContext else { return }
        var last: NSManagedObject?
        for number in numbers {
            let book = context.insert("Book", values(number))
            book.setValue(shelves[number % 3], forKey: "shelf")
            // The sequel comes later, and so does its row.
            last?.setValue(book, forKey: "sequel")
            last = number % 5 == 4 ? nil : book
            let chapters = (0..<3).map { context.insert("Chapter", ["title": "Chapter \($0)"]) }
            book.setValue(NSOrderedSet(array: chapters.reversed()), forKey: "chapters")
            let own = (0..<(number % 4)).map { authors[($0 * 5 + number) % 7] }
            book.setValue(NSOrderedSet(array: own), forKey: "authors")
            book.setValue(NSSet(array: (0..<2).map { context.insert("Tag", ["word": "tag \($0)"]) }), forKey: "tags")
        }
    }

    private static func values(_ number: Int) -> [String: Any] {
        var values: [String: Any] = [
            "title": "Book \(number) “ü\n”", "pages": 100 + number, "isLent": number % 2 == 0,
            "weight": Double(number) / 3, "rating": Float(number) / 7,
            "price": NSDecimalNumber(string: "\(number).50"),
            "printed": Date(timeIntervalSinceReferenceDate: Double(number) * 86_400.123_456),
            "code": UUID(uuidString: "00000000-0000-0000-0000-\(String(format: "%012d", number))") ?? UUID(),
            "site": URL(string: "https://example.com/\(number)") ?? URL(fileURLWithPath: "/"),
        ]
        // In the year 2138. A million times that many seconds are more digits than a double has.
        if number == 11 { values["printed"] = Date(timeIntervalSinceReferenceDate: 4_327_177_383.046848) }
        if number < 12, number % 3 == 0 {
            values["cover"] = Data(repeating: UInt8(number % 256), count: number % 2 == 0 ? 400_000 : 50)
        }
        return values
    }

    // MARK: The model

    private static func model(derives: Bool) -> NSManagedObjectModel {
        let names = ["Publication", "Book", "Magazine", "Chapter", "Author", "Tag", "Shelf"]
        let entities = names.map { name in
            let entity = NSEntityDescription()
            entity.name = name
            return entity
        }
        let (publication, book, magazine, chapter) = (entities[0], entities[1], entities[2], entities[3])
        let (author, tag, shelf) = (entities[4], entities[5], entities[6])
        publication.isAbstract = true
        publication.subentities = [book, magazine]
        publication.properties = [attribute("title", .stringAttributeType)]
        magazine.properties = [attribute("issue", .integer16AttributeType)]
        chapter.properties = [attribute("title", .stringAttributeType)]
        author.properties = [attribute("name", .stringAttributeType)]
        author.uniquenessConstraints = [["name"]]
        tag.properties = [attribute("word", .stringAttributeType)]
        shelf.properties = [attribute("name", .stringAttributeType)]
        book.properties = [
            attribute("pages", .integer32AttributeType), attribute("isLent", .booleanAttributeType),
            attribute("weight", .doubleAttributeType), attribute("rating", .floatAttributeType),
            attribute("price", .decimalAttributeType), attribute("printed", .dateAttributeType),
            attribute("code", .UUIDAttributeType), attribute("site", .URIAttributeType), cover(),
        ]
        if derives { book.properties += [derived("shelfName", "shelf.name"), derived("changed", "now()")] }
        relate(book, "chapters", isOrdered: true, chapter, "book")
        relate(book, "authors", isOrdered: true, author, "books", isToMany: true)
        relate(book, "sequel", isToOne: true, book, "prequel")
        let friends = relationship("friends", author, isToMany: true)
        friends.inverseRelationship = friends
        author.properties.append(friends)
        book.properties += [relationship("tags", tag, isToMany: true), relationship("shelf", shelf, isToMany: false)]
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }

    private static func cover() -> NSAttributeDescription {
        let cover = attribute("cover", .binaryDataAttributeType)
        cover.allowsExternalBinaryDataStorage = true
        return cover
    }

    private static func derived(_ name: String, _ expression: String) -> NSDerivedAttributeDescription {
        let attribute = NSDerivedAttributeDescription()
        (attribute.name, attribute.isOptional) = (name, true)
        attribute.attributeType = expression == "now()" ? .dateAttributeType : .stringAttributeType
        attribute.derivationExpression = NSExpression(format: expression)
        return attribute
    }

    private static func relationship(
        _ name: String, _ destination: NSEntityDescription, isToMany: Bool, isOrdered: Bool = false
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        (relationship.name, relationship.destinationEntity, relationship.isOptional) = (name, destination, true)
        (relationship.maxCount, relationship.isOrdered) = (isToMany ? 0 : 1, isOrdered)
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }

    private static func relate(
        _ one: NSEntityDescription, _ name: String, isToOne: Bool = false, isOrdered: Bool = false,
        _ other: NSEntityDescription, _ inverse: String, isToMany: Bool = false
    ) {
        let there = relationship(name, other, isToMany: !isToOne, isOrdered: isOrdered)
        let back = relationship(inverse, one, isToMany: isToMany)
        (there.inverseRelationship, back.inverseRelationship) = (back, there)
        one.properties.append(there)
        other.properties.append(back)
    }
}
