import CoreData
import Foundation
import Testing

/// What a typed accessor does where the model has another kind of property than the class declares.
@Suite("Typed accessors over attributes of another kind")
struct TypedAccessTests {
    private static let kinds: [(key: String, type: NSAttributeType)] = [
        ("int16", .integer16AttributeType), ("int32", .integer32AttributeType), ("int64", .integer64AttributeType),
        ("double", .doubleAttributeType), ("float", .floatAttributeType), ("decimal", .decimalAttributeType),
    ]

    private static let keys: [String: ManagedKey] = [
        "int16": ManagedKey("int16"), "int32": ManagedKey("int32"), "int64": ManagedKey("int64"),
        "double": ManagedKey("double"), "float": ManagedKey("float"), "decimal": ManagedKey("decimal"),
    ]

    private static func stack() throws -> Stack {
        try Stack(model(entity("Thing", kinds.map { attribute($0.key, $0.type) })))
    }

    @Test("every type of number reads and sets every kind of number, also after a save", arguments: [false, true])
    func numbers(isSaved: Bool) throws {
        try Self.stack().work { context throws in
            for (key, _) in Self.kinds {
                let managed = try #require(Self.keys[key])
                let thing = context.insert("Thing")
                func expect(_ number: Int, _ setter: String) throws {
                    if isSaved {
                        try context.save()
                        context.refresh(thing, mergeChanges: false)
                    }
                    #expect(thing.value(forKey: key) as? Int == number, "\(key) by \(setter)")
                    #expect(
                        (thing.managedValue(managed) as NSDecimalNumber?)?.intValue == number, "\(key) by \(setter)")
                    #expect(thing.managedValue(managed) as Int16 == Int16(number), "\(key) by \(setter)")
                    #expect(thing.managedValue(managed) as Int64 == Int64(number), "\(key) by \(setter)")
                    #expect(thing.managedValue(managed) as Double == Double(number), "\(key) by \(setter)")
                    #expect(thing.managedValue(managed) as Float == Float(number), "\(key) by \(setter)")
                    #expect(thing.managedValue(managed) as Bool, "\(key) by \(setter)")
                    #expect(thing.managedOptional(managed) as Double? == Double(number), "\(key) by \(setter)")
                }
                thing.setManagedValue(NSDecimalNumber(value: 11), managed)
                try expect(11, "NSDecimalNumber")
                thing.setManagedValue(12 as Int32, managed)
                try expect(12, "Int32")
                thing.setManagedValue(13 as Double, managed)
                try expect(13, "Double")
                thing.setManagedOptional(14 as Float?, managed)
                try expect(14, "Float?")
                thing.setManagedValue(nil as NSDecimalNumber?, managed)
                #expect(thing.value(forKey: key) == nil && thing.managedValue(managed) as NSDecimalNumber? == nil)
            }
        }
    }

    @Test("a message names the value that is there and is of another type")
    func required() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSavedPlayer { _, player in
                let key = ManagedKey("name")
                _ = player.managedRequired(player.managedValue(key) as UUID?, key)
            }
        }
        #expect(
            words(result).contains("\"name\" of NSManagedObject has the value Wade of type String, which is no UUID"))
        #expect(!words(result).contains("is nil"))
    }

    /// Uses of a property as another kind of property, and what is said.
    static let misuses: [(use: @Sendable (NSManagedObject) -> Void, words: String)] = [
        ({ _ = $0.managedMembers(ManagedKey("name")) as Set<NSManagedObject>? }, "\"name\" as Set<NSManagedObject>"),
        ({ _ = $0.managedFetched(ManagedKey("age")) as [NSManagedObject]? }, "\"age\" as an array of NSManagedObject"),
        ({ $0.insertManaged($0, into: ManagedKey("name")) }, "\"name\" as a to-many relationship"),
        ({ $0.removeManaged($0, from: ManagedKey("team")) }, "\"team\" as a to-many relationship"),
        (
            { $0.insertManaged($0, at: 0, into: ManagedKey("favourites")) },
            "\"favourites\" as an ordered to-many relationship"
        ),
        ({ $0.setManagedToOne($0, ManagedKey("name")) }, "property = \"name\"; desired type = NSString"),
        (
            { $0.setManagedValue("seven", ManagedKey("age")) },
            "property = \"age\"; desired type = NSNumber; given type = String"
        ),
        (
            { $0.setManagedValue(UUID(), ManagedKey("name")) },
            "property = \"name\"; desired type = NSString; given type = UUID"
        ),
        ({ _ = $0.managedValue(ManagedKey("team")) as Int64 }, "\"team\" as a number"),
    ]

    @Test("another kind of property is an answer or a sentence", arguments: misuses.indices)
    func kinds(index: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [index] in
            try withSavedPlayer { _, player in TypedAccessTests.misuses[index].use(player) }
        }
        #expect(words(result).contains(Self.misuses[index].words), "\(words(result))")
    }

    @Test("what is read as another type is nil")
    func others() throws {
        try withSavedPlayer { _, player in
            #expect(player.managedValue(ManagedKey("age")) as String? == nil)
            #expect(player.managedValue(ManagedKey("name")) as Data? == nil)
            #expect(player.managedToOne(ManagedKey("name")) as NSManagedObject? == nil)
        }
    }
}
