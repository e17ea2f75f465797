extension Oracle {
    /// Does what a command says, saves aside.
    ///
    /// - Returns: What a fetch has to find.
    mutating func perform(_ command: Command, _ context: Int, _ saves: [[Saved]]) -> Set<Int>? {
        let (id, object) = (command.id, contexts[context].objects[command.id])
        var relation: Relation { Schema.relation(object?.entity ?? "", command.key) }
        switch command.verb {
        case .insert: insert(id, command.entity, context)
        case .set: set(id, command.key, isFalse ? nil : command.value, context)
        case .setToOne: setToOne(id, relation, command.other, context)
        case .add: add(command.other ?? 0, to: id, relation, context)
        case .remove: remove(command.other ?? 0, from: id, relation, context)
        case .setMembers: setMembers(id, relation, command.ids, context)
        case .delete: delete(id, context)
        case .undo, .redo:
            if command.verb == .undo { undo(context) } else { redo(context) }
            if strayed { contexts[context].forgetUndo() }
        case .rollBack: rollBack(context)
        case .reset: reset(context)
        case .refresh:
            refresh(id, merging: command.flag, context)
            propagate(context)
            contexts[context].forgetUndo()
        case .refreshAll:
            refreshAll(context)
            propagate(context)
            contexts[context].forgetUndo()
        case .rely:
            load(id, context)
            if contexts[context].objects[id]?.isInserted == false { contexts[context].relied.insert(id) }
        case .fetch: return fetch(command.entity, command.other, context)
        case .read: readEverything(context)
        case .takeOver: for place in command.ids { merge(saves[context == 0 ? 1 : 0][place], context, isRemote: false) }
        case .takeOverRemotely:
            merge(
                Saved(inserted: command.inserted, updated: command.updated, deleted: command.deleted), context,
                isRemote: true)
        case .save, .look, .forget: break
        }
        return nil
    }

    // MARK: Comparing

    /// Takes note of what was loaded without a rule that says when.
    mutating func follow(_ real: Observation, _ context: Int) {
        followLoading(real, context)
        propagate(context)
        followMembers(real, context)
        if contexts[context].isUncertain { noteReading(context) }
    }

    /// The objects that others' changes led to were looked up. Which ones is not foretold: any row that the coordinator
    /// did not have it may have now.
    mutating func noteReading(_ context: Int) {
        caches[contexts[context].coordinator].merge(store.rows) { known, _ in known }
    }

    /// Compares everything with what was seen.
    func compare(_ real: Observation, _ context: Int) throws {
        if let contradiction = real.contradictions.first { throw Failure(contradiction) }
        try compareSets(real, context)
        for (id, object) in contexts[context].objects {
            guard let seen = real.objects[id] else { continue }
            // An object goes with its owner if the owner was deleted and got it from others meanwhile.
            if contexts[context].isUncertain, real.deleted.contains(id) { continue }
            try compare(seen, object, id, context)
        }
    }

    /// Whether an object counts as changed that lost a member which was none depends on whether its members were known;
    /// of a parent that is not told.
    private mutating func followMembers(_ real: Observation, _ context: Int) {
        let isParent = contexts.contains { $0.parent == context }
        for (id, object) in contexts[context].objects where !object.isInserted && !object.isDeleted && !object.differs {
            let isTouched = object.members.values.contains { !$0.edits.isEmpty }
            let isChanged = real.updated.contains(id)
            if isChanged != object.isUpdated, isTouched || isParent, object.isChangedInMembersAlone {
                contexts[context].objects[id]?.isUpdated = isChanged
            }
        }
    }

    private mutating func followLoading(_ real: Observation, _ context: Int) {
        for (id, seen) in real.objects { register(id, seen.entity, context) }
        for (id, seen) in real.objects where seen.isFault {
            guard let object = contexts[context].objects[id], object.isRealized, !object.isInserted else { continue }
            // It was let go, as its row was not at hand after all, and is met again by the objects that lead to it.
            if wasDismissed(id, seen, context) { continue }
            // It was not held yet: it was let go since, and made again; or it was not looked at, in the order that was
            // taken.
            if !object.hasChanges {
                contexts[context].objects[id] = ObjectState(seen.entity, row: object.row)
            } else if real.deleted.contains(id) && !object.isInaccessible
                || real.updated.contains(id) && object.isChangedInMembersAlone
            {
                contexts[context].objects[id]?.isRealized = false
            }
        }
        for (id, seen) in real.objects where !seen.isFault {
            load(id, context)
            // Of a deleted object nothing is told.
            if contexts[context].objects[id]?.isDeleted ?? true { continue }
            for relation in Schema.relations(of: seen.entity) where relation.isToMany {
                let isKnown = contexts[context].objects[id]?.members[relation.name]?.stored != nil
                if seen.toMany[relation.name] != nil {
                    if !isKnown { loadMembers(id, relation, context) }
                } else if isKnown, contexts[context].objects[id]?.members[relation.name]?.edits.isEmpty ?? false {
                    contexts[context].objects[id]?.members[relation.name] = nil
                }
            }
        }
        for (id, object) in contexts[context].objects where real.objects[id] == nil && !object.hasChanges {
            // It was not held yet.
            let wasHeld = contexts[context].held.contains(id)
            if !wasHeld || contexts[context].isUncertain { contexts[context].objects[id] = nil }
        }
        contexts[context].held = Set(real.objects.keys)
    }

    private func wasDismissed(_ id: Int, _ seen: Observation.Object, _ context: Int) -> Bool {
        contexts[context].parent == nil && contexts[context].held.contains(id) && seen.version == nil
            && store.rows[id] == nil && caches[contexts[context].coordinator][id] != nil
    }

    private func compareSets(_ real: Observation, _ context: Int) throws {
        let state = contexts[context]
        func check(_ what: String, _ mine: some Sequence<Int>, _ theirs: [Int]) throws {
            let mine = mine.sorted()
            if mine != theirs { throw Failure("\(what) are \(theirs), not \(mine)") }
        }
        if !state.isUncertain { try check("objects", state.objects.keys, real.objects.keys.sorted()) }
        try check(
            "inserted objects", state.objects.filter { $0.value.isInserted && !$0.value.isDeleted }.keys, real.inserted)
        let deleted = state.objects.filter(\.value.isDeleted)
        if state.isUncertain {
            // Which objects turn out to be gone, and when, depends on the objects that the others lead to, and so does
            // what goes with its owner.
            let certain = deleted.filter { !$0.value.isInaccessible && $0.value.entity != "Match" }.keys
            if !Set(real.deleted).isSuperset(of: certain) { throw Failure("deleted objects are \(real.deleted)") }
            return
        }
        try check("deleted objects", deleted.keys, real.deleted)
        try check(
            "updated objects",
            state.objects.filter { $0.value.isUpdated && !$0.value.isInserted && !$0.value.isDeleted }.keys,
            real.updated)
        if real.hasChanges != state.hasChanges { throw Failure("hasChanges is \(real.hasChanges)") }
    }

    private func compare(_ seen: Observation.Object, _ object: ObjectState, _ id: Int, _ context: Int) throws {
        if object.isDeleted { return }
        let isUncertain = contexts[context].isUncertain
        let name = "\(object.entity) #\(id)"
        if seen.isFault {
            // Whether one that nothing was done to had to be looked at may depend on the order of others.
            if object.isRealized, object.hasChanges, !isUncertain { throw Failure("\(name) is a fault") }
            return
        }
        for key in Schema.attributes where seen.attributes[key] != object.attribute(key) {
            // Which row its parent had for it is not foretold then.
            if isUncertain, contexts[context].parent != nil, object.attributes[key] == nil { continue }
            throw Failure("\(name).\(key) is \(seen.attributes[key] ?? "nil"), not \(object.attribute(key) ?? "nil")")
        }
        if isUncertain { return }
        for relation in Schema.relations(of: object.entity) {
            if !relation.isToMany {
                let (mine, theirs) = (object.destination(relation.name), seen.toOne[relation.name])
                // Of an object that was never saved and is gone no fault can be made.
                if mine == theirs { continue }
                if theirs == nil, contexts[context].parent != nil, !canLoad(mine ?? 0, context) { continue }
                throw Failure("\(name).\(relation.name) is \(text(theirs)), not \(text(mine))")
            }
            guard let theirs = seen.toMany[relation.name] else { continue }
            var mine = object.members[relation.name]?.current ?? []
            if contexts[context].parent != nil, theirs != mine { mine.removeAll { isNowhere($0, context) } }
            if relation.isOrdered ? mine != theirs : mine.sorted() != theirs.sorted() {
                throw Failure("\(name).\(relation.name) is \(theirs), not \(mine)")
            }
        }
    }

    private func text(_ id: Int?) -> String { id.map { "#\($0)" } ?? "nil" }
}
