import CoreData
import Foundation

/// A model with every kind of attribute and relationship, for stores of all kinds.
enum StoreKindModel {
    static func make() -> NSManagedObjectModel {
        let owner = toOne("owner")
        let items = toMany("items", rule: .cascadeDeleteRule)
        let steps = toMany("steps", ordered: true, rule: .cascadeDeleteRule)
        let stepOf = toOne("stepOf")
        let tags = toMany("tags")
        let tagged = toMany("tagged", ordered: true)
        let photo = attribute("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let box = entity("Box", [attribute("name", .stringAttributeType), items, steps, tags])
        let thing = entity("Thing", scalars + [photo, owner, stepOf, attribute("note", .transformableAttributeType)])
        let small = entity("SmallThing", [attribute("size", .integer16AttributeType)])
        thing.subentities = [small]
        let tag = entity("Tag", [attribute("name", .stringAttributeType), tagged])
        tag.uniquenessConstraints = [["name"]]
        connect(box, items, thing, owner)
        connect(box, steps, thing, stepOf)
        connect(box, tags, tag, tagged)
        return model(box, thing, small, tag)
    }

    private static var scalars: [NSPropertyDescription] {
        [
            attribute("short", .integer16AttributeType), attribute("middle", .integer32AttributeType),
            attribute("long", .integer64AttributeType), attribute("flag", .booleanAttributeType),
            attribute("double", .doubleAttributeType), attribute("float", .floatAttributeType),
            attribute("decimal", .decimalAttributeType), attribute("text", .stringAttributeType),
            attribute("date", .dateAttributeType), attribute("data", .binaryDataAttributeType),
            attribute("uuid", .UUIDAttributeType), attribute("uri", .URIAttributeType),
        ]
    }

    static let uuid = UUID(uuidString: "0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9")!

    /// Inserts objects that use everything.
    static func fill(_ context: NSManagedObjectContext) {
        let box = context.insert("Box", ["name": "first <box> & \"more\""])
        let other = context.insert("Box", ["name": "second"])
        let full = context.insert(
            "Thing",
            [
                "short": -7, "middle": 1 << 30, "long": Int64.max, "flag": true, "double": 0.1, "float": Float(0.1),
                "decimal": NSDecimalNumber(string: "12345.6789"), "text": "line\nbreak\tand é 🙂",
                "date": Date(timeIntervalSinceReferenceDate: 123456.789), "data": Data([0, 1, 254, 255]),
                "uuid": uuid, "uri": URL(string: "https://example.org/a?b=c")!,
                "photo": Data(repeating: 7, count: 200_000),
                "note": ["a", "b"] as NSArray,
            ])
        let small = context.insert("SmallThing", ["size": 3, "text": ""])
        let empty = context.insert("Thing")
        for thing in [full, small] { thing.setValue(box, forKey: "owner") }
        box.setValue(NSOrderedSet(array: [small, empty, full]), forKey: "steps")
        let tags = ["x", "y", "z"].map { context.insert("Tag", ["name": $0]) }
        box.setValue(NSSet(array: tags), forKey: "tags")
        tags[0].setValue(NSOrderedSet(array: [other, box]), forKey: "tagged")
    }

    /// What a context sees, as text that does not depend on IDs.
    static func summary(_ context: NSManagedObjectContext) throws -> [String] {
        var lines: [String] = []
        for box in try context.all("Box", sortedBy: "name") {
            let steps = (box.value(forKey: "steps") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
            lines.append(
                "box \(box.string("name") ?? "") items \(box.names("items", "text")) steps \(steps.map(line)) tags \(box.names("tags"))"
            )
        }
        for tag in try context.all("Tag", sortedBy: "name") {
            let tagged = (tag.value(forKey: "tagged") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
            lines.append("tag \(tag.string("name") ?? "") of \(tagged.map { $0.string("name") ?? "" })")
        }
        return lines + (try context.all("Thing", sortedBy: "text").map(line))
    }

    private static func line(_ thing: NSManagedObject) -> String {
        let keys = thing.entity.attributesByName.keys.sorted()
        let values = keys.compactMap { key in
            thing.value(forKey: key).map { value in
                if let data = value as? Data { return "\(key)=\(data.count):\(data.prefix(4).map { $0 })" }
                if let date = value as? Date { return "\(key)=\(date.timeIntervalSinceReferenceDate)" }
                return "\(key)=\(value)".replacingOccurrences(of: "\n", with: " ")
            }
        }
        return "\(thing.entity.name ?? "") \(values) of \(thing.object("owner")?.string("name") ?? "-")"
    }
}

/// A folder of its own for files of stores, which goes when the object does.
final class FileFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("CoreDataTests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}

extension NSPersistentStoreCoordinator {
    /// A coordinator with one store.
    static func opened(
        _ model: NSManagedObjectModel, _ type: String, at url: URL?, options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        return coordinator
    }

    func work<T>(_ block: (NSManagedObjectContext) throws -> T) rethrows -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = self
        return try context.performAndWait { try block(context) }
    }
}
