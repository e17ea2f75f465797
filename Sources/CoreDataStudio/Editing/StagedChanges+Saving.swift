import CoreData
import Foundation
import StoreBrowsing

/// Which side wins a conflict: a choice for each property that both sides changed, by object.
struct ConflictChoices: Sendable, Decodable {
    enum Side: String, Sendable, Decodable {
        case mine, theirs
    }

    /// The sides by identifier and property. An object whose row is gone has one for the name `""`.
    typealias ByObject = [String: [String: Side]]

    var choices: ByObject?
}

/// What came of a save.
enum SaveOutcome: Sendable {
    /// All is saved; new objects have other identifiers now.
    case saved(identifiers: [String: String])
    /// Nothing is saved: other programs changed the same objects.
    case conflicts([JSON])
    /// Nothing is saved: a rule of the model forbids it.
    case problems([JSON])

    var json: JSON {
        switch self {
        case .saved(let identifiers): ["saved": true, "identifiers": .object(identifiers.mapValues(JSON.text))]
        case .conflicts(let conflicts): ["saved": false, "conflicts": .array(conflicts), "problems": []]
        case .problems(let problems): ["saved": false, "conflicts": [], "problems": .array(problems)]
        }
    }
}

extension StagedChanges {
    /// Copies the store before the first save.
    ///
    /// - Returns: Where the copy is; nil for a database.
    /// - Throws: `unwritable-file`.
    func backUp(_ place: StorePlace) throws -> String? {
        if let backup { return backup }
        let made = try StoreBackup(of: place).make(store.coordinator)
        backup = .some(made)
        return made
    }

    /// Saves all changes as one transaction, or none.
    ///
    /// - Parameters:
    ///   - answer: The choices for the conflicts that the save before told the window.
    ///   - window: The window that asks.
    /// - Throws: What the store could not do, such as to write.
    func save(_ answer: ConflictChoices, window: String = "") throws -> SaveOutcome {
        let choices = try validChoices(answer, in: window)
        if !choices.isEmpty {
            try withoutUndo { try settle(choices) }
            // The steps lead back to rows that are no more.
            forgetSteps()
        }
        let refusals = try withoutUndo(forbiddenDeletions)
        if !refusals.isEmpty { return .problems(refusals) }
        let new = context.insertedObjects.map { ($0.objectID.shortIdentifier, $0) }
        do {
            try withoutUndo(context.save)
        } catch let error as CocoaError {
            return try outcome(of: error, window)
        }
        shownConflicts = ShownConflicts()
        forgetSteps()
        let identifiers = Dictionary(
            new.map { ($0, $1.objectID.shortIdentifier) }, uniquingKeysWith: { first, _ in first })
        rename(identifiers)
        return .saved(identifiers: identifiers)
    }

    private func outcome(of error: CocoaError, _ window: String) throws -> SaveOutcome {
        let list = error.userInfo["conflictList"] as? [Any] ?? []
        switch error.code.rawValue {
        case NSManagedObjectMergeError:
            let conflicts = list.compactMap { $0 as? NSMergeConflict }
            for each in conflicts { shownConflicts.note(each.sourceObject.objectID, each.newVersionNumber, in: window) }
            return .conflicts(try conflicts.map { try $0.json(session) })
        case NSManagedObjectConstraintMergeError:
            return .problems(list.compactMap { $0 as? NSConstraintConflict }.flatMap(\.problems))
        case NSManagedObjectValidationError...NSManagedObjectConstraintValidationError,
            NSValidationMultipleErrorsError...NSValidationInvalidURIError:
            let all = error.userInfo[NSDetailedErrorsKey] as? [any Error] ?? [error]
            return .problems(all.map(Self.problem))
        default: throw StudioError(.unwritableFile, ToolFailure(error).message)
        }
    }

    private static func problem(_ error: any Error) -> JSON {
        let object = (error as NSError).userInfo[NSValidationObjectErrorKey] as? NSManagedObject
        let problem = StagedProblem(error)
        return [
            "object": .optional(object?.objectID.shortIdentifier), "key": .optional(problem.key),
            "message": .text(problem.message),
        ]
    }

    private func settle(_ choices: ConflictChoices.ByObject) throws {
        let all = try choices.sorted { $0.key < $1.key }.map { (object: try object($0.key), sides: $0.value) }
        let ids = Set(all.map(\.object.objectID))
        // What is kept is there before others are settled that lead to it.
        for (object, sides) in all where sides[""] == .theirs {
            try keep(object) { ids.contains($0.objectID) }
        }
        let others = all.filter { $0.sides[""] != .theirs }
        for (object, sides) in others where !object.isDeleted { try settle(object, sides) }
        for (object, _) in others where object.isDeleted { try deleteAnew(object) }
    }

    /// Takes the row that the person was shown, and on it what the person chose.
    private func settle(_ object: NSManagedObject, _ sides: [String: ConflictChoices.Side]) throws {
        let orders = object.changedOrders.map { ($0, object.orderedMembers($0)) }
        let elements = object.changedElements
        takeReadRow(object)
        let stored = object.committedValues(forKeys: nil)
        // A composite attribute is one value. Elements that did not change here are as the store has them.
        for (name, changed) in elements {
            object.setValue(stored.value(at: [name]), forKey: name)
            for (path, value) in changed { object.set(value, at: path) }
        }
        for property in ShownProperty.all(of: object.entity)
        where sides[property.path] == .theirs && !property.isOrdered {
            object.set(stored.value(at: property.keys), at: property.path)
            if let inverse = property.relationship?.inverseRelationship,
                let owner = object.value(forKey: property.path) as? NSManagedObject
            {
                try place(object, in: owner, inverse)
            }
        }
        for (relationship, before) in orders {
            var members = before
            members.theirs = NSManagedObject.references(stored[relationship.name])
            // The refresh has joined the members of both sides, in the order of this one.
            if sides[relationship.name] == .theirs || members.isOrderTheirs {
                object.setMembers(members.inTheirOrder(object.members(relationship)), relationship)
            }
        }
    }
}

extension NSManagedObject {
    /// The elements of composite attributes that were changed here, by attribute.
    fileprivate var changedElements: [String: [(path: String, value: Any?)]] {
        let (mine, base) = (changedValues(), committedValues(forKeys: nil))
        return ShownProperty.all(of: entity).reduce(into: [:]) { elements, property in
            let keys = property.keys
            guard keys.count > 1, mine.has(keys), !StoredValues.areEqual(mine.value(at: keys), base.value(at: keys))
            else { return }
            elements[keys[0], default: []].append((property.path, mine.value(at: keys)))
        }
    }
}

extension NSMergeConflict {
    /// The conflict, side by side: what the window saw, what it wants, and what the store has.
    ///
    /// - Parameter session: The staging context, with the store.
    /// - Throws: What kept members from being read.
    func json(_ session: QuerySession) throws -> JSON {
        let object = sourceObject
        let theirs = newVersionNumber == 0 ? nil : persistedSnapshot ?? cachedSnapshot
        return [
            "object": .text(object.objectID.shortIdentifier), "entity": .optional(object.entity.name),
            "title": .optional(ObjectTitles().title(of: object)), "isGone": .bool(theirs == nil),
            "isDeleted": .bool(object.isDeleted),
            "properties": .array(try theirs.map { try values($0) + orders(session) } ?? []),
        ]
    }

    /// The attributes and to-one relationships that both sides changed.
    private func values(_ theirs: [String: Any]) -> [JSON] {
        let object = sourceObject
        let titles = ObjectTitles()
        let base = object.committedValues(forKeys: nil)
        let mine = object.isDeleted ? [:] : object.changedValues()
        let both = ShownProperty.all(of: object.entity).filter { property in
            let keys = property.keys
            func isChanged(_ values: [String: Any]) -> Bool {
                values.has(keys) && !StoredValues.areEqual(values.value(at: keys), base.value(at: keys))
            }
            return property.kind != .toMany && isChanged(mine) && isChanged(theirs)
        }
        return both.map { property in
            [
                "name": .text(property.path), "kind": .text(property.kind.rawValue),
                "base": property.json(base.value(at: property.keys), object, titles),
                "mine": property.json(mine.value(at: property.keys), object, titles),
                "theirs": property.json(theirs.value(at: property.keys), object, titles),
            ]
        }
    }

    /// The relationships whose members both sides put into another order. What members they have is no conflict.
    private func orders(_ session: QuerySession) throws -> [JSON] {
        let object = sourceObject
        let orders = object.changedOrders.sorted { $0.name < $1.name }
        return try orders.compactMap { relationship -> JSON? in
            var members = object.orderedMembers(relationship)
            // Snapshots have no members.
            members.theirs = try session.members(of: object.objectID.reference, relationship)
            guard members.isConflict else { return nil }
            let titles = MemberTitles(session, object.members(relationship))
            let lists = try members.json { try titles.title($0) }
            return [
                "name": .text(relationship.name), "kind": .text(ShownProperty.Kind.toMany.rawValue),
                "base": lists.base, "mine": lists.mine, "theirs": lists.theirs,
            ]
        }
    }
}

/// What members are called, those included that are not saved and those that are gone.
private struct MemberTitles {
    private let session: QuerySession
    private let new: [ObjectReference: NSManagedObject]
    private let titles = ObjectTitles()

    /// - Parameter members: The members now, among which are the new ones.
    init(_ session: QuerySession, _ members: [NSManagedObject]) {
        self.session = session
        new = Dictionary(
            members.filter(\.objectID.isTemporaryID).map { ($0.objectID.reference, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    func title(_ reference: ObjectReference) throws -> String {
        if let object = new[reference] { return titles.title(of: object) ?? object.objectID.shortIdentifier }
        let id = try session.objectID(of: reference)
        let object = try? session.context.existingObject(with: id)
        return object.flatMap { titles.title(of: $0) } ?? id.shortIdentifier
    }
}

extension ShownProperty {
    /// Whether it is a relationship with members in an order.
    fileprivate var isOrdered: Bool { kind == .toMany && relationship?.isOrdered ?? false }

    /// A value of a snapshot.
    fileprivate func json(_ value: Any?, _ object: NSManagedObject, _ titles: ObjectTitles) -> JSON {
        guard kind == .toOne else {
            return ShownValue(longest: 1000).json(value, attribute?.attributeType ?? .undefinedAttributeType)
        }
        let id = value as? NSManagedObjectID
        let destination = id.flatMap { try? object.managedObjectContext?.existingObject(with: $0) }
        return titles.link(to: value as? NSManagedObject ?? destination)
    }
}

extension NSConstraintConflict {
    /// A problem for each object that could not be saved.
    fileprivate var problems: [JSON] {
        let other = databaseObject.map { " \($0.objectID.shortIdentifier) has it already." } ?? ""
        let keys = constraint.joined(separator: ", ")
        return conflictingObjects.map { object in
            [
                "object": .text(object.objectID.shortIdentifier), "key": .optional(constraint.first),
                "message": .text("The value of \(keys) has to be unique.\(other)"),
            ]
        }
    }
}
