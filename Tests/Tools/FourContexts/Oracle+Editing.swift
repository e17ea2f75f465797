extension Oracle {
    // MARK: Noting

    func isPresent(_ id: Int, _ context: Int) -> Bool {
        contexts[context].objects[id].map { !$0.isDeleted } ?? false
    }

    private mutating func note(_ id: Int, _ context: Int) {
        if contexts[context].objects[id]?.hasChanges != true {
            let place = contexts[context].places + 1
            contexts[context].places = place
            contexts[context].objects[id]?.place = place
        }
        guard contexts[context].hasUndo, contexts[context].journal.entries[id] == nil else { return }
        let object = contexts[context].objects[id]
        contexts[context].journal.entries[id] = Journal.Entry(
            wasPresent: isPresent(id, context), wasUpdated: object?.isUpdated ?? false)
    }

    /// An object is about to change.
    private mutating func willChange(_ id: Int, _ context: Int) {
        note(id, context)
        if contexts[context].objects[id]?.hasChanges == false { contexts[context].objects[id]?.isUpdated = true }
    }

    private mutating func write(_ id: Int, attribute key: String, _ value: String?, _ context: Int) {
        willChange(id, context)
        if contexts[context].hasUndo, contexts[context].journal.entries[id]?.attributes[key] == nil {
            let old = contexts[context].objects[id]?.attribute(key)
            contexts[context].journal.entries[id]?.attributes.updateValue(old, forKey: key)
        }
        contexts[context].objects[id]?.attributes.updateValue(value, forKey: key)
    }

    private mutating func write(_ id: Int, toOne name: String, _ destination: Int?, _ context: Int) {
        willChange(id, context)
        if contexts[context].hasUndo, contexts[context].journal.entries[id]?.toOne[name] == nil {
            let old = contexts[context].objects[id]?.destination(name)
            contexts[context].journal.entries[id]?.toOne.updateValue(old, forKey: name)
        }
        contexts[context].objects[id]?.toOne.updateValue(destination, forKey: name)
    }

    private mutating func write(_ id: Int, _ relation: Relation, _ edit: Members.Edit, _ context: Int) {
        willChange(id, context)
        if contexts[context].hasUndo, contexts[context].journal.entries[id]?.members[relation.name] == nil {
            let old = members(id, relation, context)
            contexts[context].journal.entries[id]?.members[relation.name] = old
        }
        var members = contexts[context].objects[id]?.members[relation.name] ?? Members()
        if contexts[context].objects[id]?.isInserted ?? false, members.stored == nil { members.stored = [] }
        if case .set = edit { members.edits = [] }
        members.edits.append(edit)
        if members.stored != nil { members.simplify(relation.isOrdered) }
        contexts[context].objects[id]?.members[relation.name] = members
    }

    // MARK: Objects and values

    mutating func insert(_ id: Int, _ entity: String, _ context: Int) {
        note(id, context)
        var object = ObjectState(entity)
        object.isInserted = true
        object.isRealized = true
        object.place = contexts[context].places
        contexts[context].objects[id] = object
    }

    mutating func set(_ id: Int, _ key: String, _ value: String?, _ context: Int) {
        load(id, context)
        write(id, attribute: key, value, context)
    }

    // MARK: Relationships

    mutating func setToOne(_ id: Int, _ relation: Relation, _ destination: Int?, _ context: Int) {
        load(id, context)
        let old = contexts[context].objects[id]?.destination(relation.name)
        write(id, toOne: relation.name, destination, context)
        guard old != destination else { return }
        let inverse = Schema.inverse(of: relation)
        if let old { lose(old, inverse, id, context) }
        if let destination { gain(destination, inverse, id, context) }
    }

    mutating func add(_ member: Int, to id: Int, _ relation: Relation, _ context: Int) {
        load(id, context)
        // In an ordered one it matters where the others are.
        if relation.isOrdered { loadMembers(id, relation, context) }
        returnIfBack(member, Schema.inverse(of: relation), context)
        let isChange = change(id, relation, member, isMember: true, context)
        if isChange || isOutOfStep(member, id, relation, isMember: true, context) {
            gain(member, Schema.inverse(of: relation), id, context)
        }
    }

    mutating func remove(_ member: Int, from id: Int, _ relation: Relation, _ context: Int) {
        load(id, context)
        // In an ordered one it matters where the others are.
        if relation.isOrdered { loadMembers(id, relation, context) }
        returnIfBack(member, Schema.inverse(of: relation), context)
        let isChange = change(id, relation, member, isMember: false, context)
        if isChange || isOutOfStep(member, id, relation, isMember: false, context) {
            lose(member, Schema.inverse(of: relation), id, context)
        }
    }

    mutating func setMembers(_ id: Int, _ relation: Relation, _ new: [Int], _ context: Int) {
        for member in members(id, relation, context) + new {
            returnIfBack(member, Schema.inverse(of: relation), context)
        }
        let old = members(id, relation, context)
        willChange(id, context)
        if relation.isOrdered {
            if new != old { write(id, relation, .set(new), context) }
        } else {
            for member in old where !new.contains(member) { write(id, relation, .remove(member), context) }
            for member in new where !old.contains(member) { write(id, relation, .add(member), context) }
        }
        let inverse = Schema.inverse(of: relation)
        for member in old where !new.contains(member) { lose(member, inverse, id, context) }
        for member in new
        where !old.contains(member) || isOutOfStep(member, id, relation, isMember: true, context) {
            gain(member, inverse, id, context)
        }
    }

    /// Whether the members that are known are older than a member's row, which says otherwise.
    private func isOutOfStep(_ member: Int, _ id: Int, _ relation: Relation, isMember: Bool, _ context: Int) -> Bool {
        let inverse = Schema.inverse(of: relation)
        guard !inverse.isToMany, let object = contexts[context].objects[member], object.isRealized else { return false }
        return (object.destination(inverse.name) == id) != isMember
    }

    /// `other` points here now, so the relationship `mine` leads to it.
    private mutating func gain(_ id: Int, _ mine: Relation, _ other: Int, _ context: Int) {
        register(id, mine.owner, context)
        if mine.isToMany {
            _ = change(id, mine, other, isMember: true, context)
            return
        }
        load(id, context)
        if contexts[context].objects[id]?.destination(mine.name) == other { takeNewer(id, mine, context) }
        if let previous = contexts[context].objects[id]?.destination(mine.name), previous != other {
            lose(previous, Schema.inverse(of: mine), id, context)
        }
        write(id, toOne: mine.name, other, context)
    }

    /// `other` points here no longer.
    private mutating func lose(_ id: Int, _ mine: Relation, _ other: Int, _ context: Int) {
        register(id, mine.owner, context)
        if mine.isToMany {
            _ = change(id, mine, other, isMember: false, context)
            return
        }
        load(id, context)
        if contexts[context].objects[id]?.destination(mine.name) != other { takeNewer(id, mine, context) }
        if contexts[context].objects[id]?.destination(mine.name) == other {
            write(id, toOne: mine.name, nil, context)
        }
    }

    /// Whether an unsaved change points to an object. The object's members follow from it and from the row that the
    /// object takes.
    func isPartner(_ id: Int, _ context: Int) -> Bool {
        contexts[context].objects.values.contains { $0.toOne.values.contains(id) }
    }

    /// An object that was found gone may be back when a relationship that leads to it is about to change.
    ///
    /// - Returns: Whether it is.
    @discardableResult
    mutating func returnIfBack(_ id: Int, _ mine: Relation, _ context: Int) -> Bool {
        guard !mine.isToMany, contexts[context].objects[id]?.isInaccessible ?? false else { return false }
        takeNewer(id, mine, context)
        return contexts[context].objects[id]?.isInaccessible == false
    }

    /// Others have brought an object back that was found gone.
    mutating func bringBack(_ id: Int, _ row: Row, _ context: Int) {
        contexts[context].objects[id] = ObjectState(row.entity, row: row)
    }

    /// An object that does not point back to one that points to it may have an older row than that one.
    private mutating func takeNewer(_ id: Int, _ relation: Relation, _ context: Int) {
        guard contexts[context].parent == nil, let object = contexts[context].objects[id], !object.isInserted,
            !object.isDeleted || object.isInaccessible, !object.isChanged(relation), let row = store.rows[id]
        else { return }
        caches[contexts[context].coordinator][id] = row
        if object.isInaccessible {
            bringBack(id, row, context)
            load(id, context)
            return
        }
        guard row.version != object.row?.version else { return }
        if object.hasChangedRelation || isPartner(id, context) { contexts[context].isUncertain = true }
        contexts[context].objects[id]?.take(row)
    }

    /// - Returns: Whether that is a change, as far as is known.
    private mutating func change(
        _ id: Int, _ relation: Relation, _ member: Int, isMember: Bool, _ context: Int
    ) -> Bool {
        if contexts[context].hasUndo { loadMembers(id, relation, context) }
        let object = contexts[context].objects[id]
        var members = object?.members[relation.name] ?? Members()
        if object?.isInserted ?? false, members.stored == nil { members.stored = [] }
        if members.contains(member) == isMember { return false }
        write(id, relation, isMember ? .add(member) : .remove(member), context)
        return true
    }

    // MARK: Deleting

    /// Deletes an object, by its rules.
    mutating func delete(_ id: Int, _ context: Int) {
        mark(id, context)
        propagate(context)
    }

    /// Deletes an object, and leaves it to ``propagate(_:)`` to run its rules.
    mutating func mark(_ id: Int, _ context: Int) {
        register(id, "", context)
        guard isPresent(id, context) else { return }
        if contexts[context].hasUndo, load(id, context) {
            for relation in Schema.relations(of: contexts[context].objects[id]?.entity ?? "") where relation.isToMany {
                loadMembers(id, relation, context)
            }
        }
        note(id, context)
        contexts[context].objects[id]?.isDeleted = true
    }

    /// Runs the rules of what was deleted since the last time.
    mutating func propagate(_ context: Int) {
        while let (id, object) = contexts[context].objects.first(where: { $0.value.isDeleted && !$0.value.isPropagated }
        ) {
            contexts[context].objects[id]?.isPropagated = true
            for relation in Schema.relations(of: object.entity) { applyRule(id, relation, context) }
            if object.isInserted { leave(id, context) }
        }
    }

    private mutating func applyRule(_ id: Int, _ relation: Relation, _ context: Int) {
        // Nothing can deny that an object is forgotten that was never saved.
        if relation.rule == .deny, contexts[context].objects[id]?.isInserted == false { return }
        // One that is gone has what this context gave it.
        load(id, context)
        let others =
            relation.isToMany
            ? members(id, relation, context)
            : contexts[context].objects[id]?.destination(relation.name).map { [$0] } ?? []
        let inverse = Schema.inverse(of: relation)
        for other in others {
            register(other, relation.destination, context)
            // It is another owner's by what was changed here.
            if wasGivenAway(other, by: id, inverse, context) { continue }
            // What others deleted does not delete members that were given to it here.
            let isGone = contexts[context].objects[id]?.isInaccessible ?? false
            if relation.rule == .cascade, !isGone {
                let isBack = returnIfBack(other, inverse, context)
                // Others may have given it to another owner.
                if !isBack || mayLead(other, to: id, relation, context) { mark(other, context) }
            }
            lose(other, inverse, id, context)
        }
    }

    func wasGivenAway(_ id: Int, by owner: Int, _ relation: Relation, _ context: Int) -> Bool {
        guard !relation.isToMany, let object = contexts[context].objects[id], let given = object.toOne[relation.name]
        else { return false }
        return given != owner && given != object.row?.toOne[relation.name]
    }

    /// An object is in the context no longer.
    mutating func leave(_ id: Int, _ context: Int) {
        // A fault that led nowhere is not what went.
        if let object = contexts[context].objects[id], !object.isInaccessible { contexts[context].former[id] = object }
        contexts[context].objects[id] = nil
    }

    // MARK: Undoing

    /// The event is over: what it changed can be undone.
    ///
    /// - Parameter isRegistered: Whether the manager took it.
    mutating func endEvent(_ context: Int, isRegistered: Bool) {
        var journal = contexts[context].journal
        contexts[context].journal = Journal(saves: contexts[context].saves)
        guard isRegistered else { return }
        journal.entries = journal.entries.filter { isAnything($0.value, $0.key, context) }
        contexts[context].done.append(journal)
        contexts[context].undone = []
    }

    /// Whether an event did anything to an object but to look whether its members are those that it was given.
    private func isAnything(_ entry: Journal.Entry, _ id: Int, _ context: Int) -> Bool {
        guard entry.wasPresent, isPresent(id, context), let object = contexts[context].objects[id] else { return true }
        if !entry.attributes.isEmpty || !entry.toOne.isEmpty { return true }
        return entry.members.contains { name, before in
            let now = object.members[name]?.current ?? []
            return Schema.relation(object.entity, name).isOrdered ? now != before : Set(now) != Set(before)
        }
    }

    /// Whether the event changed anything, as its end shows.
    func eventChanges(_ context: Int) -> Bool {
        contexts[context].journal.entries.contains { id, entry in
            let isPresent = isPresent(id, context)
            if entry.wasPresent != isPresent { return true }
            guard isPresent, let object = contexts[context].objects[id] else { return false }
            return entry.attributes.contains { $0.value != object.attribute($0.key) }
                || entry.toOne.contains { $0.value != object.destination($0.key) }
                || entry.members.contains { Set($0.value) != Set(object.members[$0.key]?.current ?? []) }
        }
    }

    mutating func undo(_ context: Int) {
        strayed = false
        guard let journal = contexts[context].done.popLast() else { return }
        contexts[context].undone.append(takeBack(journal, context))
    }

    mutating func redo(_ context: Int) {
        strayed = false
        guard let journal = contexts[context].undone.popLast() else { return }
        contexts[context].done.append(takeBack(journal, context))
    }

    /// - Returns: How to do it again.
    private mutating func takeBack(_ journal: Journal, _ context: Int) -> Journal {
        var inverse = Journal(saves: contexts[context].saves)
        for id in journal.entries.keys { load(id, context) }
        let presence = Dictionary(uniqueKeysWithValues: journal.entries.keys.map { ($0, isPresent($0, context)) })
        for (id, entry) in journal.entries {
            load(id, context)
            if entry.wasPresent, presence[id] == false { revive(id, context) }
            let object = contexts[context].objects[id] ?? contexts[context].former[id]
            var opposite = Journal.Entry(wasPresent: presence[id] ?? false, wasUpdated: object?.isUpdated ?? false)
            for key in entry.attributes.keys { opposite.attributes.updateValue(object?.attribute(key), forKey: key) }
            for key in entry.toOne.keys { opposite.toOne.updateValue(object?.destination(key), forKey: key) }
            if let object {
                for name in entry.members.keys {
                    opposite.members[name] = members(id, Schema.relation(object.entity, name), context)
                }
            }
            inverse.entries[id] = opposite
        }
        for (id, entry) in journal.entries { restore(id, entry, context) }
        for (id, entry) in journal.entries where !entry.wasPresent && presence[id] == true { withdraw(id, context) }
        for (id, entry) in journal.entries { settle(id, entry, journal.saves == contexts[context].saves, context) }
        return inverse
    }

    private mutating func revive(_ id: Int, _ context: Int) {
        // A fault that led nowhere makes way.
        if contexts[context].objects[id]?.isInaccessible ?? false { contexts[context].objects[id] = nil }
        if contexts[context].objects[id] != nil {
            contexts[context].objects[id]?.isDeleted = false
            contexts[context].objects[id]?.isPropagated = false
            return
        }
        guard let former = contexts[context].former.removeValue(forKey: id) else { return }
        var object = ObjectState(former.entity)
        object.isInserted = true
        object.isRealized = true
        for key in Schema.attributes { object.attributes.updateValue(former.attribute(key), forKey: key) }
        for relation in Schema.relations(of: former.entity) {
            if relation.isToMany {
                let members = former.members[relation.name]?.current ?? []
                object.members[relation.name] = Members(stored: [], edits: members.map { .add($0) })
            } else {
                object.toOne.updateValue(former.destination(relation.name), forKey: relation.name)
            }
        }
        contexts[context].objects[id] = object
    }

    private mutating func restore(_ id: Int, _ entry: Journal.Entry, _ context: Int) {
        guard var object = contexts[context].objects[id] else { return }
        for (key, value) in entry.attributes { object.attributes.updateValue(value, forKey: key) }
        for (key, value) in entry.toOne { object.toOne.updateValue(value, forKey: key) }
        if let row = object.row {
            // What is as it was read is no change any longer.
            object.attributes = object.attributes.filter {
                entry.attributes[$0.key] == nil || $0.value != row.attributes[$0.key]
            }
            object.toOne = object.toOne.filter { entry.toOne[$0.key] == nil || $0.value != row.toOne[$0.key] }
        }
        for (name, before) in entry.members {
            object.members[name, default: Members()].restore(before, Schema.relation(object.entity, name).isOrdered)
        }
        contexts[context].objects[id] = object
    }

    private mutating func withdraw(_ id: Int, _ context: Int) {
        guard let object = contexts[context].objects[id] else { return }
        letGo(id, object, context)
        if object.isInserted { return leave(id, context) }
        contexts[context].objects[id]?.isDeleted = true
        contexts[context].objects[id]?.isPropagated = true
    }

    /// An object that points to one with an undone insertion was changed by others than its context: it forgets the
    /// object, and what was done before can't be told to be undone.
    private mutating func letGo(_ id: Int, _ object: ObjectState, _ context: Int) {
        for relation in Schema.relations(of: object.entity) where object.isInserted || relation.rule != .deny {
            if relation.isToMany { loadMembers(id, relation, context) }
            for other in destinations(id, relation, context) {
                strayed = true
                // No other context can know an object that was never saved.
                if object.isInserted, contexts[context].objects[other] == nil { continue }
                register(other, relation.destination, context)
                lose(other, Schema.inverse(of: relation), id, context)
            }
        }
    }

    private mutating func settle(_ id: Int, _ entry: Journal.Entry, _ isSameSave: Bool, _ context: Int) {
        guard let object = contexts[context].objects[id], !object.isInserted, !object.isDeleted else { return }
        contexts[context].objects[id]?.isUpdated = object.differs || isSameSave && entry.wasUpdated
    }
}
