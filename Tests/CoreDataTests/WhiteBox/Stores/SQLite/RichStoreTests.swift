import Foundation
import RandomSeeds
import Testing

@testable import CoreData

/// Stores of random models, written through contexts and read again by ourselves and, where it is at hand, by an
/// independent reader of Apple's format.
@Suite struct RichStoreTests {
    private static let hasOracle = Oracle.isAtHand

    @Test func storesOfAnyModelAreReadAsTheyWereWritten() throws {
        for seed in SeededGenerator.seeds(20, full: 200) {
            print("random store: COREDATA_TEST_SEED=\(seed)")
            do {
                try writeAndCompare(seed)
            } catch {
                Issue.record("seed \(seed): \(error)")
                throw error
            }
        }
    }

    private func writeAndCompare(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let model = RichModel.make(using: &random)
        let stack = try Stack(model)
        let writer = stack.context()
        try writer.performAndWait {
            var graph = RichGraph(writer, random)
            try graph.run(model, saves: 3)
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        try checkFile(stack.storeURL, model)
        let seen = try Self.hasOracle ? oracleObjects(stack.storeURL) : nil
        try stack.reopened { context in
            var objects: [NSManagedObject] = []
            for entity in model.entities where entity.superentity == nil {
                objects += try context.all(entity.name ?? "")
            }
            try #require(objects.count == seen?.count ?? objects.count, "seed \(seed)")
            for object in objects {
                let place = "seed \(seed): \(object.oracleID)"
                try compareDerived(object, place)
                if let seen { try compare(object, try #require(seen[object.oracleID], "\(place)"), place) }
            }
        }
    }

    private func oracleObjects(_ url: URL) throws -> [String: Oracle.Object] {
        try Oracle.checkHashes(url)
        return Dictionary(uniqueKeysWithValues: try Oracle.export(url).map { ($0.id, $0) })
    }

    /// SQLite finds nothing wrong, keys were counted on the roots alone, and every row has a version and an entity.
    private func checkFile(_ url: URL, _ model: NSManagedObjectModel) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        for entity in model.entities {
            let name = (entity.name ?? "").sqlLiteral
            let highest = try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = \(name)")
            guard entity.superentity == nil else {
                #expect(highest == 0)
                continue
            }
            let table = "Z" + (entity.name ?? "").uppercased()
            #expect(try connection.integer("SELECT ifnull(max(Z_PK), 0) FROM \(table)") ?? 0 <= highest ?? -1)
            #expect(try connection.integer("SELECT count(*) FROM \(table) WHERE Z_OPT < 1 OR Z_ENT IS NULL") == 0)
        }
    }

    // MARK: Values

    private func compare(_ object: NSManagedObject, _ other: Oracle.Object, _ place: String) throws {
        try #require(object.entity.name == other.entity)
        for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
            try compare(object.value(forKey: name), other.attributes[name], attribute, "\(place).\(name)")
        }
        for (name, relationship) in object.entity.relationshipsByName {
            let value = object.value(forKey: name)
            guard relationship.isToMany else {
                try #require((value as? NSManagedObject)?.oracleID == other.destination(name), "\(place).\(name)")
                continue
            }
            let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
            let names = members.compactMap { ($0 as? NSManagedObject)?.oracleID }
            let isEqual =
                relationship.isOrdered
                ? names == other.members(name) : names.sorted() == other.members(name).sorted()
            try #require(isEqual, "\(place).\(name): \(names), not \(other.members(name))")
        }
    }

    private func compare(_ value: Any?, _ other: Any?, _ attribute: NSAttributeDescription, _ place: String) throws {
        if let composite = attribute as? NSCompositeAttributeDescription {
            let elements = other as? [String: Any] ?? [:]
            for element in composite.elements {
                try compare(
                    (value as? [String: Any])?[element.name], elements[element.name], element,
                    "\(place).\(element.name)")
            }
            return
        }
        let other = other is NSNull ? nil : other
        let isEqual = value.map { OracleText.isEqual($0, other, attribute) } ?? (other == nil)
        try #require(isEqual, "\(place): \(value ?? "nil"), not \(other ?? "nil")")
    }

    /// What the store computed is what the expression's evaluation in memory gives.
    private func compareDerived(_ object: NSManagedObject, _ place: String) throws {
        for case let attribute as NSDerivedAttributeDescription in object.entity.attributesByName.values {
            let value = object.value(forKey: attribute.name)
            let expression = try #require(attribute.derivationExpression)
            if expression.description == "now()" {
                try #require(value is Date, "\(place).\(attribute.name)")
                continue
            }
            let expected = expression.expressionValue(with: object, context: nil)
            let texts = [value, expected].map { $0.map { RandomValue.text($0) } ?? "nil" }
            // A Float comes out of an evaluation as a Double.
            let isEqual = texts[0] == texts[1] || (value as? NSNumber)?.isEqual(expected as? NSNumber) ?? false
            try #require(isEqual, "\(place).\(attribute.name) (\(expression)): \(texts)")
        }
    }
}

extension NSManagedObject {
    /// As the independent reader calls the object: entity and key.
    fileprivate var oracleID: String { objectID.uriRepresentation().pathComponents.suffix(2).joined(separator: "/") }
}

/// The independent reader's conventions for values.
private enum OracleText {
    static func isEqual(_ value: Any, _ other: Any?, _ attribute: NSAttributeDescription) -> Bool {
        switch attribute.attributeType {
        case .dateAttributeType:
            guard let date = value as? Date, let text = other as? String, let seen = seconds(text) else { return false }
            return abs(date.timeIntervalSinceReferenceDate - seen) < 0.000_501
        case .decimalAttributeType:
            return (value as? NSDecimalNumber)?.decimalValue == (other as? String).flatMap { Decimal(string: $0) }
        case .binaryDataAttributeType: return (value as? Data)?.base64EncodedString() == other as? String
        case .transformableAttributeType:
            return (value as? String).map { Data($0.utf8.reversed()).base64EncodedString() } == other as? String
        case .UUIDAttributeType: return (value as? UUID)?.uuidString == other as? String
        case .URIAttributeType: return (value as? URL)?.absoluteString == other as? String
        case .stringAttributeType: return value as? String == other as? String
        case .doubleAttributeType, .floatAttributeType:
            // Foundation reads JSON's numbers as decimals. Their way to a Double loses digits.
            guard let value = value as? NSNumber, let other = other as? NSNumber else { return false }
            return value.doubleValue == Double(other.description)
        default: return (value as? NSNumber)?.int64Value == (other as? NSNumber)?.int64Value
        }
    }

    private static func seconds(_ text: String) -> Double? {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.date(from: text)?.timeIntervalSinceReferenceDate
    }
}
