import RandomSeeds

@testable import CoreDataStudio

/// What a window asks for, and what it does to facts.
struct StudioEdit {
    struct Change {
        let fact: Fact
        let wants: FactValue
        /// How the windows showed it.
        var saw: FactValue = .flag(false)
        var entity = ""
        var row: [Fact: FactValue] = [:]
    }

    var action: JSON
    /// The changes, by what the action created.
    var changes: ([String]) -> [Change]
    /// Whether the model forbids it.
    var isRefused = false

    /// The action as a line of text.
    var text: String { JSON.line(action) }

    init(_ action: JSON, isRefused: Bool = false, _ changes: @escaping ([String]) -> [Change]) {
        (self.action, self.isRefused, self.changes) = (action, isRefused, changes)
    }
}

/// Finds edits at random.
struct StudioEdits {
    let view: ShopView
    let studio: EditedStudio
    typealias Change = StudioEdit.Change

    // MARK: Effects

    /// The members of a relationship are others. Orders of those that lose or get one change too.
    private func setting(_ owner: String, _ key: String, _ new: [String], _ view: ShopView) -> [Change] {
        let (entity, old) = (view.entities[owner] ?? "", view.members(owner, key))
        let (joining, leaving) = (new.without(old), old.without(new))
        var changes: [Change] = []
        if let link = WideShop.link(entity, key) {
            changes += leavingOwners(joining, link, view)
            changes += joining.map { Change(fact: .link($0, link.key), wants: .text(owner)) }
            changes += leaving.map { Change(fact: .link($0, link.key), wants: .text(nil)) }
        } else if let other = WideShop.membership(entity, inverse: key) {
            for member in joining + leaving {
                let isJoining = joining.contains(member)
                changes.append(Change(fact: .member(member, other.key, owner), wants: .flag(isJoining)))
                guard other.isOrdered else { continue }
                let list = view.members(member, other.key).without([owner]) + (isJoining ? [owner] : [])
                changes.append(Change(fact: .order(member, other.key), wants: .list(list)))
            }
        } else {
            changes += joining.map { Change(fact: .member(owner, key, $0), wants: .flag(true)) }
            changes += leaving.map { Change(fact: .member(owner, key, $0), wants: .flag(false)) }
        }
        if WideShop.isOrdered(entity, key) { changes.append(Change(fact: .order(owner, key), wants: .list(new))) }
        return changes
    }

    /// The owners that members had lose them from their orders.
    private func leavingOwners(_ members: [String], _ link: WideShop.Link, _ view: ShopView) -> [Change] {
        guard link.isOrdered else { return [] }
        return Set(members.compactMap { view.target($0, link.key) }).map { old in
            Change(fact: .order(old, link.inverse), wants: .list(view.members(old, link.inverse).without(members)))
        }
    }

    private func relating(_ id: String, _ link: WideShop.Link, _ target: String?, _ view: ShopView) -> [Change] {
        guard view.target(id, link.key) != target else { return [] }
        var changes = leavingOwners([id], link, view)
        changes.append(Change(fact: .link(id, link.key), wants: .text(target)))
        if link.isOrdered, let target {
            let list = view.members(target, link.inverse) + [id]
            changes.append(Change(fact: .order(target, link.inverse), wants: .list(list)))
        }
        return changes
    }

    private func deleting(_ id: String) -> [Change] {
        let all = [id] + (view.entities[id] == "Order" ? view.members(id, "lines") : [])
        return all.map { id in
            let entity = view.entities[id] ?? ""
            var row = view.stored.row(id)
            if view.stored.entities[id] == nil { row = [:] }
            return Change(
                fact: .exists(id), wants: .flag(false), saw: .flag(view.stored.entities[id] != nil), entity: entity,
                row: row)
        }
    }

    private func creating(_ id: String, _ entity: String) -> Change {
        Change(fact: .exists(id), wants: .flag(true), entity: entity)
    }

    /// What a copy has: the values, and what may be shared.
    private func copying(_ original: String, _ copy: String, _ view: ShopView) -> [Change] {
        let entity = view.entities[original] ?? ""
        var changes = [creating(copy, entity)]
        changes += WideShop.attributes(of: entity).map {
            Change(fact: .value(copy, $0.key), wants: view[.value(original, $0.key)], saw: .text(nil))
        }
        let world = ShopView(
            view.stored,
            view.staged.merging([
                .exists(copy): StagedFact(
                    saw: .flag(false), wants: .flag(true), entity: entity)
            ]) { $1 })
        for link in WideShop.links where link.entity == entity {
            changes += relating(copy, link, view.target(original, link.key), world)
        }
        for key in WideShop.manyKeys(of: entity) where WideShop.link(entity, key) == nil {
            changes += setting(copy, key, view.members(original, key), world)
        }
        return changes
    }
}

// MARK: Edits

extension StudioEdits {
    func set(_ id: String, _ key: String, _ value: WideShop.Value?) -> StudioEdit {
        let action: JSON = [
            "kind": "set", "object": studio.asked(id), "key": .text(key),
            "value": value.map { .text($0.typed) } ?? .null,
        ]
        return StudioEdit(action) { _ in [Change(fact: .value(id, key), wants: .text(value?.stored))] }
    }

    func create(_ entity: String, owner: String? = nil, _ key: String = "") -> StudioEdit {
        var action: [String: JSON] = ["kind": "create", "entity": .text(entity)]
        if let owner { (action["owner"], action["relationship"]) = (studio.asked(owner), .text(key)) }
        return StudioEdit(.object(action)) { [self] created in
            let new = creating(created[0], entity)
            guard let owner else { return [new] }
            let staged = StagedFact(saw: .flag(false), wants: .flag(true), entity: entity)
            let world = ShopView(view.stored, view.staged.merging([.exists(created[0]): staged]) { $1 })
            return [new] + setting(owner, key, view.members(owner, key) + created, world)
        }
    }

    func relate(_ id: String, _ link: WideShop.Link, _ target: String?) -> StudioEdit {
        let action: JSON = [
            "kind": "relate", "object": studio.asked(id), "key": .text(link.key),
            "to": target.map(studio.asked) ?? .null,
        ]
        return StudioEdit(action) { [self] _ in relating(id, link, target, view) }
    }

    func add(_ owner: String, _ key: String, _ members: [String]) -> StudioEdit {
        let old = view.members(owner, key)
        return StudioEdit(action("add", owner, key, members)) { [self] _ in
            setting(owner, key, old + members.without(old), view)
        }
    }

    func remove(_ owner: String, _ key: String, _ members: [String]) -> StudioEdit {
        StudioEdit(action("remove", owner, key, members)) { [self] _ in
            setting(owner, key, view.members(owner, key).without(members), view)
        }
    }

    private func action(_ kind: JSON, _ owner: String, _ key: String, _ members: [String]) -> JSON {
        [
            "kind": kind, "object": studio.asked(owner), "key": .text(key),
            "members": .array(members.map(studio.asked)),
        ]
    }

    func move(_ owner: String, _ key: String, _ member: String, to place: Int) -> StudioEdit {
        let action: JSON = [
            "kind": "move", "object": studio.asked(owner), "key": .text(key), "member": studio.asked(member),
            "to": .integer(place),
        ]
        return StudioEdit(action) { [self] _ in
            var list = view.members(owner, key).without([member])
            list.insert(member, at: place)
            return setting(owner, key, list, view)
        }
    }

    func duplicate(_ id: String) -> StudioEdit {
        StudioEdit(["kind": "duplicate", "objects": [studio.asked(id)]]) { [self] in copying(id, $0[0], view) }
    }

    func delete(_ id: String) -> StudioEdit {
        let isRefused = WideShop.isKind(view.entities[id] ?? "", of: "Product") && !view.members(id, "lines").isEmpty
        return StudioEdit(["kind": "delete", "objects": [studio.asked(id)]], isRefused: isRefused) { [self] _ in
            deleting(id)
        }
    }
}
