import CoreData
import Foundation
import RandomSeeds

/// Models made by chance out of everything that a store can hold.
struct RichModel {
    private var entities: [NSEntityDescription] = []
    private var parents: [String: NSEntityDescription] = [:]
    private var random: SeededGenerator

    private init(_ random: SeededGenerator) { self.random = random }

    static func make(using random: inout SeededGenerator) -> NSManagedObjectModel {
        ValueTransformer.setValueTransformer(
            WordTransformer(), forName: NSValueTransformerName(WordTransformer.registeredName))
        var maker = RichModel(random)
        defer { random = maker.random }
        return maker.make()
    }

    private mutating func make() -> NSManagedObjectModel {
        makeEntities()
        for entity in entities { addAttributes(to: entity) }
        for number in 0..<Int.random(in: 0...7, using: &random) { addRelationship(number) }
        for entity in entities {
            addDerivedAttributes(to: entity)
            addIndexes(to: entity)
            addConstraint(to: entity)
        }
        for entity in entities {
            entity.subentities = entities.filter { parents[$0.name ?? ""] === entity }
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        model.versionIdentifiers = random.chance(50) ? ["2.1"] : []
        return model
    }

    // MARK: Entities

    private mutating func makeEntities() {
        // Numbers follow names whatever their case; names that begin alike are about the names of columns.
        let names = ["Team", "player", "Coach", "arena", "League", "Zone", "teammate"].shuffled(using: &random)
        for name in names.prefix(Int.random(in: 1...6, using: &random)) {
            let entity = CoreDataTests.entity(name, [])
            if random.chance(45) { parents[name] = entities.randomElement(using: &random) }
            if parents[name] == nil {
                entity.properties = [attribute("mark", .integer64AttributeType)]
                // Something must be left to insert.
                entity.isAbstract = !entities.isEmpty && random.chance(10)
            }
            if random.chance(20) { entity.versionHashModifier = "v\(name)" }
            if random.chance(10) { entity.renamingIdentifier = "old\(name)" }
            entities.append(entity)
        }
    }

    private func ancestors(_ entity: NSEntityDescription) -> [NSEntityDescription] {
        Array(sequence(first: entity) { parents[$0.name ?? ""] })
    }

    private func properties(_ entity: NSEntityDescription) -> [NSPropertyDescription] {
        ancestors(entity).flatMap(\.properties)
    }

    /// Adds a property unless an entity above or below has one of that name.
    private func add(_ property: NSPropertyDescription, to entity: NSEntityDescription) -> Bool {
        let related = entities.filter { ancestors($0).contains(entity) || ancestors(entity).contains($0) }
        guard !related.contains(where: { $0.properties.contains { $0.name == property.name } }) else { return false }
        entity.properties.append(property)
        return true
    }

    // MARK: Attributes

    private static let types: [NSAttributeType] = RandomModel.types + [.transformableAttributeType]

    private mutating func addAttributes(to entity: NSEntityDescription) {
        for number in 0..<Int.random(in: 1...6, using: &random) {
            let names = ["value\(number)", "shared", "Shared", "sharedValue", "x\(entity.name ?? "")\(number)"]
            _ = add(makeAttribute(names.randomElement(using: &random)!), to: entity)
        }
        if random.chance(30) { _ = add(makeComposite("spot"), to: entity) }
    }

    private mutating func makeAttribute(_ name: String) -> NSAttributeDescription {
        let type = Self.types.randomElement(using: &random)!
        let made = attribute(name, type, transient: random.chance(5))
        if type == .binaryDataAttributeType { made.allowsExternalBinaryDataStorage = random.chance(60) }
        if type == .transformableAttributeType { made.valueTransformerName = WordTransformer.registeredName }
        if type == .stringAttributeType, random.chance(30) { made.defaultValue = "none" }
        if type == .integer16AttributeType, random.chance(30) { made.defaultValue = 7 }
        if random.chance(15) { made.isIndexed = true }
        if random.chance(10) { made.versionHashModifier = "m" }
        if random.chance(10) { made.preservesValueInHistoryOnDeletion = true }
        return made
    }

    private mutating func makeComposite(_ name: String, depth: Int = 0) -> NSCompositeAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        composite.name = name
        composite.isOptional = true
        var elements: [NSAttributeDescription] = [
            attribute("lat", .doubleAttributeType), attribute("lng", .doubleAttributeType),
            attribute("label", .stringAttributeType),
        ]
        if depth == 0, random.chance(30) { elements.append(makeComposite("inner", depth: 1)) }
        composite.elements = elements
        return composite
    }

    // MARK: Relationships

    private mutating func addRelationship(_ number: Int) {
        let (a, b) = (entities.randomElement(using: &random)!, entities.randomElement(using: &random)!)
        let names = random.chance(30) ? ("link", "linkBack") : ("to\(number)", "from\(number)")
        let there = side(names.0)
        guard a !== b || !random.chance(30) else {
            there.isOrdered = false
            there.destinationEntity = a
            guard add(there, to: a) else { return }
            return there.inverseRelationship = there
        }
        there.destinationEntity = b
        guard add(there, to: a) else { return }
        guard random.chance(80) else {
            there.isOrdered = false
            return
        }
        let back = side(names.1)
        back.destinationEntity = a
        guard add(back, to: b) else {
            there.isOrdered = false
            return
        }
        there.inverseRelationship = back
        back.inverseRelationship = there
        if random.chance(15) { there.deleteRule = .cascadeDeleteRule }
    }

    private mutating func side(_ name: String) -> NSRelationshipDescription {
        random.chance(60) ? toMany(name, ordered: random.chance(35)) : toOne(name)
    }

    // MARK: What is derived from them

    private mutating func addDerivedAttributes(to entity: NSEntityDescription) {
        let all = properties(entity)
        if random.chance(25) { derive("savedAt", .dateAttributeType, "now()", entity) }
        let strings = all.compactMap { $0 as? NSAttributeDescription }.filter {
            $0.attributeType == .stringAttributeType && !$0.isTransient && !($0 is NSDerivedAttributeDescription)
        }
        if random.chance(50), let source = strings.randomElement(using: &random) {
            let function = ["canonical", "lowercase", "uppercase"].randomElement(using: &random)!
            derive("folded", .stringAttributeType, "\(function):(\(source.name))", entity)
        }
        for relationship in all.compactMap({ $0 as? NSRelationshipDescription }) where random.chance(50) {
            guard let destination = relationship.destinationEntity else { continue }
            if relationship.isToMany {
                derive("count_\(relationship.name)", .integer64AttributeType, "\(relationship.name).@count", entity)
                derive("sum_\(relationship.name)", .integer64AttributeType, "\(relationship.name).@sum.mark", entity)
            } else if let source = copied(from: destination) {
                derive("copy_\(relationship.name)", source.attributeType, "\(relationship.name).\(source.name)", entity)
            }
        }
    }

    private mutating func copied(from entity: NSEntityDescription) -> NSAttributeDescription? {
        properties(entity).compactMap { $0 as? NSAttributeDescription }.filter {
            let type = $0.attributeType
            return !$0.isTransient && !($0 is NSDerivedAttributeDescription) && !$0.allowsExternalBinaryDataStorage
                && type != .compositeAttributeType && type != .transformableAttributeType
        }.randomElement(using: &random)
    }

    private func derive(_ name: String, _ type: NSAttributeType, _ expression: String, _ entity: NSEntityDescription) {
        _ = add(Library.derived(name, type, expression), to: entity)
    }

    // MARK: Indexes and constraints

    private mutating func addIndexes(to entity: NSEntityDescription) {
        let plain = entity.properties.filter { property in
            let attribute = property as? NSAttributeDescription
            return attribute.map { !$0.isTransient && $0.attributeType != .compositeAttributeType } ?? false
        }
        for number in 0..<Int.random(in: 0...2, using: &random) where !plain.isEmpty {
            let elements = plain.shuffled(using: &random).prefix(2).map { property in
                let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
                element.isAscending = random.chance(60)
                return element
            }
            let index = NSFetchIndexDescription(name: "by\(number)", elements: elements)
            if random.chance(40), let first = plain.first {
                index.partialIndexPredicate = NSPredicate(format: "%K != nil", first.name)
            }
            entity.indexes.append(index)
        }
        let numbers = plain.filter { ($0 as? NSAttributeDescription)?.attributeType == .doubleAttributeType }
        guard !numbers.isEmpty, random.chance(50) else { return }
        let places = numbers.prefix(2).map { NSFetchIndexElementDescription(property: $0, collationType: .rTree) }
        entity.indexes.append(NSFetchIndexDescription(name: "byPlace", elements: Array(places)))
    }

    private mutating func addConstraint(to entity: NSEntityDescription) {
        guard parents[entity.name ?? ""] == nil, random.chance(25) else { return }
        entity.uniquenessConstraints = [["mark"]]
    }
}

/// Words as UTF-8 backwards, so that the data can't be taken for the value.
final class WordTransformer: ValueTransformer {
    static let registeredName = "RichModelWord"

    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { Data($0.utf8.reversed()) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0.reversed(), as: UTF8.self) }
    }
}
