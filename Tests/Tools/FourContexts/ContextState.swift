/// The members of a to-many relationship: what was loaded, and what the context did to that.
struct Members {
    enum Edit: Equatable {
        case add(Int), remove(Int)
        case set([Int])
    }

    /// Nil: not asked for yet.
    var stored: [Int]?
    var edits: [Edit] = []

    /// The members now. What is stored must be known.
    var current: [Int] {
        edits.reduce(into: stored ?? []) { members, edit in
            switch edit {
            case .add(let member): if !members.contains(member) { members.append(member) }
            case .remove(let member): members.removeAll { $0 == member }
            case .set(let all): members = all
            }
        }
    }

    /// Whether an object is a member; nil: not known yet.
    func contains(_ member: Int) -> Bool? {
        if stored != nil { return current.contains(member) }
        for edit in edits.reversed() {
            switch edit {
            case .add(member): return true
            case .remove(member): return false
            case .set(let all): return all.contains(member)
            default: continue
            }
        }
        return nil
    }

    /// Whether an object became a member by the edits, or ceased to be one.
    func isEdited(_ member: Int) -> Bool {
        if let stored { return current.contains(member) != stored.contains(member) }
        return edits.contains { edit in
            switch edit {
            case .add(let other), .remove(let other): other == member
            case .set(let members): members.contains(member)
            }
        }
    }

    /// The objects that the edits made members, and that still are.
    var added: [Int] {
        let all = edits.flatMap { edit -> [Int] in
            switch edit {
            case .add(let member): [member]
            case .set(let all): all.filter { !(stored ?? []).contains($0) }
            case .remove: []
            }
        }
        return all.filter { contains($0) ?? false }
    }

    /// Makes the members what they were, by no more changes than that takes.
    mutating func restore(_ before: [Int], _ isOrdered: Bool) {
        let stored = stored ?? []
        if isOrdered {
            edits = before == stored ? [] : [.set(before)]
        } else {
            edits = stored.filter { !before.contains($0) }.map { .remove($0) }
            edits += before.filter { !stored.contains($0) }.map { .add($0) }
        }
    }

    /// Forgets edits that cancel each other out.
    mutating func simplify(_ isOrdered: Bool) {
        if !isOrdered { return restore(current, false) }
        // In an ordered one a member that went and came back may have moved; only one that came and went left no trace.
        guard case .remove(let member) = edits.last, !(stored ?? []).contains(member) else { return }
        if case .set = edits.first { return }
        let mentions = edits.indices.filter { index in
            switch edits[index] {
            case .add(member), .remove(member): true
            default: false
            }
        }
        for index in mentions.reversed() { edits.remove(at: index) }
    }

    /// Takes what is stored, and forgets edits that it makes no difference to.
    mutating func load(_ stored: [Int], _ isOrdered: Bool) {
        self.stored = stored
        if !isOrdered { return restore(current, false) }
        // What follows a new list changes that.
        if case .set = edits.first { return }
        var kept: [Edit] = []
        for edit in edits {
            switch edit {
            case .add(let member) where stored.contains(member) && !kept.contains(.remove(member)): continue
            case .remove(let member) where !stored.contains(member): kept.removeAll { $0 == .add(member) }
            default: kept.append(edit)
            }
        }
        edits = kept
    }

    /// Forgets members that are gone.
    mutating func drop(_ gone: Set<Int>) {
        stored?.removeAll(where: gone.contains)
        edits = edits.compactMap { edit in
            switch edit {
            case .add(let member), .remove(let member): gone.contains(member) ? nil : edit
            case .set(let members): .set(members.filter { !gone.contains($0) })
            }
        }
    }

    func isChanged(ordered: Bool) -> Bool {
        guard let stored else { return !edits.isEmpty }
        if edits.isEmpty { return false }
        guard ordered else { return Set(current) != Set(stored) }
        // A member that went and came back is at another place; one that was none did not go.
        return edits.contains { edit in
            switch edit {
            case .add(let member): !stored.contains(member)
            case .remove(let member): stored.contains(member)
            case .set: true
            }
        }
    }
}

/// One object in one context.
struct ObjectState {
    let entity: String
    /// Whether its values are loaded.
    var isRealized = false
    /// The row that was read; a fault may have one at hand.
    var row: Row?
    /// How often it took another row in the place of its own.
    var takes = 0
    var isInserted = false
    var isUpdated = false
    var isDeleted = false
    /// Whether it turned out to be gone when its values were asked for.
    var isInaccessible = false
    var isPropagated = false
    /// Its place among the changed objects of its context: a parent is given them in this order.
    var place = 0
    var attributes: [String: String?] = [:]
    var toOne: [String: Int?] = [:]
    var members: [String: Members] = [:]

    init(_ entity: String, row: Row? = nil) {
        self.entity = entity
        self.row = row
    }

    var hasChanges: Bool { isInserted || isUpdated || isDeleted }

    func attribute(_ key: String) -> String? { attributes[key] ?? row?.attributes[key] }

    func destination(_ name: String) -> Int? { toOne[name] ?? row?.toOne[name] }

    func isChanged(_ relation: Relation) -> Bool {
        if relation.isToMany { return members[relation.name]?.isChanged(ordered: relation.isOrdered) ?? false }
        return toOne[relation.name].map { $0 != row?.toOne[relation.name] } ?? false
    }

    var hasChangedAttribute: Bool { attributes.contains { $0.value != row?.attributes[$0.key] } }

    /// Whether nothing was done to it for which its values had to be there.
    var isChangedInMembersAlone: Bool { attributes.isEmpty && toOne.isEmpty }

    var hasChangedRelation: Bool { Schema.relations(of: entity).contains(where: isChanged) }

    /// Whether a save has something to write.
    var differs: Bool { hasChangedAttribute || hasChangedRelation }

    /// Whether a save surely has something to write: members that were never asked for may be what the store has.
    var certainlyDiffers: Bool {
        hasChangedAttribute
            || Schema.relations(of: entity).contains {
                isChanged($0) && (!$0.isToMany || members[$0.name]?.stored != nil)
            }
    }

    /// Whether a save may find something to write, that an object is no member any longer which never was one, say; or
    /// whether it relies on the row, as a relationship was set to what that has.
    var mayDiffer: Bool { differs || members.values.contains { !$0.edits.isEmpty } || !toOne.isEmpty }

    /// The values now, as a row.
    var currentRow: Row {
        var row = Row(entity: entity, version: row?.version ?? 0)
        for key in Schema.attributes { row.attributes[key] = attribute(key) }
        for relation in Schema.relations(of: entity) where !relation.isToMany {
            row.toOne[relation.name] = destination(relation.name)
        }
        return row
    }

    /// Forgets what the context did to it.
    mutating func forgetChanges() {
        (isInserted, isUpdated, isDeleted, isPropagated) = (false, false, false, false)
        (attributes, toOne) = ([:], [:])
    }

    mutating func becomeFault() {
        forgetChanges()
        (isRealized, isInaccessible, row, members) = (false, false, nil, [:])
    }

    /// Takes a fresh row: changes stay, unless there are none what is behind a relationship is asked for again.
    mutating func take(_ row: Row) {
        // What was set to what it was is no change.
        attributes = attributes.filter { $0.value != self.row?.attributes[$0.key] }
        toOne = toOne.filter { $0.value != self.row?.toOne[$0.key] }
        self.row = row
        takes += 1
        if isInserted {
            // Others had brought it back before: what was given to it changes that row.
            (isInserted, isUpdated) = (false, true)
        }
        for name in members.keys { members[name]?.stored = nil }
        members = members.filter { !$0.value.edits.isEmpty }
    }
}

/// What one event changed, so that it can be taken back.
struct Journal {
    struct Entry {
        var wasPresent: Bool
        var wasUpdated: Bool
        var attributes: [String: String?] = [:]
        var toOne: [String: Int?] = [:]
        var members: [String: [Int]] = [:]
    }

    var entries: [Int: Entry] = [:]
    /// How often the context had been saved.
    var saves: Int
}

/// One context.
struct ContextState {
    /// The context that it is a child of.
    let parent: Int?
    /// The coordinator that it shares the rows of.
    let coordinator: Int
    let hasUndo: Bool
    let mergesAutomatically: Bool
    var objects: [Int: ObjectState] = [:]
    /// Objects that left it, as they were: undoing brings them back.
    var former: [Int: ObjectState] = [:]
    /// The objects that were there after the last step: those are held, and stay.
    var held: Set<Int> = []
    var relied: Set<Int> = []
    var journal = Journal(saves: 0)
    var undone: [Journal] = []
    var done: [Journal] = []
    var saves = 0
    /// How many objects have come to be changed ones.
    var places = 0
    /// Whether its relationships can't be foretold: what others saved met unsaved changes of the same.
    var isUncertain = false

    var hasChanges: Bool { objects.values.contains(where: \.hasChanges) }

    var hasChangedRelations: Bool {
        objects.values.contains { $0.isDeleted || $0.hasChangedRelation }
    }

    mutating func forgetUndo() { (done, undone, journal) = ([], [], Journal(saves: saves)) }
}
