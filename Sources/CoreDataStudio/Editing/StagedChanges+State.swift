import CoreData
import Foundation
import StoreBrowsing

// What the windows are told of the changes.

extension StagedChanges {
    /// As many changed objects as a response lists.
    private static let mostListed = 500

    /// The changes as a list, with what is wrong with them.
    func state(_ titles: ObjectTitles = ObjectTitles()) -> JSON {
        let changed = changedObjects
        let listed = changed.prefix(Self.mostListed).map { $0.change(titles) }
        let inserted = context.insertedObjects.reduce(into: [String: JSON]()) { counts, object in
            let name = object.entity.name ?? ""
            if case .integer(let count)? = counts[name] { counts[name] = .integer(count + 1) } else { counts[name] = 1 }
        }
        return [
            "revision": .integer(revision), "count": .integer(changed.count), "changes": .array(listed),
            "inserted": .object(inserted), "undo": .optional(undoManager.undoTitle),
            "redo": .optional(undoManager.redoTitle), "recovery": recovery?.json ?? .null,
            "journalFailure": .optional(journalFailure),
        ]
    }

    /// The objects with changes, by kind, entity and key.
    var changedObjects: [NSManagedObject] {
        let updated = context.updatedObjects.filter(\.isChangedByItself)
        return [context.insertedObjects, updated, context.deletedObjects].flatMap { objects in
            objects.sorted { $0.objectID.precedes($1.objectID) }
        }
    }
}

extension UndoManager {
    fileprivate var undoTitle: String? { canUndo ? undoActionName : nil }
    fileprivate var redoTitle: String? { canRedo ? redoActionName : nil }
}

extension NSManagedObjectID {
    fileprivate func precedes(_ other: NSManagedObjectID) -> Bool {
        let (name, otherName) = (entity.name ?? "", other.entity.name ?? "")
        return name == otherName ? reference.key.magnitude < other.reference.key.magnitude : name < otherName
    }
}

extension NSManagedObject {
    /// Whether the object has other values than the store, and not only members that changed their side of a
    /// relationship: those are listed themselves.
    fileprivate var isChangedByItself: Bool {
        changedValues().keys.contains { key in
            guard let relationship = entity.relationshipsByName[key] else { return true }
            return !relationship.isToMany || relationship.isOrdered
                || relationship.inverseRelationship?.isToMany != false
        }
    }

    /// What is done to the object, as windows name it; nil for an object without changes.
    var stagedState: String? {
        isDeleted ? "deleted" : isInserted ? "inserted" : isUpdated && !changedValues().isEmpty ? "updated" : nil
    }

    fileprivate func change(_ titles: ObjectTitles) -> JSON {
        [
            "id": .text(objectID.shortIdentifier), "entity": .optional(entity.name),
            "title": .optional(titles.title(of: self)), "kind": .optional(stagedState),
            "properties": .array(isUpdated ? changedProperties(titles) : []),
            "problems": .array(isDeleted ? [] : problems.map(\.json)),
        ]
    }

    private func changedProperties(_ titles: ObjectTitles) -> [JSON] {
        let (new, old) = (changedValues(), committedValues(forKeys: nil))
        return ShownProperty.all(of: entity).compactMap { property in
            let keys = property.keys
            guard new.has(keys) else { return nil }
            let (before, after) = (
                property.shown(old.value(at: keys), titles), property.shown(new.value(at: keys), titles)
            )
            guard before != after || property.kind == .toMany else { return nil }
            return ["name": .text(property.path), "kind": .text(property.kind.rawValue), "old": before, "new": after]
        }
    }

    /// The names of the properties with other values than the store has.
    var changedPaths: [String] {
        let (new, old) = (changedValues(), committedValues(forKeys: nil))
        return ShownProperty.all(of: entity).filter { property in
            let keys = property.keys
            guard new.has(keys) else { return false }
            return keys.count == 1 || !StoredValues.areEqual(new.value(at: keys), old.value(at: keys))
        }.map(\.path)
    }
}

/// Values of properties, as objects and snapshots have them.
enum StoredValues {
    /// Whether two values are the same for a store: an object and its identifier are, and nil and `NSNull`.
    static func areEqual(_ a: Any?, _ b: Any?) -> Bool { comparable(a) == comparable(b) }

    private static func comparable(_ value: Any?) -> AnyHashable? {
        switch value {
        case nil, is NSNull: return nil
        case let object as NSManagedObject: return object.objectID
        // A composite value; an element without a value is as one that is not there.
        case let elements as [String: Any]:
            let known = elements.compactMapValues(comparable)
            return known.isEmpty ? nil : AnyHashable(known)
        case let list as [Any]: return AnyHashable(list.map(comparable))
        case let value as AnyHashable: return value
        // Nothing tells whether others are equal.
        case let value?: return AnyHashable(ObjectIdentifier(value as AnyObject))
        }
    }
}

extension [String: Any] {
    /// Whether there is a value at a path of keys, be it nil.
    func has(_ keys: [String]) -> Bool { self[keys.joined(separator: ".")] != nil || self[keys[0]] != nil }

    /// The value at a path of keys; nil for none. Elements of composite attributes stand in the value of the attribute,
    /// or by themselves.
    func value(at keys: [String]) -> Any? {
        let found = self[keys.joined(separator: ".")] ?? keys.reduce(self as Any?) { ($0 as? [String: Any])?[$1] }
        return found is NSNull ? nil : found
    }
}

extension ShownProperty {
    /// The keys of the path; elements of composite attributes have several.
    var keys: [String] { path.split(separator: ".").map(String.init) }

    /// A value of the property, as the list of changes shows it.
    fileprivate func shown(_ value: Any?, _ titles: ObjectTitles) -> JSON {
        switch kind {
        case .attribute: ShownValue(longest: 100).json(value, attribute?.attributeType ?? .undefinedAttributeType)
        case .toOne: titles.link(to: value as? NSManagedObject)
        case .toMany:
            ["count": .integer((value as? NSSet)?.count ?? (value as? NSOrderedSet)?.count ?? 0)]
        }
    }
}
