import CoreData
import Foundation

/// A column of a query's table: an identifier, or what a key path leads to.
struct QueryColumn {
    /// What the header says.
    let title: String
    private let path: String?
    private let attribute: NSAttributeDescription?

    /// The object's own identifier, as `export` prints it.
    static var identifier: QueryColumn { QueryColumn(title: "id", path: nil, attribute: nil) }

    private init(title: String, path: String?, attribute: NSAttributeDescription?) {
        (self.title, self.path, self.attribute) = (title, path, attribute)
    }

    /// A column of a key path.
    ///
    /// - Throws: ``CommandFailure`` where the entity has no such property.
    init(path: String, of entity: NSEntityDescription) throws {
        if path == "id" { self = .identifier; return }
        let property = try Self.property(at: path, of: entity)
        self.init(title: path, path: path, attribute: property as? NSAttributeDescription)
    }

    /// The property that a key path ends in.
    static func property(at path: String, of entity: NSEntityDescription) throws -> NSPropertyDescription {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var current = entity
        for (index, key) in keys.enumerated() {
            guard let property = current.propertiesByName[key] else {
                throw CommandFailure(
                    .invalidQuery, "\(current.name ?? "") has no property “\(key)” (in the key path “\(path)”).")
            }
            if index == keys.count - 1 { return property }
            guard let next = (property as? NSRelationshipDescription)?.destinationEntity else {
                throw CommandFailure(.invalidQuery, "“\(key)” is no relationship (in the key path “\(path)”).")
            }
            current = next
        }
        throw CommandFailure(.invalidQuery, "A key path is empty.")
    }

    /// What a table shows of an entity unless it is told: every stored attribute and to-one relationship, by name.
    static func standard(for entity: NSEntityDescription) throws -> [QueryColumn] {
        let names = entity.propertiesByName.values.filter { property in
            guard !property.isTransient else { return false }
            if let relationship = property as? NSRelationshipDescription { return !relationship.isToMany }
            return property is NSAttributeDescription
        }.map(\.name)
        let sorted = names.sorted { $0.precedesByCodePoint($1) }
        return [.identifier] + (try sorted.map { try QueryColumn(path: $0, of: entity) })
    }

    var isNumeric: Bool {
        switch attribute?.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
            .doubleAttributeType, .floatAttributeType:
            true
        default: false
        }
    }

    /// The text for an object.
    func text(of object: NSManagedObject) -> String {
        guard let path else { return object.shortIdentifier }
        return text(object.value(forKeyPath: path))
    }

    private func text(_ value: Any?) -> String {
        switch value {
        case nil, is NSNull: ""
        case let object as NSManagedObject: object.shortIdentifier
        case let text as String: text
        case let date as Date: ISODate.text(.double(date.timeIntervalSinceReferenceDate)) ?? "\(date)"
        case let data as Data: "<\(data.count) bytes>"
        case let uuid as UUID: uuid.uuidString
        case let url as URL: url.absoluteString
        case let decimal as NSDecimalNumber: decimal.description(withLocale: nil)
        case let number as NSNumber: text(number)
        case let set as NSSet: members(set.allObjects)
        case let set as NSOrderedSet: list((0..<set.count).map { set.object(at: $0) })
        case let array as [Any]: list(array)
        case let set as Set<AnyHashable>: members(Array(set))
        case let value?: "\(value)"
        }
    }

    private func text(_ number: NSNumber) -> String {
        switch attribute?.attributeType {
        case .booleanAttributeType: number.boolValue ? "true" : "false"
        case .floatAttributeType: "\(number.floatValue)"
        case .doubleAttributeType: "\(number.doubleValue)"
        default: number.stringValue
        }
    }

    private func list(_ values: [Any]) -> String { values.map { text($0) }.joined(separator: " ") }

    /// Members in no order of their own come sorted, so that two runs say the same.
    private func members(_ values: [Any]) -> String { values.map { text($0) }.sorted().joined(separator: " ") }
}

extension NSManagedObject {
    /// Entity and key: `Player/p12`.
    fileprivate var shortIdentifier: String {
        objectID.uriRepresentation().pathComponents.suffix(2).joined(separator: "/")
    }
}
