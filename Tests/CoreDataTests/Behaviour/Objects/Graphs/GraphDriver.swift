import CoreData
import Foundation
import RandomSeeds
import Testing

/// Edits a real graph and the oracle's in step, and compares them.
struct GraphDriver {
    let model: RandomModel
    let stack: Stack
    var context: NSManagedObjectContext
    var oracle: GraphOracle
    var objects: [Int: NSManagedObject] = [:]
    private var nextID = 1
    var random: SeededGenerator

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        var generator = SeededGenerator(seed: seed &+ 1)
        model = RandomModel(using: &generator)
        oracle = GraphOracle(model)
        stack = try Stack(model.makeModelWithID())
        context = stack.context()
    }

    mutating func run(saves: Int, edits: Int) throws {
        for _ in 0..<saves {
            for _ in 0..<edits { edit() }
            try compare(objects.mapValues { $0 }, "before the save")
            try context.save()
            try compare(objects.mapValues { $0 }, "after the save")
            let reader = stack.context()
            try reader.performAndWait { try compare(reader, "in a second context") }
            try stack.reopened { try compare($0, "in a reopened store") }
            if random.chance(30) { forgetObjects() }
        }
    }

    // MARK: Editing

    mutating func edit() {
        guard oracle.nodes.count > 2, !random.chance(25) else { return insert() }
        guard let id = oracle.nodes.keys.sorted().randomElement(using: &random) else { return }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: setAttribute(id)
        case 3..<9: relate(id)
        default: delete(id)
        }
    }

    private mutating func insert() {
        guard let entity = model.concrete.randomElement(using: &random) else { return }
        let id = nextID
        nextID += 1
        let object = context.insert(entity)
        object.setValue(id, forKey: "oracleID")
        objects[id] = object
        oracle.insert(id, entity)
        setAttribute(id)
        relate(id)
    }

    private mutating func setAttribute(_ id: Int) {
        guard let attribute = model.attributes(oracle.nodes[id]!.entity).randomElement(using: &random) else { return }
        let value = random.chance(20) ? nil : RandomValue.make(attribute.type, using: &random)
        objects[id]!.setValue(value, forKey: attribute.name)
        oracle.set(id, attribute.name, value.map(RandomValue.text))
    }

    private mutating func relate(_ id: Int) {
        guard let relationship = model.relationships(oracle.nodes[id]!.entity).randomElement(using: &random) else {
            return
        }
        let fitting = destinations(fittingFor: id, relationship)
        guard let other = fitting.randomElement(using: &random) else { return }
        guard relationship.isToMany else {
            let destination = random.chance(20) ? nil : other
            objects[id]!.setValue(destination.map { objects[$0]! }, forKey: relationship.name)
            return oracle.setToOne(id, relationship, destination)
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let members = Array(fitting.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
            let values = members.map { objects[$0]! }
            objects[id]!.setValue(
                relationship.isOrdered ? NSOrderedSet(array: values) : NSSet(array: values), forKey: relationship.name)
            oracle.setMembers(id, relationship, members)
        case 1:
            proxy(id, relationship, with: other, { $0.remove($1) }, { $0.remove($1) })
            oracle.remove(other, from: id, relationship)
        default:
            proxy(id, relationship, with: other, { $0.add($1) }, { $0.add($1) })
            oracle.add(other, to: id, relationship)
        }
    }

    /// The objects that may be at the other end.
    ///
    /// A member of a to-many without an inverse belongs to one owner, because its row says to which.
    private func destinations(fittingFor id: Int, _ relationship: RandomModel.Relationship) -> [Int] {
        let fitting = oracle.nodes.keys.sorted().filter {
            $0 != id && model.isKind(oracle.nodes[$0]!.entity, of: relationship.destination)
        }
        guard relationship.isToMany, relationship.inverse == nil else { return fitting }
        let owned = oracle.nodes.filter { $0.key != id }.flatMap { $0.value.toMany[relationship.name] ?? [] }
        return fitting.filter { !owned.contains($0) }
    }

    private func proxy(
        _ id: Int, _ relationship: RandomModel.Relationship, with other: Int,
        _ change: (NSMutableSet, NSManagedObject) -> Void,
        _ orderedChange: (NSMutableOrderedSet, NSManagedObject) -> Void
    ) {
        if relationship.isOrdered {
            orderedChange(objects[id]!.mutableOrderedSetValue(forKey: relationship.name), objects[other]!)
        } else {
            change(objects[id]!.mutableSetValue(forKey: relationship.name), objects[other]!)
        }
    }

    private mutating func delete(_ id: Int) {
        let doomed = oracle.doomed(id)
        // A deletion does not clear a relationship without an inverse: it is done by hand, on both sides of the
        // comparison.
        for (other, node) in oracle.nodes {
            for relationship in model.relationships(node.entity) where relationship.inverse == nil {
                for victim in oracle.destinations(other, relationship) where doomed.contains(victim) {
                    if relationship.isToMany {
                        objects[other]!.mutableSetValue(forKey: relationship.name).remove(objects[victim]!)
                        oracle.remove(victim, from: other, relationship)
                    } else {
                        objects[other]!.setValue(nil, forKey: relationship.name)
                        oracle.setToOne(other, relationship, nil)
                    }
                }
            }
        }
        context.delete(objects[id]!)
        context.processPendingChanges()
        oracle.delete(doomed)
        doomed.forEach { objects[$0] = nil }
    }

    /// Goes on with fresh faults, as an app does that let its objects go.
    mutating func forgetObjects() {
        let ids = objects.mapValues(\.objectID)
        objects = [:]
        context.reset()
        objects = ids.mapValues { context.object(with: $0) }
    }

    // MARK: Comparing

    func compare(_ context: NSManagedObjectContext, _ place: String) throws {
        var found: [Int: NSManagedObject] = [:]
        for entity in model.entities where entity.parent == nil {
            for object in try context.all(entity.name) {
                found[try #require(object.value(forKey: "oracleID") as? Int)] = object
            }
        }
        try compare(found, place)
    }

    func compare(_ found: [Int: NSManagedObject], _ place: String) throws {
        try compare(found, with: oracle, place)
    }

    func compare(_ found: [Int: NSManagedObject], with oracle: GraphOracle, _ place: String) throws {
        try #require(Set(found.keys) == Set(oracle.nodes.keys), "other objects \(place)")
        for (id, node) in oracle.nodes {
            let object = found[id]!
            try #require(object.entity.name == node.entity)
            for attribute in model.attributes(node.entity) {
                let value = object.value(forKey: attribute.name).map(RandomValue.text)
                try #require(
                    value == node.attributes[attribute.name],
                    "\(node.entity).\(attribute.name) of \(id) \(place): \(value ?? "nil"), not \(node.attributes[attribute.name] ?? "nil") (\(attribute.type))"
                )
            }
            for relationship in model.relationships(node.entity) {
                let (actual, expected) = (destinations(object, relationship), oracle.destinations(id, relationship))
                let isEqual = relationship.isOrdered ? actual == expected : actual.sorted() == expected.sorted()
                try #require(
                    isEqual, "\(node.entity).\(relationship.name) of \(id) \(place): \(actual), not \(expected)")
            }
        }
    }

    private func destinations(_ object: NSManagedObject, _ relationship: RandomModel.Relationship) -> [Int] {
        let value = object.value(forKey: relationship.name)
        let objects = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? (value.map { [$0] } ?? [])
        return objects.compactMap { ($0 as? NSManagedObject)?.value(forKey: "oracleID") as? Int }
    }
}

extension RandomModel {
    /// The model with a number in every object by which the oracle knows it.
    func makeModelWithID() -> NSManagedObjectModel {
        let model = makeModel()
        for entity in model.entities where entity.superentity == nil {
            entity.properties += [attribute("oracleID", .integer64AttributeType)]
        }
        return model
    }
}

/// Values by chance, and the text by which they are compared.
enum RandomValue {
    static func make(_ type: NSAttributeType, using random: inout SeededGenerator) -> Any {
        switch type {
        case .integer16AttributeType: return NSNumber(value: Int16.random(in: .min ... .max, using: &random))
        case .integer32AttributeType: return NSNumber(value: Int32.random(in: .min ... .max, using: &random))
        case .integer64AttributeType: return NSNumber(value: Int64.random(in: .min ... .max, using: &random))
        case .booleanAttributeType: return NSNumber(value: Bool.random(using: &random))
        case .doubleAttributeType: return NSNumber(value: Double.random(in: -1e12...1e12, using: &random))
        case .floatAttributeType: return NSNumber(value: Float.random(in: -1e6...1e6, using: &random))
        case .decimalAttributeType:
            return NSDecimalNumber(
                mantissa: UInt64.random(in: 0...999_999_999_999, using: &random),
                exponent: Int16.random(in: -8...8, using: &random), isNegative: random.chance(50))
        case .dateAttributeType:
            let time = Double.random(in: -1e9...1e9, using: &random)
            let isRounded = testedStoreClass?.roundsDates ?? false
            return Date(timeIntervalSinceReferenceDate: isRounded ? (time * 1e6).rounded() / 1e6 : time)
        case .binaryDataAttributeType:
            return Data(
                (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
        case .UUIDAttributeType:
            return UUID(uuid: withUnsafeBytes(of: (random.next(), random.next())) { $0.loadUnaligned(as: uuid_t.self) })
        case .URIAttributeType: return URL(string: "https://example.com/\(random.next())")!
        default: return ["", "Wade", "ünï", "O'Neal \"Shaq\"", "日本語 🏀", "%_\\"].randomElement(using: &random)!
        }
    }

    static func text(_ value: Any) -> String {
        switch value {
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: data.base64EncodedString()
        default: "\(value)"
        }
    }
}
