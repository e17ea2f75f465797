import CoreData
import Foundation
import Testing

/// Migrations that the framework works out by itself: attributes and entities.
@Suite struct LightweightAttributeTests {
    private func books(_ attributes: [NSAttributeDescription]) -> NSManagedObjectModel {
        model(entity("Book", attributes))
    }

    private let title = { attribute("title", .stringAttributeType) }

    private func filled(_ attributes: [NSAttributeDescription], _ values: [[String: Any]]) throws -> MigratedStore {
        try MigratedStore(books(attributes)) { context throws in
            for value in values { _ = context.insert("Book", value) }
        }
    }

    @Test func aRenamedAttributeKeepsItsValues() throws {
        let store = try filled([title()], [["title": "Emma"], ["title": "Persuasion"]])
        let names = try store.use(books([attribute("name", .stringAttributeType).renamed(from: "title")])) { context in
            try context.all("Book", sortedBy: "name").map { $0.string("name") }
        }
        #expect(names == ["Emma", "Persuasion"])
    }

    @Test func twoAttributesSwapTheirNames() throws {
        let (a, b) = (attribute("a", .stringAttributeType), attribute("b", .integer16AttributeType))
        let store = try filled([a, b], [["a": "1", "b": 2]])
        let swapped = [
            attribute("a", .integer16AttributeType).renamed(from: "b"),
            attribute("b", .stringAttributeType).renamed(from: "a"),
        ]
        try store.use(books(swapped)) { context throws in
            let book = try #require(try context.all("Book").first)
            #expect(book.value(forKey: "a") as? Int == 2 && book.string("b") == "1")
        }
    }

    @Test func anIdentifierHoldsOverSeveralVersions() throws {
        let store = try filled([title()], [["title": "Emma"]])
        for name in ["name", "label", "heading"] {
            let model = books([attribute(name, .stringAttributeType).renamed(from: "title")])
            let value = try store.use(model) { try $0.all("Book").first?.string(name) }
            #expect(value == "Emma")
        }
    }

    @Test(arguments: [false, true])
    func aNewAttributeHasItsDefaultInAllObjects(alsoWhereAnotherGetsAnotherType: Bool) throws {
        let size = { alsoWhereAnotherGetsAnotherType ? [attribute("size", $0)] : [] }
        let store = try filled([title()] + size(.integer16AttributeType), [["title": "Emma"]])
        let uuid = UUID()
        let new: [NSAttributeDescription] = [
            title(), attribute("pages", .integer32AttributeType, optional: false, default: 7),
            attribute("price", .decimalAttributeType, default: NSDecimalNumber(string: "12.50")),
            attribute("genre", .stringAttributeType, default: "it's a \"novel\""),
            attribute("isbn", .UUIDAttributeType, default: uuid),
            attribute("bought", .dateAttributeType, default: Date(timeIntervalSinceReferenceDate: 86_400.5)),
            attribute("cover", .binaryDataAttributeType, default: Data([0, 1, 255])),
            attribute("site", .URIAttributeType, default: URL(string: "https://example.com/a")!),
            attribute("isRead", .booleanAttributeType, optional: false, default: true),
            attribute("note", .stringAttributeType),
        ]
        try store.use(books(new + size(.doubleAttributeType))) { context throws in
            let book = try #require(try context.all("Book").first)
            let fresh = context.insert("Book")
            for attribute in new where attribute.name != "title" {
                let (value, wanted) = (book.value(forKey: attribute.name), fresh.value(forKey: attribute.name))
                #expect((value as? NSObject) == (wanted as? NSObject), "\(attribute.name)")
            }
            #expect(book.string("title") == "Emma")
            #expect(book.value(forKey: "pages") as? Int == 7)
        }
    }

    @Test func removedAttributesAreGoneAndTheOthersStay() throws {
        let names = ["a", "b", "c", "d", "e"]
        for removed in [["a"], ["a", "c"], ["a", "b", "d"], names.dropLast()] {
            let store = try filled(
                names.map { attribute($0, .stringAttributeType) },
                [Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })])
            let left = names.filter { !removed.contains($0) }
            try store.use(books(left.map { attribute($0, .stringAttributeType) })) { context throws in
                let book = try #require(try context.all("Book").first)
                for name in left { #expect(book.string(name) == name) }
            }
        }
    }

    @Test func anAttributeThatBecomesRequiredTakesItsDefaultWhereItIsNil() throws {
        let store = try filled([title()], [["title": "Emma"], [:]])
        let required = attribute("title", .stringAttributeType, optional: false, default: "untitled")
        let titles = try store.use(books([required])) { context in
            try context.all("Book", sortedBy: "title").map { $0.string("title") }
        }
        #expect(titles == ["Emma", "untitled"])
    }

    @Test func elementsOfNestedCompositesAreRenamed() throws {
        let room = composite("room", [attribute("name", .stringAttributeType)])
        let store = try filled([composite("place", [room])], [["place": ["room": ["name": "hall"]]]])
        let title = attribute("title", .stringAttributeType).renamed(from: "name")
        let space = composite("space", [title]).renamed(from: "room")
        let spot = composite("spot", [space]).renamed(from: "place")
        let name = try store.use(books([spot])) { context in
            try context.all("Book").first?.value(forKeyPath: "spot.space.title") as? String
        }
        #expect(name == "hall")
    }

    @Test func integersBecomeWider() throws {
        let store = try filled([attribute("pages", .integer16AttributeType)], [["pages": 300]])
        try store.use(books([attribute("pages", .integer64AttributeType)])) { context throws in
            let book = try #require(try context.all("Book").first)
            #expect(book.value(forKey: "pages") as? Int == 300)
            book.setValue(Int64.max, forKey: "pages")
            try context.save()
        }
    }

    @Test func numbersGetAnotherTypeWhereItHoldsThem() throws {
        let types: [(NSAttributeType, NSAttributeType, NSNumber)] = [
            (.booleanAttributeType, .integer32AttributeType, true), (.integer16AttributeType, .doubleAttributeType, 7),
            (.integer64AttributeType, .integer16AttributeType, -300),
            (.doubleAttributeType, .integer32AttributeType, 4),
            (.integer32AttributeType, .booleanAttributeType, 1), (.floatAttributeType, .doubleAttributeType, 0.5),
            (.doubleAttributeType, .decimalAttributeType, 2.25), (.decimalAttributeType, .doubleAttributeType, 8.5),
        ]
        for (old, new, value) in types {
            let store = try filled([attribute("pages", old)], [["pages": value], [:]])
            let found = try store.use(books([attribute("pages", new)])) { context in
                try context.all("Book").map { $0.value(forKey: "pages") as? NSNumber }
            }
            #expect(found.map { $0?.doubleValue } == [value.doubleValue, nil], "\(old) to \(new)")
        }
    }

    @Test func numbersThatAnotherTypeCanNotHoldStopTheMigration() throws {
        let types: [(NSAttributeType, NSAttributeType, NSNumber)] = [
            (.integer32AttributeType, .integer16AttributeType, 40_000),
            (.doubleAttributeType, .integer64AttributeType, 0.5), (.doubleAttributeType, .integer64AttributeType, 1e19),
            (.integer16AttributeType, .booleanAttributeType, 2),
        ]
        for (old, new, value) in types {
            let store = try filled([attribute("pages", old)], [["pages": value]])
            let error = try #require(thrown { try store.use(books([attribute("pages", new)])) { _ in } })
            #expect(error.code == NSMigrationError && error.userInfo["property"] as? String == "pages")
            #expect(try store.use(books([attribute("pages", old)]), [:]) { try $0.all("Book").count } == 1)
        }
    }

    @Test func aNewIndexAndANewConstraintHoldForOldRows() throws {
        let store = try filled([title()], [["title": "Emma"]])
        let new = books([title()])
        new.entities[0].uniquenessConstraints = [["title"]]
        try store.use(new) { context throws in
            _ = context.insert("Book", ["title": "Emma"])
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSManagedObjectConstraintMergeError)
        }
    }

    @Test func rowsThatBreakANewConstraintStopTheMigration() throws {
        let store = try filled([title()], [["title": "Emma"], ["title": "Emma"]])
        let new = books([title()])
        new.entities[0].uniquenessConstraints = [["title"]]
        let error = try #require(thrown { try store.use(new) { _ in } })
        #expect(error.code == NSMigrationConstraintViolationError)
        #expect(try store.use(books([title()]), [:]) { try $0.all("Book").count } == 2)
    }

    @Test func largeDataStaysInItsFileAndTheFilesOfRemovedAttributesGo() throws {
        let large = { (byte: UInt8) in Data(repeating: byte, count: 200_000) }
        let store = try filled([externalData("cover"), externalData("scan")], [["cover": large(1), "scan": large(2)]])
        let before = store.externalFiles
        #expect(before.count == 2)
        let new = books([(externalData("image").renamed(from: "cover"))])
        try store.use(new) { context throws in
            let book = try #require(try context.all("Book").first)
            #expect(book.value(forKey: "image") as? Data == large(1))
        }
        #expect(store.externalFiles.count == 1 && store.externalFiles.isSubset(of: before))
    }

    @Test func dataGoesIntoRowsAndOutOfThemWithTheOption() throws {
        let (small, large) = (Data([2, 0, 7]), Data(repeating: 9, count: 200_000))
        let plain = { attribute("cover", .binaryDataAttributeType) }
        let store = try filled([externalData("cover")], [["cover": small], ["cover": large], [:]])
        for attribute in [plain(), externalData("cover"), plain()] {
            let found = try store.use(books([attribute])) { context throws in
                try context.all("Book").map { $0.value(forKey: "cover") as? Data }
            }
            #expect(found.sorted { ($0?.count ?? .max) < ($1?.count ?? .max) } == [small, large, nil])
        }
        #expect(store.externalFiles.isEmpty)
    }

    @Test func derivedAttributesAreComputedForOldRowsAndKeptFromThenOn() throws {
        let store = try filled([title()], [["title": "Émile"]])
        let folded = NSDerivedAttributeDescription()
        (folded.name, folded.attributeType) = ("folded", .stringAttributeType)
        folded.derivationExpression = NSExpression(format: "canonical:(title)")
        let copied = NSDerivedAttributeDescription()
        (copied.name, copied.attributeType) = ("same", .stringAttributeType)
        copied.derivationExpression = NSExpression(format: "title")
        try store.use(books([title(), folded, copied])) { context throws in
            let book = try #require(try context.all("Book").first)
            #expect(book.string("folded") == "emile" && book.string("same") == "Émile")
            book.setValue("Candide", forKey: "title")
            try context.save()
            context.refresh(book, mergeChanges: false)
            #expect(book.string("folded") == "candide" && book.string("same") == "Candide")
        }
    }
}
