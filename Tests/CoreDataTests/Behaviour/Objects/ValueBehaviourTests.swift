import CoreData
import Foundation
import Testing

/// Values: section 10 of the behaviour that users rely on, as an app sees it.
@Suite("Values behave as at Apple")
struct ValueBehaviourTests {
    // MARK: Transformables

    private func archive(_ transformer: String?) throws -> Stack {
        let content = attribute("content", .transformableAttributeType)
        content.valueTransformerName = transformer
        return try Stack(model(entity("Paper", [attribute("title", .stringAttributeType), content])))
    }

    @Test(
        "without a name a transformable is a secure archive of the standard classes, and nothing else comes out of it")
    func standardTransformer() throws {
        let content: [String: Any] = ["list": [1, 2.5, "three"], "when": Date(timeIntervalSinceReferenceDate: 7)]
        for name in [nil, "NSSecureUnarchiveFromData"] {
            let stack = try archive(name)
            try stack.work { context throws in
                _ = context.insert("Paper", ["title": "a", "content": content])
                try context.save()
            }
            try stack.reopened { context throws in
                let read = try #require(try context.all("Paper").first?.value(forKey: "content") as? [String: Any])
                #expect((read["list"] as? [Any])?.count == 3 && read["when"] as? Date == content["when"] as? Date)
            }
            try stack.work { context throws in
                _ = context.insert("Paper", ["content": Seal(words: "not allowed")])
                let error = try #require(thrown { try context.save() })
                #expect(error.code == NSManagedObjectValidationError)
                #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "content")
            }
        }
    }

    @Test("a subclass of the secure transformer allows classes of the app's own, by its name")
    func allowedClasses() throws {
        ValueTransformer.setValueTransformer(SealTransformer(), forName: NSValueTransformerName("SealTransformer"))
        let stack = try archive("SealTransformer")
        try stack.work { context throws in
            _ = context.insert("Paper", ["content": Seal(words: "in wax")])
            try context.save()
        }
        try stack.reopened { context throws in
            #expect((try context.all("Paper").first?.value(forKey: "content") as? Seal)?.words == "in wax")
        }
    }

    // MARK: Composite attributes

    @Test("elements of a composite attribute are read, set, fetched and sorted by dotted key paths")
    func composites() throws {
        let stack = try Stack(DiaryModel.make())
        try stack.work { context throws in
            let page = context.insert("Page", ["title": "a", "place": ["town": "Delft", "street": "Oude Delft"]])
            #expect(page.value(forKeyPath: "place.town") as? String == "Delft")
            page.setValue("Leiden", forKeyPath: "place.town")
            let place = page.value(forKey: "place") as? [String: String]
            #expect(place == ["town": "Leiden", "street": "Oude Delft"])
            _ = context.insert("Page", ["title": "b", "place": ["town": "Breda"]])
            _ = context.insert("Page", ["title": "c"])
            #expect(try context.all("Page", "place.town == 'Leiden'").map { $0.string("title") } == ["a"])
            try context.save()
            page.setValue("Gouda", forKeyPath: "place.town")
            #expect(page.isUpdated && page.hasPersistentChangedValues)
            try context.save()
        }
        try stack.reopened { context throws in
            #expect(try context.all("Page", "place.town == 'Gouda'").map { $0.string("title") } == ["a"])
            #expect(
                try context.all("Page", "place.town != nil", sortedBy: "place.town").map { $0.string("title") } == [
                    "b", "a",
                ])
            #expect(try context.all("Page", "title == 'c'").first?.value(forKey: "place") == nil)
        }
    }

    // MARK: Derived attributes

    @Test("derived attributes are fresh in memory after a save, those of objects that the save did not write, too")
    func derived() throws {
        try Stack(Library.model()).work { context throws in
            let town = context.insert("Town", ["name": "Delft"])
            let shelf = context.insert("Shelf", ["label": "Ä", "town": town])
            let book = context.insert("Book", ["title": "Ünï", "pages": 10, "shelf": shelf])
            #expect(book.string("canonical") == nil, "nothing before the save")
            try context.save()
            #expect(book.string("canonical") == "uni" && shelf.value(forKey: "bookCount") as? Int == 1)
            #expect(book.string("townName") == "Delft" && shelf.value(forKey: "pageSum") as? Int == 10)
            town.setValue("Leiden", forKey: "name")
            #expect(book.string("townName") == "Delft", "as it was saved last")
            try context.save()
            #expect(book.string("townName") == "Leiden" && !book.hasChanges)
            book.setValue(25, forKey: "pages")
            try context.save()
            #expect(shelf.value(forKey: "pageSum") as? Int == 25)
            context.delete(book)
            try context.save()
            #expect(shelf.value(forKey: "bookCount") as? Int == 0 && shelf.value(forKey: "pageSum") as? Int == 0)
            shelf.setValue("B", forKey: "label")
            try context.save()
        }
    }

    // MARK: External storage

    private func files(_ stack: Stack, _ name: String = "Store") -> [String] {
        let folder = stack.folder.appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
        return (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    @Test("data of more than 100 KB lies in a file, which goes with its value, its row and its store")
    func externalData() throws {
        let stack = try Stack(DiaryModel.make())
        let limit = 100 * 1024
        try stack.work { context throws in
            let page = context.insert("Page", ["title": "a", "photo": Data(repeating: 1, count: limit)])
            try context.save()
            #expect(files(stack).isEmpty, "up to the limit it stays in its row")
            let large = Data(repeating: 2, count: limit + 1)
            page.setValue(large, forKey: "photo")
            #expect(files(stack).isEmpty, "nothing is written before the save")
            try context.save()
            let first = files(stack)
            #expect(first.count == 1)
            page.setValue(Data(repeating: 3, count: limit + 1), forKey: "photo")
            context.rollback()
            #expect(page.value(forKey: "photo") as? Data == large && files(stack) == first)
            page.setValue(Data(repeating: 4, count: limit + 1), forKey: "photo")
            try context.save()
            #expect(files(stack).count == 1 && files(stack) != first, "a new file takes the old one's place")
            page.setValue(Data([5]), forKey: "photo")
            try context.save()
            #expect(files(stack).isEmpty)
            page.setValue(large, forKey: "photo")
            try context.save()
            context.delete(page)
            try context.save()
            #expect(files(stack).isEmpty)
        }
    }

    @Test("a value without its file is nil, and standard error says so")
    func missingExternalData() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let stack = try Stack(DiaryModel.make())
            try stack.work { context throws in
                _ = context.insert("Page", ["title": "a", "photo": Data(repeating: 1, count: 200_000)])
                try context.save()
            }
            let folder = stack.folder.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
            try stack.work { context throws in
                let page = try #require(try context.all("Page").first)
                #expect(page.value(forKey: "photo") == nil && page.string("title") == "a")
            }
        }
        #expect(words(result).contains("CoreData: error: \"photo\" of"))
        #expect(words(result).contains("the file of its data is missing"))
    }

    @Test("external data moves with its store, and goes when the store is destroyed")
    func externalDataOfStore() throws {
        let stack = try Stack(DiaryModel.make())
        let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        try stack.work { context throws in
            _ = context.insert("Page", ["title": "a", "photo": large])
            try context.save()
        }
        let store = try #require(stack.coordinator.persistentStores.first)
        let url = stack.folder.appendingPathComponent("Moved.sqlite")
        try stack.coordinator.migratePersistentStore(store, to: url, options: nil, withType: NSSQLiteStoreType)
        #expect(files(stack, "Moved").count == 1)
        try stack.work { context throws in
            #expect(try context.all("Page").first?.value(forKey: "photo") as? Data == large)
        }
        try stack.coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
        #expect(files(stack, "Moved").isEmpty)
    }

    // MARK: Limits

    private func numbers() throws -> Stack {
        try Stack(
            model(
                entity(
                    "Value",
                    [
                        attribute("int16", .integer16AttributeType), attribute("int32", .integer32AttributeType),
                        attribute("int64", .integer64AttributeType), attribute("double", .doubleAttributeType),
                        attribute("float", .floatAttributeType), attribute("decimal", .decimalAttributeType),
                        attribute("date", .dateAttributeType), attribute("uuid", .UUIDAttributeType),
                        attribute("uri", .URIAttributeType), attribute("data", .binaryDataAttributeType),
                        attribute("text", .stringAttributeType),
                    ])))
    }

    @Test("values at their limits come back from the store as they went")
    func limits() throws {
        let stack = try numbers()
        let date = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
        let uuids = [
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)),
        ]
        let uri = try #require(URL(string: "x-app://user:word@host:1/a%20b;c?d=%C3%BC&e#f"))
        let rows: [[String: Any]] = [
            [
                "int16": Int16.min, "int32": Int32.min, "int64": Int64.min, "double": -Double.infinity,
                "float": -Float.infinity, "date": Date.distantPast, "uuid": uuids[0], "uri": uri, "data": Data(),
                "text": "", "decimal": NSDecimalNumber(string: "-0.000001"),
            ],
            [
                "int16": Int16.max, "int32": Int32.max, "int64": Int64.max, "double": Double.infinity,
                "float": Float.greatestFiniteMagnitude, "date": Date.distantFuture, "uuid": uuids[1],
                "data": Data([0]), "text": "\u{0}a\u{1F468}\u{200D}\u{1F469}", "decimal": NSDecimalNumber(value: 0),
            ],
            [
                "double": Double.leastNonzeroMagnitude, "float": Float.leastNonzeroMagnitude, "date": date,
                "decimal": NSDecimalNumber(string: "999999999999999"),
            ],
        ]
        try stack.work { context throws in
            for row in rows { _ = context.insert("Value", row) }
            try context.save()
        }
        try stack.reopened { context throws in
            for row in rows {
                let key = row["int64"] == nil ? "int64 == nil" : "int64 == \(row["int64"] as? Int64 ?? 0)"
                let value = try #require(try context.all("Value", key).first)
                for (name, expected) in row {
                    #expect(value.value(forKey: name) as? NSObject == expected as? NSObject, "\(name)")
                }
            }
        }
    }

    @Test("a decimal keeps 38 digits in memory")
    func decimals() throws {
        try numbers().work { context throws in
            let text = "12345678901234567890123456789012345678"
            let value = context.insert("Value", ["decimal": NSDecimalNumber(string: text)])
            #expect((value.value(forKey: "decimal") as? NSDecimalNumber)?.stringValue == text)
        }
    }

    @Test("not-a-number becomes nil, at once and in the store")
    func notANumber() throws {
        let stack = try numbers()
        try stack.work { context throws in
            let value = context.insert(
                "Value",
                [
                    "double": Double.nan, "float": Float.nan, "decimal": NSDecimalNumber.notANumber,
                    "date": Date(timeIntervalSinceReferenceDate: .nan),
                ])
            for key in ["double", "float", "decimal", "date"] { #expect(value.value(forKey: key) == nil, "\(key)") }
            try context.save()
        }
        try stack.reopened { context throws in
            #expect(
                try context.all("Value", "double == nil AND float == nil AND decimal == nil AND date == nil").count == 1
            )
        }
    }

    @Test("a number that an integer attribute has no room for traps, and is never wrapped")
    func overflow() async {
        func expect(_ result: ExitTest.Result?, _ key: String) {
            expectMessage(result, "does not fit \"\(key)\" of Value", "set a whole number from -")
        }
        let small = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try ValueBehaviourTests().numbers().work { $0.insert("Value").setValue(40_000, forKey: "int16") }
        }
        expect(small, "int16")
        let middle = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try ValueBehaviourTests().numbers().work { $0.insert("Value").setValue(-2_147_483_649, forKey: "int32") }
        }
        expect(middle, "int32")
        let large = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try ValueBehaviourTests().numbers().work { $0.insert("Value").setValue(UInt64.max, forKey: "int64") }
        }
        expect(large, "int64")
        let fractional = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try ValueBehaviourTests().numbers().work { $0.insert("Value").setValue(1e30, forKey: "int64") }
        }
        expect(fractional, "int64")
    }
}

/// A class of the app's own, archived securely.
final class Seal: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let words: String

    init(words: String) { self.words = words }

    required init?(coder: NSCoder) {
        guard let words = coder.decodeObject(of: NSString.self, forKey: "words") else { return nil }
        self.words = words as String
    }

    func encode(with coder: NSCoder) { coder.encode(words as NSString, forKey: "words") }
}

private final class SealTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [Seal.self] }
}
