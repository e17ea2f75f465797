import CoreData
import Testing

@Suite("Transformable attributes")
struct TransformableTests {
    /// A store of shirts. The colour has a transformer of the app's own, and the label has the standard one.
    private func wardrobe() throws -> Stack {
        ValueTransformer.setValueTransformer(ColorTransformer(), forName: NSValueTransformerName("TestColor"))
        let color = attribute("color", .transformableAttributeType)
        color.valueTransformerName = "TestColor"
        let shirt = entity(
            "Shirt",
            [attribute("size", .integer16AttributeType), color, attribute("label", .transformableAttributeType)])
        return try Stack(model(shirt))
    }

    @Test("values are compared in predicates, those in the store and those not saved yet")
    func predicates() throws {
        try wardrobe().work { context throws in
            _ = context.insert("Shirt", ["size": 1, "color": Color("red"), "label": "wool"])
            _ = context.insert("Shirt", ["size": 2, "color": Color("blue"), "label": "silk"])
            try context.save()
            func sizes(_ predicate: NSPredicate) throws -> [Int?] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Shirt")
                request.predicate = predicate
                request.sortDescriptors = [NSSortDescriptor(key: "size", ascending: true)]
                return try context.fetch(request).map { $0.value(forKey: "size") as? Int }
            }
            let isRed = NSPredicate(format: "color == %@", Color("red"))
            #expect(try sizes(isRed) == [1])

            let second = try #require(try context.all("Shirt", "size == 2").first)
            second.setValue(Color("red"), forKey: "color")
            second.setValue("wool", forKey: "label")
            _ = context.insert("Shirt", ["size": 3, "color": Color("red"), "label": "cotton"])
            _ = context.insert("Shirt", ["size": 4])
            #expect(try sizes(isRed) == [1, 2, 3])
            #expect(try sizes(NSPredicate(format: "label IN {'cotton', 'wool'} AND size > 1")) == [2, 3])
            #expect(try sizes(NSPredicate(format: "color == nil")) == [4])
            try context.save()
            for list in [[Color("red"), Color("green")], Set([Color("red")]), NSArray(object: Color("red"))] as [Any] {
                #expect(try sizes(NSPredicate(format: "color IN %@", argumentArray: [list])) == [1, 2, 3])
            }
            let redOrNone = NSPredicate(format: "color IN %@", argumentArray: [[Color("red"), NSNull()]])
            #expect(try sizes(redOrNone) == [1, 2, 3, 4])
            #expect(try sizes(NSPredicate(format: "color IN {}")) == [])
        }
    }

    @Test("a value that its transformer can't take is an error of the save, with attribute and value")
    func refusedValue() throws {
        try wardrobe().work { context throws in
            let shirt = context.insert("Shirt", ["label": NSObject()])
            let error = try #require(thrown { try context.save() })
            #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectValidationError)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "label")
            shirt.setValue("linen", forKey: "label")
            try context.save()
        }
    }

    @Test("data that is no archive reads as nil and is kept as it is")
    func damagedData() throws {
        // The same attribute as binary data in an older model of the same storage writes what is no archive.
        let stack = try wardrobe()
        ValueTransformer.setValueTransformer(RawTransformer(), forName: NSValueTransformerName("TestRaw"))
        let label = attribute("label", .transformableAttributeType)
        label.valueTransformerName = "TestRaw"
        let color = attribute("color", .transformableAttributeType)
        color.valueTransformerName = "TestColor"
        let raw = model(entity("Shirt", [attribute("size", .integer16AttributeType), color, label]))
        let other = NSPersistentStoreCoordinator(managedObjectModel: raw)
        let store = try other.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.storeURL)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = other
        let noise = Data([1, 2, 3])
        try context.performAndWait { () throws in
            _ = context.insert("Shirt", ["size": 1, "label": noise])
            try context.save()
        }
        try stack.work { context throws in
            let shirt = try #require(try context.all("Shirt").first)
            #expect(shirt.value(forKey: "label") == nil)
            shirt.setValue(2, forKey: "size")
            try context.save()
        }
        try context.performAndWait { () throws in
            context.reset()
            #expect(try context.all("Shirt", "size == 2").first?.value(forKey: "label") as? Data == noise)
        }
        try other.remove(store)
    }
}

/// A value that only its transformer can store.
private final class Color: NSObject {
    let name: String
    init(_ name: String) { self.name = name }

    override func isEqual(_ object: Any?) -> Bool { (object as? Color)?.name == name }
    override var hash: Int { name.hashValue }
}

private final class ColorTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? Color).map { Data($0.name.utf8) } }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { Color(String(decoding: $0, as: UTF8.self)) }
    }
}

/// Keeps data as it is.
private final class RawTransformer: ValueTransformer {}
