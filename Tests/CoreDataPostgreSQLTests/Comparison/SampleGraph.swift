import CoreData
import Foundation
import SQLSamples

/// Random objects of a model: nothing, the usual, and the extreme.
struct SampleGraph {
    var random: SQLRandom
    /// How likely a value is an extreme one.
    var extremes = 0.05

    init(_ random: SQLRandom) { self.random = random }

    /// - Returns: The objects, in the order of their insertion.
    @discardableResult
    mutating func fill(_ context: NSManagedObjectContext, _ counts: KeyValuePairs<String, Int>) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        for (entity, count) in counts {
            for _ in 0..<count {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                for attribute in object.entity.attributesByName.values.sorted(by: { $0.name < $1.name }) {
                    set(attribute, of: object)
                }
                objects.append(object)
            }
        }
        for object in objects { relate(object, objects) }
        return objects
    }

    mutating func set(_ attribute: NSAttributeDescription, of object: NSManagedObject) {
        if attribute.isTransient || random.chance(0.2) { return }
        if let composite = attribute as? NSCompositeAttributeDescription {
            for element in composite.elements {
                guard let value = value(element) else { continue }
                object.setValue(value, forKeyPath: "\(composite.name).\(element.name)")
            }
        } else if let value = value(attribute) {
            object.setValue(value, forKey: attribute.name)
        }
    }

    mutating func relate(_ object: NSManagedObject, _ objects: [NSManagedObject]) {
        for relationship in object.entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) {
            guard let destination = relationship.destinationEntity else { continue }
            let fitting = objects.filter { $0.entity.isKindOf(entity: destination) }
            if fitting.isEmpty { continue }
            if !relationship.isToMany {
                if let one = random.maybe(fitting) { object.setValue(one, forKey: relationship.name) }
            } else if relationship.inverseRelationship?.isToMany == true, random.chance(0.7) {
                var members: [NSManagedObject] = []
                for candidate in fitting where random.chance(0.3) { members.append(candidate) }
                object.setValue(NSSet(array: members), forKey: relationship.name)
            }
        }
    }

    // MARK: Values

    static let texts =
        SQLRandom.texts + [
            "e\u{301}", "É b", "Straße", "STRASSE", "Σίσυφος", "ΣΊΣΥΦΟΣ", "İstanbul", "ﬁ", "12", "-3.5", "7e2",
            "3 Äpfel", "a10",
            "a2", "Zoë", "zoe", "👩\u{200d}🚀", "🇩🇪", "日本", "a\nb", "\\", "?", "%", "_", "Ångström", "x\u{345}", "no",
            "NO",
        ]

    private mutating func value(_ attribute: NSAttributeDescription) -> Any? {
        let isExtreme = random.chance(extremes)
        switch attribute.attributeType {
        case .integer16AttributeType:
            return isExtreme ? random.one([Int(Int16.min), Int(Int16.max)]) : Int.random(in: -2...5, using: &random)
        case .integer32AttributeType:
            return isExtreme ? random.one([Int(Int32.min), Int(Int32.max)]) : Int.random(in: -3...9, using: &random)
        case .integer64AttributeType:
            return isExtreme ? random.one([Int.min, Int.max]) : Int.random(in: -4...12, using: &random)
        case .booleanAttributeType: return random.chance(0.5)
        case .doubleAttributeType:
            return isExtreme ? random.one([1e300, -1e300, 1e-300]) : random.one([-1.5, 0, 0.125, 0.5, 2, 3.25])
        case .floatAttributeType:
            return isExtreme ? random.one([Float(1e30), -1e-30]) : random.one([Float(-1.5), 0, 0.1, 0.5, 2, 3.25])
        case .decimalAttributeType:
            return NSDecimalNumber(string: random.one(["0", "1.5", "10", "2.25", "-0.75", "1234567.5"]))
        case .stringAttributeType: return random.chance(0.5) ? random.one(SQLRandom.texts) : random.one(Self.texts)
        case .dateAttributeType:
            return Date(
                timeIntervalSinceReferenceDate: isExtreme
                    ? random.one([-63_000_000_000, 64_000_000_000])
                    : random.one([-5.5, 0, 86_400.25, 0.000001, 90_000]))
        case .UUIDAttributeType:
            return UUID(
                uuid: (UInt8(Int.random(in: 0...3, using: &random)), 200, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        case .URIAttributeType: return URL(string: random.one(["http://a.b/c", "x:y", "http://a.b/d?e=f"]))
        case .binaryDataAttributeType: return random.one([Data(), Data([0]), Data([255, 0, 1]), Data("abc".utf8)])
        case .transformableAttributeType: return random.one(["red", "blue"])
        default: return nil
        }
    }
}
