import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

/// Requests of a store with constants that its columns can't have.
@Suite("Requests with constants that can't be stored")
struct UnstorableTests {
    private let store: NamedStore
    private let context: NSManagedObjectContext

    init() throws {
        store = try NamedStore()
        var model = NamedModel()
        model.attributes = [("plays", .integer64AttributeType), ("price", .decimalAttributeType)]
        context = try store.open(model.make())
        let context = context
        try context.performAndWait {
            _ = context.insert("Album", ["title": "P1", "plays": 1, "price": NSDecimalNumber(value: 9.5)])
            _ = context.insert("Album", ["title": "P2", "plays": 2, "price": NSDecimalNumber(value: 12)])
            _ = context.insert("Album", ["title": nil])
            try context.save()
        }
    }

    private func count(_ format: String, _ values: Any...) throws -> Int {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
            request.predicate = NSPredicate(format: format, argumentArray: values)
            return try context.count(for: request)
        }
    }

    @Test("a text with U+0000 is in no row: the fetch answers, and does not throw")
    func fetches() throws {
        let text = "a\0b"
        for word in ["==", "CONTAINS", "CONTAINS[cd]", "BEGINSWITH", "ENDSWITH", "LIKE", "LIKE[cd]", "MATCHES"] {
            #expect(try count("title \(word) %@", text) == 0, "\(word)")
        }
        #expect(try count("title != %@", text) == 2)
        #expect(try count("title IN %@", ["P1", text]) == 1)
        #expect(try count("title > %@", text) == 0)
        #expect(try count("title < %@", "Q\0") == 2)
        // Where more is computed of the text.
        #expect(try count("title == uppercase(%@)", text) == 0)
        #expect(try count("title CONTAINS[l] %@", text) == 0)
        #expect(try count("TERNARY(year == nil, %@, title) == title", text) == 0)
    }

    @Test("a batch update and a save with such a text throw")
    func changes() throws {
        context.performAndWait {
            let update = NSBatchUpdateRequest(entityName: "Album")
            update.propertiesToUpdate = ["title": "a\0b"]
            #expect(throws: (any Error).self) { try context.execute(update) }
            _ = context.insert("Album", ["title": "a\0b"])
            #expect(store.error { try context.save() }?.code == NSPersistentStoreSaveError)
        }
        #expect(try count("title == 'P1'") == 1)
    }

    @Test("an infinite number is greater or less than those of all rows")
    func infinite() throws {
        for key in ["year", "plays", "price"] {
            #expect(try count("\(key) > %@", Double.infinity) == 0, "\(key)")
            #expect(try count("\(key) == %@", Double.nan) == 0, "\(key)")
            #expect(try count("\(key) IN %@", [1, 9.5, Double.infinity]) == (key == "year" ? 0 : 1), "\(key)")
        }
        for key in ["plays", "price"] {
            #expect(try count("\(key) < %@", Double.infinity) == 2, "\(key)")
            #expect(try count("\(key) >= %@", -Double.infinity) == 2, "\(key)")
        }
    }

    @Test("a computed decimal that is infinite, or too large for decimals, is no number")
    func infiniteDecimals() throws {
        for (format, expected) in [
            ("price + ln(0)", nil), ("ln(0) - price", nil), ("price * 1e300", nil), ("plays / 8.0", "0.125"),
        ] {
            let column = NSExpressionDescription()
            (column.name, column.expression) = ("found", NSExpression(format: format))
            column.expressionResultType = .decimalAttributeType
            let request = NSFetchRequest<NSDictionary>(entityName: "Album")
            request.predicate = NSPredicate(format: "title == 'P1'")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = [column]
            let found = try context.performAndWait { try context.fetch(request)[0]["found"] as? NSDecimalNumber }
            #expect(found == expected.map { NSDecimalNumber(string: $0) } ?? .notANumber, "\(format)")
        }
    }
}
