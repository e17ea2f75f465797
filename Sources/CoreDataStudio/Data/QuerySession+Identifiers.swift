import CoreData
import Foundation
import StoreBrowsing

// Identifiers as the page has them: `Player/p12`.

extension QuerySession {
    /// The object ID that a short identifier stands for.
    ///
    /// - Throws: `ToolFailure` for a text that is no identifier of the store's model, and for that of a new object.
    func objectID(_ identifier: String) throws -> NSManagedObjectID {
        let parts = identifier.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, parts[1].first == "t", model.entitiesByName[String(parts[0])] != nil {
            throw ToolFailure(
                .invalidQuery,
                "\(identifier) is a new object that is not saved yet: the store does not have it. Save it first.")
        }
        let store = try openStore
        guard parts.count == 2, parts[1].first == "p", let key = Int64(parts[1].dropFirst()), key > 0,
            let layout = store.layouts.layout(named: String(parts[0]))
        else { throw ToolFailure(.invalidQuery, "\(identifier) is no identifier of an object of this store.") }
        return Self.objectID(of: ObjectReference(key: key, entity: layout.number, store: store.token.number), store)
    }

    /// The object ID of a reference, which may come from another connection to the same store.
    ///
    /// - Throws: `ToolFailure` if the store was closed meanwhile.
    func objectID(of reference: ObjectReference) throws -> NSManagedObjectID {
        Self.objectID(of: reference, try openStore)
    }

    /// What reads beside a session that ends finds the store closed.
    private var openStore: any ObjectStore {
        get throws {
            guard let store = objects else { throw ToolFailure(.other, "The store is closed.") }
            return store
        }
    }

    private static func objectID(of reference: ObjectReference, _ store: any ObjectStore) -> NSManagedObjectID {
        let reference = ObjectReference(key: reference.key, entity: reference.entity, store: store.token.number)
        return NSManagedObjectID(
            reference, entity: store.layouts[reference.entity].entity, token: store.token)
    }

    /// The object with an identifier.
    ///
    /// - Throws: `ToolFailure` where there is none.
    func object(_ identifier: String) throws -> NSManagedObject {
        let id = try objectID(identifier)
        do {
            return try context.existingObject(with: id)
        } catch let error as CocoaError where error.code.rawValue == NSManagedObjectReferentialIntegrityError {
            throw ToolFailure(.invalidQuery, "There is no object \(identifier).")
        }
    }

    /// The members of a to-many relationship as the store has them, in their order if they have one.
    func members(
        of owner: ObjectReference, _ relationship: NSRelationshipDescription
    ) throws -> [ObjectReference] {
        let store = try openStore
        guard let slot = store.layouts[owner.entity].slot(named: relationship.name) else { return [] }
        return try store.members(of: owner, slot: slot)
    }
}
