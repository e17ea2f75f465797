import CoreData
import Foundation
import StoreBrowsing

/// Why a record can't be imported.
struct ImportProblem: Error {
    let column: String
    let reason: String

    func json(_ line: Int) -> JSON {
        ["line": .integer(line), "column": .text(column), "message": .text(reason)]
    }
}

/// A column, and the property that its texts are values of.
struct ImportedColumn {
    let title: String
    /// The attribute's path, or the relationship's name.
    let path: String
    let attribute: NSAttributeDescription
    /// The relationship that leads to the objects with the attribute.
    let relationship: NSRelationshipDescription?

    var isAttribute: Bool { relationship == nil }

    init(_ title: String, _ path: String, of entity: NSEntityDescription) throws {
        self.title = title
        let keys = path.split(separator: ".").map(String.init)
        if let relationship = entity.relationshipsByName[keys.first ?? ""] {
            guard !relationship.isToMany, keys.count == 2, let destination = relationship.destinationEntity else {
                throw StudioError(
                    .invalidEdit, "“\(title)” can't be for \(path): only a to-one with an attribute can be imported.")
            }
            self.path = relationship.name
            self.relationship = relationship
            attribute = try destination.attribute(at: keys[1])
        } else {
            self.path = path
            relationship = nil
            attribute = try entity.editableAttribute(path)
        }
    }

    /// The value of a text; nil for none.
    ///
    /// - Throws: `ImportProblem` for a text that is no value, and one that leads to no object, or to several.
    func value(_ text: String?, _ destinations: inout DestinationFinder) throws -> Any? {
        guard let text else { return nil }
        let value: Any?
        do {
            value = try EditedValue(.text(text), attribute, path).object
        } catch let error as StudioError {
            throw problem(error.message)
        }
        guard let relationship else { return value }
        let name = relationship.destinationEntity?.name ?? ""
        switch try destinations.object(name, attribute.name, value) {
        case .one(let found): return found
        case .none: throw problem("There is no \(name) with the \(attribute.name) “\(text.prefix(60))”.")
        case .several: throw problem("There are several \(name) with the \(attribute.name) “\(text.prefix(60))”.")
        }
    }

    /// Checks a value by the rules of its own property. Another property may still lack one.
    ///
    /// - Parameter sample: An object of the entity.
    /// - Throws: `ImportProblem` for a value that is missing, or that a rule forbids.
    func check(_ value: Any?, for sample: NSManagedObject) throws {
        let property: NSPropertyDescription = relationship ?? attribute
        if property.validationPredicates.isEmpty, property.isOptional || value != nil { return }
        var value = value as AnyObject?
        do { try sample.validateValue(&value, forKey: path) } catch { throw problem(ToolFailure(error).message) }
    }

    func problem(_ reason: String) -> ImportProblem { ImportProblem(column: title, reason: reason) }
}

/// Finds the objects that relationships lead to, each value once.
struct DestinationFinder {
    private struct Wanted: Hashable {
        let entity: String
        let attribute: String
        let value: NSObject
    }

    enum Found {
        case none, several
        case one(NSManagedObject)
    }

    private let changes: StagedChanges
    private var known: [Wanted: Found] = [:]

    init(_ changes: StagedChanges) { self.changes = changes }

    mutating func object(_ entity: String, _ attribute: String, _ value: Any?) throws -> Found {
        guard let value = value as? NSObject ?? (value as AnyObject?) as? NSObject else { return .none }
        let wanted = Wanted(entity: entity, attribute: attribute, value: value)
        if let found = known[wanted] { return found }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "%K == %@", argumentArray: [attribute, value])
        request.fetchLimit = 2
        let objects = try changes.context.fetch(request)
        let found = objects.count > 1 ? Found.several : objects.first.map(Found.one) ?? .none
        known[wanted] = found
        return found
    }
}
