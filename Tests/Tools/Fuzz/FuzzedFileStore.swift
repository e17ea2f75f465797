import CoreData
import Foundation

/// A store that is read as a whole: what is in it is read, changed, saved and read again.
struct FuzzedFileStore {
    let type: String
    let url: URL

    /// - Parameter model: The model to open it with. Whatever made the store, its version is not asked for.
    func read(_ model: NSManagedObjectModel) throws {
        _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        let before = try use(model) { try Self.dump($0, model) }
        let after = try use(model) { context in
            try Self.change(context, model)
            try context.save()
            return try Self.dump(context, model)
        }
        precondition(after != before || model.entities.allSatisfy(\.isAbstract), "a save changed nothing")
        let again = try use(model) { try Self.dump($0, model) }
        precondition(again == after, "what was saved is not what is read: \(after) and \(again)")
    }

    private func use<R>(
        _ model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> R
    ) throws -> R {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let options = [NSIgnorePersistentStoreVersioningOption: NSNumber(value: true)]
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.unreadableFaultHandler = { _ in }
        let result = try context.performAndWait {
            let result = try body(context)
            context.reset()
            return result
        }
        try coordinator.remove(store)
        return result
    }

    // MARK: What is in it

    /// A line for each object, with its values and the objects that it leads to.
    private static func dump(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel) throws -> [String] {
        try model.entities.filter { !$0.isAbstract }.flatMap { entity in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            request.fetchLimit = 200
            request.sortDescriptors = []
            return try context.fetch(request).map(line).sorted()
        }
    }

    private static func line(_ object: NSManagedObject) -> String {
        let attributes = object.entity.attributesByName.filter { !($0.value is NSDerivedAttributeDescription) }
        let values = attributes.keys.sorted().map { "\($0)=\(word(object.value(forKey: $0)))" }
        let members = object.entity.relationshipsByName.keys.sorted().map { name in
            "\(name)=\(object.objectIDs(forRelationshipNamed: name).map(key).sorted())"
        }
        return "\(key(object.objectID)) \(values) \(members)"
    }

    private static func key(_ id: NSManagedObjectID) -> String { id.uriRepresentation().path }

    private static func word(_ value: Any?) -> String {
        switch value {
        case nil: "nil"
        // One time as a number: no two are the same text.
        case let date as Date: "\(date.timeIntervalSinceReferenceDate.bitPattern)"
        case let data as Data: "\(data.count) bytes \(data.hashValue)"
        case let value?: "\(value)"
        }
    }

    // MARK: Changes

    /// A new object of each entity, and other values in an object that there is.
    private static func change(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel) throws {
        for entity in model.entities where !entity.isAbstract {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            request.fetchLimit = 3
            let found = try context.fetch(request)
            if found.count > 2 { context.delete(found[2]) }
            if let first = found.first { first.setValue("changed", forKey: "name") }
            let new = NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: context)
            new.setValue("new", forKey: "name")
        }
    }
}

// MARK: - The stores that fuzzing starts from

extension FuzzedFileStore {
    /// Values and relationships of all kinds.
    static func model() -> NSManagedObjectModel {
        let types: [(String, NSAttributeType)] = [
            ("name", .stringAttributeType), ("small", .integer16AttributeType), ("medium", .integer32AttributeType),
            ("large", .integer64AttributeType), ("flag", .booleanAttributeType), ("double", .doubleAttributeType),
            ("float", .floatAttributeType), ("decimal", .decimalAttributeType), ("date", .dateAttributeType),
            ("data", .binaryDataAttributeType), ("uuid", .UUIDAttributeType), ("place", .URIAttributeType),
        ]
        let (item, special) = (NSEntityDescription(), NSEntityDescription())
        (item.name, special.name) = ("Item", "Special")
        item.properties = types.map { attribute($0, $1) } + relationships(of: item)
        special.properties = [attribute("extra", .stringAttributeType)]
        item.subentities = [special]
        let model = NSManagedObjectModel()
        model.entities = [item, special]
        return model
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }

    private static func relationships(of item: NSEntityDescription) -> [NSRelationshipDescription] {
        func relationship(_ name: String, isToMany: Bool, isOrdered: Bool = false) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            (relationship.name, relationship.destinationEntity) = (name, item)
            (relationship.maxCount, relationship.isOrdered) = (isToMany ? 0 : 1, isOrdered)
            return relationship
        }
        let (parent, children) = (relationship("parent", isToMany: false), relationship("children", isToMany: true))
        (parent.inverseRelationship, children.inverseRelationship) = (children, parent)
        let (friends, list) = (
            relationship("friends", isToMany: true), relationship("list", isToMany: true, isOrdered: true)
        )
        friends.inverseRelationship = friends
        return [parent, children, friends, list]
    }

    /// Makes a store with some objects.
    func make() throws {
        try use(Self.model()) { context in
            let items = ["Item", "Item", "Special", "Item"].map {
                NSEntityDescription.insertNewObject(forEntityName: $0, into: context)
            }
            let values: [String: Any] = [
                "name": "a", "small": 1, "medium": 70_000, "large": Int64.max, "flag": true, "double": 0.5,
                "float": 0.25, "decimal": NSDecimalNumber(string: "1.25"),
                "date": Date(timeIntervalSinceReferenceDate: 1),
                "data": Data([1, 2, 3]), "uuid": UUID(), "place": NSURL(string: "http://localhost/a")!,
            ]
            for (key, value) in values { items[0].setValue(value, forKey: key) }
            items[2].setValue("e", forKey: "extra")
            items[1].setValue(items[0], forKey: "parent")
            items[2].setValue(items[0], forKey: "parent")
            items[0].setValue(NSSet(array: [items[0], items[1]]), forKey: "friends")
            items[1].setValue(NSOrderedSet(array: [items[2], items[0], items[3]]), forKey: "list")
            try context.save()
        }
    }
}

// MARK: - Checksums

extension Data {
    /// The bytes with right checksums, where they are a binary store's: changed ones would be refused for them alone.
    ///
    /// The article Stores describes the format.
    var withChecksums: Data {
        var bytes = [UInt8](self)
        guard bytes.count >= 20 else { return self }
        func number(_ place: Int, _ size: Int) -> Int {
            bytes[place..<place + size].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        func put(_ number: Int, _ place: Int, _ size: Int) {
            for byte in 0..<size { bytes[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
        }
        let count = number(12, 4)
        let head = 16 + 16 * count
        guard count > 0, count < 100, head + 4 <= bytes.count else { return self }
        var start = head + 4
        for part in 0..<count {
            let place = 16 + 16 * part
            let (rest, length) = (bytes.count - start, number(place + 4, 7))
            let size = part == count - 1 ? rest : Swift.min(length, rest)
            put(size, place + 4, 8)
            put(Self.checksum(bytes[start..<start + size]), place + 12, 4)
            start += size
        }
        put(Self.checksum(bytes[..<head]), head, 4)
        return Data(bytes)
    }

    /// CRC-32.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
        var sum: UInt32 = .max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return Int(~sum)
    }
}
