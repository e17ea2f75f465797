import CoreData
import Foundation
import ModelDocument

/// A column of a query's table: an identifier, or what a key path leads to.
package struct QueryColumn {
    /// What the header says.
    package let title: String
    private let path: String?
    private let attribute: NSAttributeDescription?
    private let isComputed: Bool

    /// The object's own identifier, as `export` prints it: “id”, or “self” where the entity has a property of that
    /// name.
    private static func identifier(of entity: NSEntityDescription) -> QueryColumn {
        let title = entity.propertiesByName["id"] == nil ? "id" : "self"
        return QueryColumn(title: title, path: nil, attribute: nil, isComputed: false)
    }

    private init(title: String, path: String?, attribute: NSAttributeDescription?, isComputed: Bool) {
        (self.title, self.path, self.attribute, self.isComputed) = (title, path, attribute, isComputed)
    }

    /// A column of a key path.
    ///
    /// - Throws: ``ToolFailure`` where the entity has no such property.
    package init(path: String, of entity: NSEntityDescription) throws {
        let identifier = Self.identifier(of: entity)
        if path == identifier.title || path == "self" { self = identifier; return }
        let end = try QueryPath(path, of: entity)
        self.init(title: path, path: path, attribute: end.attribute, isComputed: end.isComputed)
    }

    /// What a table shows of an entity unless it is told: every stored attribute and to-one relationship, by name.
    package static func standard(for entity: NSEntityDescription) throws -> [QueryColumn] {
        let names = entity.propertiesByName.values.filter { property in
            guard !property.isTransient else { return false }
            if let relationship = property as? NSRelationshipDescription { return !relationship.isToMany }
            return property is NSAttributeDescription
        }.map(\.name)
        let sorted = names.sorted { $0.precedesByCodePoint($1) }
        return [identifier(of: entity)] + (try sorted.map { try QueryColumn(path: $0, of: entity) })
    }

    package var isNumeric: Bool {
        if isComputed { return true }
        switch attribute?.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
            .doubleAttributeType, .floatAttributeType:
            return true
        default: return false
        }
    }

    /// Whether a least and a greatest value can be told: of texts and dates.
    package var isOrdered: Bool {
        attribute?.attributeType == .stringAttributeType || attribute?.attributeType == .dateAttributeType
    }

    /// The JSON form for an object.
    package func json(of object: NSManagedObject, _ renderer: ValueRenderer) throws -> JSONValue {
        guard let path else { return .string(object.shortIdentifier) }
        return try json(object.value(forKeyPath: path), object, renderer)
    }

    private func json(_ value: Any?, _ object: NSManagedObject, _ renderer: ValueRenderer) throws -> JSONValue {
        switch value {
        case nil, is NSNull: return .null
        case let object as NSManagedObject: return .string(object.shortIdentifier)
        case let text as String: return .string(text)
        case let date as Date: return .string(renderer.date(date.timeIntervalSinceReferenceDate))
        case let data as Data:
            return try renderer.json(.blob(data), as: .binary, at: "\(object.shortIdentifier).\(title)")
        case let uuid as UUID: return .string(uuid.uuidString)
        case let url as URL: return .string(url.absoluteString)
        case let decimal as NSDecimalNumber: return .string(decimal.description(withLocale: nil))
        case let number as NSNumber: return json(number)
        case let set as NSSet: return try members(set.allObjects, object, renderer)
        case let set as NSOrderedSet:
            return .array(try (0..<set.count).map { try json(set.object(at: $0), object, renderer) })
        case let array as [Any]: return .array(try array.map { try json($0, object, renderer) })
        case let set as Set<AnyHashable>: return try members(Array(set), object, renderer)
        case let values as [String: Any]: return .object(try values.mapValues { try json($0, object, renderer) })
        case let value?: return .string("\(value)")
        }
    }

    private func json(_ number: NSNumber) -> JSONValue {
        switch attribute?.attributeType {
        case .booleanAttributeType where !isComputed: .bool(number.boolValue)
        case .floatAttributeType where !isComputed: .string("\(number.floatValue)").asNumber
        case .floatAttributeType, .doubleAttributeType: .string("\(number.doubleValue)").asNumber
        default: .string(number.stringValue).asNumber
        }
    }

    /// Members in no order of their own come sorted, so that two runs say the same.
    private func members(_ values: [Any], _ object: NSManagedObject, _ renderer: ValueRenderer) throws -> JSONValue {
        let all = try values.map { try json($0, object, renderer) }
        return .array(all.sorted { $0.fieldText < $1.fieldText })
    }
}

extension JSONValue {
    /// The number that the text says, written as the text is where that is possible; infinity stays a text.
    fileprivate var asNumber: JSONValue {
        guard case .string(let text) = self else { return self }
        if let integer = Int64(text) { return .int(integer) }
        if let number = Double(text), number.isFinite { return .double(number) }
        return self
    }
}

extension NSManagedObject {
    package var shortIdentifier: String { objectID.shortIdentifier }
}
