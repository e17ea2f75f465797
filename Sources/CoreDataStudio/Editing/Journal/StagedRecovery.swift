import CoreData
import Foundation
import StoreBrowsing

/// What came of recovering.
enum RecoveryOutcome: Sendable {
    /// The changes are staged again. What could not be taken over is told, a sentence each.
    case recovered(left: [String])
    /// Nothing is changed: other programs changed the same objects since.
    case conflicts([JSON])

    var json: JSON {
        switch self {
        case .recovered(let left): ["recovered": true, "left": .array(left.map(JSON.text)), "conflicts": []]
        case .conflicts(let conflicts): ["recovered": false, "left": [], "conflicts": .array(conflicts)]
        }
    }
}

extension StagedChanges {
    /// Stages again what an earlier run left, as one step to undo.
    ///
    /// - Parameters:
    ///   - files: Gives the bytes of a large value, by its digest.
    ///   - answer: Which side wins, of the conflicts that the window was shown before.
    ///   - window: The window that asks.
    /// - Throws: `invalidEdit` if there is nothing to recover, or something else is staged.
    func recover(
        _ files: @escaping (String) -> Data?, _ answer: ConflictChoices, window: String = ""
    ) throws -> RecoveryOutcome {
        guard let entry = recovery else { throw StudioError(.invalidEdit, "There is nothing to recover.") }
        guard changedObjects.isEmpty else {
            throw StudioError(.invalidEdit, "Save or discard what you changed since, and recover then.")
        }
        context.refreshAllObjects()
        var recovery = StagedRecovery(self, files, answer.choices ?? [:], window)
        recovery.find(entry.objects)
        if !recovery.conflicts.isEmpty { return .conflicts(recovery.conflicts) }
        let left = record("Recover Unsaved Changes") {
            recovery.apply(entry.objects)
            return recovery.left
        }
        self.recovery = nil
        return .recovered(left: left)
    }
}

/// Brings the journal's objects back into the staged changes. The journal may be of a store that is another one since:
/// nothing of it is taken on trust.
struct StagedRecovery {
    /// As many sentences as are told.
    private static let mostSentences = 50

    private let changes: StagedChanges
    private let files: (String) -> Data?
    private let choices: ConflictChoices.ByObject
    private let window: String
    /// The objects by the identifiers that the journal has.
    private var objects: [String: NSManagedObject] = [:]
    private(set) var conflicts: [JSON] = []
    private(set) var left: [String] = []

    init(
        _ changes: StagedChanges, _ files: @escaping (String) -> Data?,
        _ choices: ConflictChoices.ByObject, _ window: String
    ) {
        (self.changes, self.files, self.choices, self.window) = (changes, files, choices, window)
    }

    private mutating func leave(_ sentence: String) {
        if left.count < Self.mostSentences { left.append(sentence) }
    }

    // MARK: What others changed since

    /// Finds the objects of the store, and what both sides changed.
    mutating func find(_ kept: [KeptObject]) {
        for each in kept where each.kind != .inserted {
            guard let object = try? changes.object(each.id), object.entity.name == each.entity else {
                if choices[each.id] == nil { conflicts.append(.gone(each)) }
                continue
            }
            objects[each.id] = object
            let version = object.currentVersion
            guard version != each.version, !isSettled(each, object, version ?? 0) else { continue }
            let properties = each.kind == .deleted ? [] : self.properties(each, object)
            guard each.kind == .deleted || !properties.isEmpty else { continue }
            changes.shownConflicts.note(object.objectID, version ?? 0, in: window)
            conflicts.append(.conflict(each, object, properties))
        }
    }

    /// Whether there is a choice that was made from the row that the store has.
    private func isSettled(_ kept: KeptObject, _ object: NSManagedObject, _ version: Int) -> Bool {
        choices[kept.id] != nil && changes.shownConflicts.isShown(object.objectID, version, in: window)
    }

    /// The properties that both sides changed.
    private func properties(_ kept: KeptObject, _ object: NSManagedObject) -> [JSON] {
        let titles = ObjectTitles()
        return ShownProperty.all(of: object.entity).compactMap { property in
            if let value = kept.values[property.path], let attribute = property.attribute {
                let theirs = KeptValue(object.keptValue(at: property.keys))
                guard theirs != value.base, theirs != value.mine else { return nil }
                return property.json { side in
                    let kept = side == "base" ? value.base : side == "mine" ? value.mine : theirs
                    guard let kept, let shown = try? kept.object(for: attribute.attributeType, files) else {
                        // Of what a large value was, only the digest is known.
                        return kept?.digest == nil ? .null : .text("…")
                    }
                    return ShownValue(longest: 1000).json(shown, attribute.attributeType)
                }
            }
            if let link = kept.links[property.path], property.kind == .toOne {
                let destination = object.value(forKey: property.path) as? NSManagedObject
                let theirs = destination?.objectID.shortIdentifier
                guard theirs != link.base, theirs != link.mine else { return nil }
                return property.json { side in
                    if side == "theirs" { return titles.link(to: destination) }
                    guard let id = side == "base" ? link.base : link.mine else { return .null }
                    guard let known = try? changes.object(id) else { return ["id": .text(id), "title": .null] }
                    return titles.link(to: known)
                }
            }
            if let members = orders(kept, property.path, object), members.isConflict {
                let lists = members.json { id in (try? changes.object(id)).flatMap { titles.title(of: $0) } ?? id }
                return property.json { $0 == "base" ? lists.base : $0 == "mine" ? lists.mine : lists.theirs }
            }
            return nil
        }
    }

    /// The orders of the members of a relationship; nil where it has none, or the journal does not say what it was.
    private func orders(_ kept: KeptObject, _ name: String, _ object: NSManagedObject) -> OrderedMembers<String>? {
        guard let change = kept.members[name], let mine = change.order, let before = change.before,
            object.entity.relationshipsByName[name]?.isOrdered == true
        else { return nil }
        let stored = object.committedValues(forKeys: [name])[name]
        return OrderedMembers(base: before, mine: mine, theirs: NSManagedObject.identifiers(stored))
    }

    // MARK: Staging

    /// Makes the changes again.
    mutating func apply(_ kept: [KeptObject]) {
        for each in kept where each.kind == .inserted { insert(each) }
        for each in kept where each.kind != .deleted {
            guard let object = objects[each.id] else {
                if each.kind == .updated { leave("\(each.id) is not in the store any more. Its changes are given up.") }
                continue
            }
            if choices[each.id]?[""] == .theirs { continue }
            setValues(each, object)
            setLinks(each, object)
            setMembers(each, object)
        }
        for each in kept where each.kind == .deleted && choices[each.id]?[""] != .theirs {
            if let object = objects[each.id] { changes.context.delete(object) }
        }
    }

    private mutating func insert(_ kept: KeptObject) {
        guard let entity = changes.session.model.entitiesByName[kept.entity], !entity.isAbstract else {
            return leave("A new \(kept.entity) can't be made: the store's model has no such entity.")
        }
        objects[kept.id] = NSManagedObject(entity: entity, insertInto: changes.context)
    }

    private func isTheirs(_ kept: KeptObject, _ path: String) -> Bool { choices[kept.id]?[path] == .theirs }

    private mutating func setValues(_ kept: KeptObject, _ object: NSManagedObject) {
        for (path, value) in kept.values.sorted(by: { $0.key < $1.key }) where !isTheirs(kept, path) {
            do {
                let attribute = try object.entity.editableAttribute(path)
                object.set(try value.mine.object(for: attribute.attributeType, files), at: path)
            } catch {
                leave("The value of \(path) of \(kept.id) can't be taken over.")
            }
        }
    }

    /// The object at the end of a relationship.
    private func destination(_ id: String, _ relationship: NSRelationshipDescription) -> NSManagedObject? {
        guard let object = objects[id] ?? (try? changes.object(id)),
            (try? changes.check(object, for: relationship)) != nil
        else { return nil }
        return object
    }

    private mutating func setLinks(_ kept: KeptObject, _ object: NSManagedObject) {
        for (name, link) in kept.links.sorted(by: { $0.key < $1.key }) where !isTheirs(kept, name) {
            guard let relationship = object.entity.relationshipsByName[name], !relationship.isToMany else {
                leave("\(kept.id) has no to-one relationship \(name) any more.")
                continue
            }
            let destination = link.mine.flatMap { self.destination($0, relationship) }
            if let mine = link.mine, destination == nil {
                leave("\(name) of \(kept.id) can't lead to \(mine), which is not in the store any more.")
                continue
            }
            object.setValue(destination, forKey: name)
        }
    }

    private mutating func setMembers(_ kept: KeptObject, _ object: NSManagedObject) {
        for (name, change) in kept.members.sorted(by: { $0.key < $1.key }) {
            guard let relationship = object.entity.relationshipsByName[name], relationship.isToMany else {
                leave("\(kept.id) has no to-many relationship \(name) any more.")
                continue
            }
            let gone = Set(change.removed)
            var members = object.members(relationship).filter { !gone.contains($0.objectID.shortIdentifier) }
            for id in change.added {
                guard let member = destination(id, relationship) else {
                    leave("\(id) can't be added to \(name) of \(kept.id): it is not in the store any more.")
                    continue
                }
                if !members.contains(member) { members.append(member) }
            }
            // What others alone put into another order stays so, as on a save.
            let isOrderTheirs = isTheirs(kept, name) || orders(kept, name, object)?.isOrderTheirs ?? false
            let order = isOrderTheirs ? nil : change.order
            object.setMembers(order.map { sorted(members, $0) } ?? members, relationship)
        }
    }

    /// Members in an order; those that it does not name, which others added, come last.
    private func sorted(_ members: [NSManagedObject], _ order: [String]) -> [NSManagedObject] {
        var places: [NSManagedObject: Int] = [:]
        for (place, id) in order.enumerated() {
            if let object = objects[id] ?? (try? changes.object(id)) { places[object] = place }
        }
        return members.enumerated().sorted { a, b in
            (places[a.element] ?? order.count + a.offset) < (places[b.element] ?? order.count + b.offset)
        }.map(\.element)
    }
}

extension NSManagedObject {
    /// The version of the row that the store has.
    fileprivate var currentVersion: Int? {
        // A fault may have none at hand.
        willAccessValue(forKey: nil)
        return rowVersion
    }

    fileprivate func keptValue(at keys: [String]) -> Any? {
        guard let first = value(forKey: keys[0]) else { return nil }
        return keys.dropFirst().reduce(first as Any?) { ($0 as? [String: Any])?[$1] }
    }
}

extension ShownProperty {
    /// A property that both sides changed, as a conflict of a save has it.
    fileprivate func json(_ value: (String) -> JSON) -> JSON {
        [
            "name": .text(path), "kind": .text(kind.rawValue), "base": value("base"), "mine": value("mine"),
            "theirs": value("theirs"),
        ]
    }
}

extension JSON {
    fileprivate static func gone(_ kept: KeptObject) -> JSON {
        [
            "object": .text(kept.id), "entity": .text(kept.entity), "title": .null, "isGone": true,
            "isDeleted": .bool(kept.kind == .deleted), "properties": [],
        ]
    }

    fileprivate static func conflict(_ kept: KeptObject, _ object: NSManagedObject, _ properties: [JSON]) -> JSON {
        [
            "object": .text(kept.id), "entity": .text(kept.entity),
            "title": .optional(ObjectTitles().title(of: object)), "isGone": false,
            "isDeleted": .bool(kept.kind == .deleted), "properties": .array(properties),
        ]
    }
}
