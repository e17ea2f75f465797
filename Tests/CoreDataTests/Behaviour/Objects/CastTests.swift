import CoreData
import Testing

/// The casts that code written for Apple's framework makes. The documentation has the same table.
@Suite("What key-value coding gives survives the usual casts")
struct CastTests {
    let stack: Stack
    let context: NSManagedObjectContext

    init() throws {
        stack = try Stack(CastTests.model())
        context = stack.context()
    }

    private static func model() -> NSManagedObjectModel {
        let types: [(String, NSAttributeType)] = [
            ("int16", .integer16AttributeType), ("int32", .integer32AttributeType), ("int64", .integer64AttributeType),
            ("double", .doubleAttributeType), ("float", .floatAttributeType), ("flag", .booleanAttributeType),
            ("decimal", .decimalAttributeType), ("text", .stringAttributeType), ("date", .dateAttributeType),
            ("data", .binaryDataAttributeType), ("uuid", .UUIDAttributeType), ("link", .URIAttributeType),
        ]
        let (friends, friendOf) = (toMany("friends"), toMany("friendOf"))
        let (line, lineOf) = (toMany("line", ordered: true), toOne("lineOf"))
        let thing = entity(
            "Thing", className: "CoreDataTests.CastThing",
            types.map { attribute($0.0, $0.1) } + [friends, friendOf, line, lineOf])
        connect(thing, friends, thing, friendOf)
        connect(thing, line, thing, lineOf)
        return CoreDataTests.model(thing)
    }

    private static let date = Date(timeIntervalSinceReferenceDate: 86_400.5)
    private static let uuid = UUID()
    private static let url = URL(string: "https://example.org/a")
    private static let decimal = Decimal(string: "12.25") ?? 0

    /// A saved thing, its values as they come from the store.
    private func thing() throws -> CastThing {
        let new = CastThing(context: context)
        let values: [String: Any?] = [
            "int16": 300, "int32": 70_000, "int64": 5_000_000_000, "double": 2.5, "float": Float(1.5), "flag": true,
            "decimal": Self.decimal as NSDecimalNumber, "text": "Larry", "date": Self.date, "data": Data([1, 2]),
            "uuid": Self.uuid, "link": Self.url,
        ]
        for (key, value) in values { new.setValue(value, forKey: key) }
        let (one, two) = (CastThing(context: context), CastThing(context: context))
        new.setValue(NSSet(array: [one, two]), forKey: "friends")
        new.setValue(NSOrderedSet(array: [two, one]), forKey: "line")
        try context.save()
        let id = new.objectID
        context.reset()
        return try #require(context.object(with: id) as? CastThing)
    }

    /// Each type's casts to what Swift code wants of it.
    private static let attributeCasts: [(key: String, to: String, holds: @Sendable (Any?) -> Bool)] = [
        ("int16", "Int", { $0 as? Int == 300 }), ("int16", "Int16", { $0 as? Int16 == 300 }),
        ("int16", "Int32", { $0 as? Int32 == 300 }), ("int16", "Int64", { $0 as? Int64 == 300 }),
        ("int16", "Double", { $0 as? Double == 300 }), ("int16", "NSNumber", { ($0 as? NSNumber)?.intValue == 300 }),
        ("int16", "not Int8, which it does not fit", { $0 as? Int8 == nil }),
        ("int16", "not String", { $0 as? String == nil }),
        ("int32", "Int", { $0 as? Int == 70_000 }), ("int32", "Int32", { $0 as? Int32 == 70_000 }),
        ("int32", "not Int16, which it does not fit", { $0 as? Int16 == nil }),
        ("int64", "Int", { $0 as? Int == 5_000_000_000 }), ("int64", "Int64", { $0 as? Int64 == 5_000_000_000 }),
        ("int64", "UInt", { $0 as? UInt == 5_000_000_000 }), ("int64", "NSNumber", { $0 is NSNumber }),
        ("double", "Double", { $0 as? Double == 2.5 }), ("double", "Float", { $0 as? Float == 2.5 }),
        ("double", "NSNumber", { $0 is NSNumber }),
        ("double", "not Int, which it does not fit", { $0 as? Int == nil }),
        ("float", "Float", { $0 as? Float == 1.5 }), ("float", "Double", { $0 as? Double == 1.5 }),
        ("flag", "Bool", { $0 as? Bool == true }),
        ("flag", "NSNumber", { ($0 as? NSNumber)?.boolValue == true }),
        ("decimal", "Decimal", { $0 as? Decimal == CastTests.decimal }),
        ("decimal", "NSDecimalNumber", { ($0 as? NSDecimalNumber)?.decimalValue == CastTests.decimal }),
        ("decimal", "NSNumber", { ($0 as? NSNumber)?.doubleValue == 12.25 }),
        ("decimal", "Double", { $0 as? Double == 12.25 }),
        ("text", "String", { $0 as? String == "Larry" }),
        ("text", "NSString", { ($0 as? NSString)?.length == 5 }),
        ("date", "Date", { $0 as? Date == CastTests.date }),
        ("date", "NSDate", { ($0 as? NSDate)?.timeIntervalSinceReferenceDate == 86_400.5 }),
        ("data", "Data", { $0 as? Data == Data([1, 2]) }), ("data", "NSData", { ($0 as? NSData)?.length == 2 }),
        ("uuid", "UUID", { $0 as? UUID == CastTests.uuid }),
        ("uuid", "NSUUID", { ($0 as? NSUUID)?.uuidString == CastTests.uuid.uuidString }),
        ("link", "URL", { $0 as? URL == CastTests.url }),
        ("link", "NSURL", { ($0 as? NSURL)?.absoluteString == CastTests.url?.absoluteString }),
    ]

    @Test("attributes", arguments: attributeCasts.indices)
    func attributes(index: Int) throws {
        let cast = Self.attributeCasts[index]
        try context.performAndWait {
            let thing = try thing()
            #expect(cast.holds(thing.value(forKey: cast.key)), "\(cast.key) as \(cast.to)")
            #expect(cast.holds(thing.primitiveValue(forKey: cast.key)), "primitive \(cast.key) as \(cast.to)")
            let committed = thing.committedValues(forKeys: [cast.key])[cast.key]
            #expect(cast.holds(committed), "committed \(cast.key) as \(cast.to)")
            let listed = thing.dictionaryWithValues(forKeys: [cast.key])[cast.key]
            #expect(cast.holds(listed), "dictionaryWithValues \(cast.key) as \(cast.to)")
        }
    }

    @Test("columns of dictionary results", arguments: attributeCasts.indices)
    func dictionaries(index: Int) throws {
        let cast = Self.attributeCasts[index]
        try context.performAndWait {
            _ = try thing()
            let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Thing")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = [cast.key]
            request.predicate = NSPredicate(format: "text == 'Larry'")
            let found = try context.fetch(request)
            let swift = try #require((found as? [[String: Any]])?.first)
            #expect(cast.holds(swift[cast.key]), "\(cast.key) as \(cast.to) of [String: Any]")
            let object = try #require((found as? [NSDictionary])?.first)
            #expect(cast.holds(object[cast.key]), "\(cast.key) as \(cast.to) of NSDictionary")
        }
    }

    @Test("a nil value is nil under every cast")
    func nilValues() throws {
        context.performAndWait {
            let thing = CastThing(context: context)
            for key in Set(Self.attributeCasts.map(\.key)) {
                #expect(thing.value(forKey: key) == nil)
                #expect(thing.value(forKey: key) as? NSNumber == nil)
                #expect(thing.dictionaryWithValues(forKeys: [key])[key] is NSNull)
            }
        }
    }

    @Test("relationships")
    func relationships() throws {
        try context.performAndWait {
            let thing = try thing()
            let friends = thing.value(forKey: "friends")
            #expect((friends as? Set<CastThing>)?.count == 2 && (friends as? Set<NSManagedObject>)?.count == 2)
            #expect((friends as? NSSet)?.count == 2 && ((friends as? NSSet)?.allObjects as? [CastThing])?.count == 2)
            let line = thing.value(forKey: "line")
            #expect((line as? NSOrderedSet)?.count == 2 && ((line as? NSOrderedSet)?.array as? [CastThing])?.count == 2)
            #expect((thing.value(forKeyPath: "friends.text") as? NSSet)?.count == 0)
            #expect(thing.value(forKeyPath: "friends.@count") as? Int == 2)
            let first = (line as? NSOrderedSet)?.firstObject as? CastThing
            #expect(first?.value(forKey: "lineOf") as? CastThing === thing)
        }
    }

    @Test("results of every kind of fetch, and what notifications carry")
    func results() throws {
        try context.performAndWait {
            let thing = try thing()
            let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Thing")
            #expect((try context.fetch(request) as? [CastThing])?.count == 3)
            #expect((try context.fetch(request) as? [NSManagedObject])?.count == 3)
            request.resultType = .managedObjectIDResultType
            #expect((try context.fetch(request) as? [NSManagedObjectID])?.count == 3)
            request.resultType = .countResultType
            #expect((try context.fetch(request) as? [NSNumber])?.first?.intValue == 3)
            #expect((try context.fetch(request) as? [Int])?.first == 3)
            nonisolated(unsafe) var payload: [AnyHashable: Any]?
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: context, queue: nil
            ) { payload = $0.userInfo }
            thing.setValue("Bill", forKey: "text")
            try context.save()
            NotificationCenter.default.removeObserver(token)
            let updated = payload?[NSUpdatedObjectsKey]
            #expect(updated as? Set<NSManagedObject> == [thing])
            #expect((updated as? Set<CastThing>) == [thing] && (updated as? NSSet)?.count == 1)
        }
    }
}

final class CastThing: NSManagedObject {}
