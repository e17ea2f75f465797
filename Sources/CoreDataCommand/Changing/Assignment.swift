import CoreData
import Foundation
import StoreBrowsing
import StoreImporting

/// `key=value` of `update --set`: a value for a property of an entity.
struct Assignment {
    let key: String
    let value: Any

    /// - Throws: ``CommandFailure`` for a key that the entity lacks, a value of another type, or one that the model
    ///   forbids.
    init(_ text: String, of entity: NSEntityDescription, in store: LiveStore) throws {
        let (key, value) = try Self.parts(text, option: "--set")
        self.key = key
        if let relationship = entity.relationshipsByName[key], !relationship.isToMany {
            self.value = try store.destination(value, of: relationship)
        } else {
            self.value = try AttributeRules(try entity.attribute(at: key), of: entity).object(value)
        }
    }

    /// An expression of `--compute`.
    init(computing text: String, of entity: NSEntityDescription) throws {
        let (key, value) = try Self.parts(text, option: "--compute")
        _ = try entity.attribute(at: key)
        self.key = key
        do {
            self.value = try NSExpression.parse(value)
        } catch {
            throw CommandFailure(.invalidQuery, "\(whole: "\(error)")")
        }
    }

    private static func parts(_ text: String, option: String) throws -> (key: String, value: String) {
        guard let mark = text.firstIndex(of: "="), mark != text.startIndex else {
            throw CommandFailure(.invalidQuery, "\(option) takes key=value, and not “\(text)”.")
        }
        return (text[..<mark].trimmingCharacters(in: .whitespaces), String(text[text.index(after: mark)...]))
    }
}

extension LiveStore {
    /// The object that `Player/p12` names; `NSNull` for an empty text.
    fileprivate func destination(_ text: String, of relationship: NSRelationshipDescription) throws -> Any {
        if text.isEmpty {
            if relationship.isOptional { return NSNull() }
            throw CommandFailure(.invalidQuery, "“\(relationship.name)” is required, and can't become nil.")
        }
        let store = coordinator.persistentStores.first?.identifier ?? ""
        let id = URL(string: "x-coredata://\(store)/\(text)").flatMap(
            coordinator.managedObjectID(forURIRepresentation:))
        guard let id, let destination = relationship.destinationEntity, id.entity.isKindOf(entity: destination),
            try perform({ (try? $0.existingObject(with: id)) != nil })
        else {
            throw CommandFailure(
                .invalidQuery,
                "“\(text)” is no object of \(relationship.destinationEntity?.name ?? ""); one looks like Player/p12.")
        }
        return id
    }
}
