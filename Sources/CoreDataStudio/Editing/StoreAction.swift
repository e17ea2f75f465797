import CoreData
import StoreBrowsing

/// What a window asks to have changed.
enum StoreAction: Sendable, Decodable {
    /// A new object, which may become a member of a relationship.
    case create(entity: String, owner: String?, relationship: String?)
    /// Another value of an attribute; an element of a composite attribute has a path.
    case set(object: String, key: String, value: JSON)
    /// Another destination of a to-one relationship, or none.
    case relate(object: String, key: String, to: String?)
    /// Members that join a to-many relationship, at its end.
    case add(object: String, key: String, members: [String])
    /// Members that leave a to-many relationship.
    case remove(object: String, key: String, members: [String])
    /// A member of an ordered relationship that goes to another place, from 0.
    case move(object: String, key: String, member: String, to: Int)
    case duplicate(objects: [String])
    case delete(objects: [String])

    /// The step's name in the menu.
    var title: String {
        switch self {
        case .create(let entity, _, _): "Add \(entity)"
        case .set(_, let key, _), .relate(_, let key, _): "Change \(key)"
        case .add(_, let key, _): "Add to \(key)"
        case .remove(_, let key, _): "Remove from \(key)"
        case .move(_, let key, _, _): "Move in \(key)"
        case .duplicate: "Duplicate"
        case .delete: "Delete"
        }
    }

    private enum Keys: String, CodingKey {
        case kind, entity, owner, relationship, object, key, value, to, members, member, objects
    }

    private enum Kind: String, Decodable {
        case create, set, relate, add, remove, move, duplicate, delete
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Keys.self)
        func text(_ key: Keys) throws -> String { try members.decode(String.self, forKey: key) }
        func texts(_ key: Keys) throws -> [String] { try members.decode([String].self, forKey: key) }
        func optional(_ key: Keys) throws -> String? { try members.decodeIfPresent(String.self, forKey: key) }
        switch try members.decode(Kind.self, forKey: .kind) {
        case .create:
            self = .create(
                entity: try text(.entity), owner: try optional(.owner), relationship: try optional(.relationship))
        case .set:
            self = .set(
                object: try text(.object), key: try text(.key), value: try members.decode(JSON.self, forKey: .value))
        case .relate: self = .relate(object: try text(.object), key: try text(.key), to: try optional(.to))
        case .add: self = .add(object: try text(.object), key: try text(.key), members: try texts(.members))
        case .remove: self = .remove(object: try text(.object), key: try text(.key), members: try texts(.members))
        case .move:
            self = .move(
                object: try text(.object), key: try text(.key), member: try text(.member),
                to: try members.decode(Int.self, forKey: .to))
        case .duplicate: self = .duplicate(objects: try texts(.objects))
        case .delete: self = .delete(objects: try texts(.objects))
        }
    }
}

extension StoreAction {
    /// A change that can't fail any more.
    ///
    /// - Returns: What carries it out, and gives the objects that it made.
    typealias Step = () -> [NSManagedObject]

    /// Finds what the action is about, and checks it.
    ///
    /// - Throws: `ToolFailure` for objects and keys that are not there; `invalidEdit` for what can't be.
    func step(in changes: StagedChanges) throws -> Step {
        switch self {
        case .create(let entity, let owner, let relationship):
            try Self.creation(changes, entity, owner, relationship)
        case .set(let object, let key, let value): try Self.setting(changes, object, key, value)
        case .relate(let object, let key, let to):
            try Self.relating(changes, object, key, try to.map(changes.object))
        case .add(let object, let key, let members): try Self.adding(changes, object, key, members)
        case .remove(let object, let key, let members): try Self.removing(changes, object, key, members)
        case .move(let object, let key, let member, let to): try Self.moving(changes, object, key, member, to)
        case .duplicate(let objects): try Self.duplication(changes, objects)
        case .delete(let objects): try Self.deletion(changes, objects)
        }
    }

    // MARK: Objects

    private static func creation(
        _ changes: StagedChanges, _ name: String, _ owner: String?, _ relationship: String?
    ) throws -> Step {
        let entity = try changes.session.entity(named: name)
        if entity.isAbstract {
            throw StudioError(.invalidEdit, "\(name) is abstract. Make an object of one of its subentities.")
        }
        var place: (owner: NSManagedObject, relationship: NSRelationshipDescription)?
        if let owner, let relationship {
            let found = try changes.relationship(owner, relationship, isToMany: true)
            guard let destination = found.relationship.destinationEntity, entity.isKindOf(entity: destination) else {
                throw StudioError(.invalidEdit, "\(relationship) has no objects of \(name).")
            }
            place = found
        }
        return {
            let new = NSManagedObject(entity: entity, insertInto: changes.context)
            if let place { place.owner.add([new], place.relationship) }
            return [new]
        }
    }

    private static func duplication(_ changes: StagedChanges, _ identifiers: [String]) throws -> Step {
        let objects = try changes.objects(identifiers)
        if let gone = objects.first(where: \.isDeleted) {
            throw StudioError(.invalidEdit, "\(gone.objectID.shortIdentifier) is to be deleted. Undo that first.")
        }
        return { objects.map { $0.duplicate(in: changes.context) } }
    }

    private static func deletion(_ changes: StagedChanges, _ identifiers: [String]) throws -> Step {
        let objects = try changes.objects(identifiers).filter { !$0.isDeleted }
        let preview = try DeletionPreview(of: objects, changes)
        if let reason = preview.refusals.first { throw StudioError(.invalidEdit, reason) }
        return {
            objects.forEach(changes.context.delete)
            return []
        }
    }

    // MARK: Values

    private static func setting(
        _ changes: StagedChanges, _ identifier: String, _ path: String, _ value: JSON
    ) throws -> Step {
        let object = try changes.editable(identifier)
        let attribute = try object.entity.editableAttribute(path)
        let value = try EditedValue(value, attribute, path).object
        return {
            // A value that is the same is no change, and no step back from one that others save.
            if !StoredValues.areEqual(value, object.value(forKeyPath: path)) { object.set(value, at: path) }
            return []
        }
    }

    private static func relating(
        _ changes: StagedChanges, _ identifier: String, _ key: String, _ destination: NSManagedObject?
    ) throws -> Step {
        let (owner, relationship) = try changes.relationship(identifier, key, isToMany: false)
        if let destination { try changes.check(destination, for: relationship) }
        return {
            if !StoredValues.areEqual(destination, owner.value(forKey: key)) {
                owner.setValue(destination, forKey: key)
            }
            return []
        }
    }

    // MARK: Members

    private static func adding(
        _ changes: StagedChanges, _ identifier: String, _ key: String, _ members: [String]
    ) throws -> Step {
        let (owner, relationship) = try changes.relationship(identifier, key, isToMany: true)
        let new = try changes.objects(members)
        for member in new { try changes.check(member, for: relationship) }
        return {
            let known = Set(owner.members(relationship))
            owner.add(new.filter { !known.contains($0) }, relationship)
            return []
        }
    }

    private static func removing(
        _ changes: StagedChanges, _ identifier: String, _ key: String, _ members: [String]
    ) throws -> Step {
        let (owner, relationship) = try changes.relationship(identifier, key, isToMany: true)
        let gone = try changes.objects(members)
        return {
            owner.remove(gone, relationship)
            return []
        }
    }

    private static func moving(
        _ changes: StagedChanges, _ identifier: String, _ key: String, _ member: String, _ place: Int
    ) throws -> Step {
        let (owner, relationship) = try changes.relationship(identifier, key, isToMany: true)
        guard relationship.isOrdered else {
            throw StudioError(.invalidEdit, "\(key) has no order. Sort its members by a column instead.")
        }
        let members = owner.members(relationship)
        let moved = try changes.object(member)
        guard members.contains(moved), members.indices.contains(place) else {
            throw StudioError(.invalidEdit, "\(member) can't go to place \(place) among \(members.count) members.")
        }
        return {
            owner.move(moved, to: place, relationship)
            return []
        }
    }
}
