extension Oracle {
    // MARK: Forgetting

    mutating func refresh(_ id: Int, merging: Bool, _ context: Int) {
        guard let object = contexts[context].objects[id], !object.isInserted else { return }
        if merging {
            guard object.isRealized else {
                contexts[context].objects[id]?.row = nil
                if contexts[context].parent == nil { caches[contexts[context].coordinator][id] = nil }
                return
            }
            guard let row = freshRow(id, context) else { return }
            if object.isInaccessible {
                bringBack(id, row, context)
                return
            }
            if object.hasChanges, contexts[context].hasChangedRelations { contexts[context].isUncertain = true }
            contexts[context].objects[id]?.take(row)
            propagateAgainIfDeleted(id, context)
        } else {
            if object.isDeleted || object.hasChangedRelation || isPartner(id, context) {
                contexts[context].isUncertain = true
            }
            contexts[context].objects[id]?.becomeFault()
            if contexts[context].parent == nil { caches[contexts[context].coordinator][id] = nil }
        }
    }

    /// A deleted object was related to others meanwhile. They may not know of it either.
    private mutating func propagateAgain(_ id: Int, _ entity: String, _ context: Int) {
        for relation in Schema.relations(of: entity) {
            // What its own deletion took from it is no change: the row says what it leads to.
            if !relation.isToMany { contexts[context].objects[id]?.toOne[relation.name] = nil }
            if relation.isToMany { loadMembers(id, relation, context) }
            for other in destinations(id, relation, context) {
                register(other, relation.destination, context)
                let isCompared = contexts[context].objects[other].map { $0.isInserted || $0.isDeleted || $0.mayDiffer }
                if isCompared == false { refresh(other, merging: true, context) }
            }
        }
        contexts[context].objects[id]?.isPropagated = false
    }

    /// The row as it is now, which is what all contexts of the coordinator see then.
    private mutating func freshRow(_ id: Int, _ context: Int) -> Row? {
        if let parent = contexts[context].parent { return served(id, by: parent) }
        caches[contexts[context].coordinator][id] = store.rows[id]
        return store.rows[id]
    }

    mutating func refreshAll(_ context: Int) {
        for (id, object) in contexts[context].objects {
            if object.hasChanges {
                refresh(id, merging: true, context)
            } else {
                contexts[context].objects[id]?.becomeFault()
            }
        }
    }

    mutating func rollBack(_ context: Int) {
        for (id, object) in contexts[context].objects where object.hasChanges {
            if object.isInserted {
                contexts[context].objects[id] = nil
                continue
            }
            if object.isInaccessible {
                contexts[context].objects[id]?.becomeFault()
                continue
            }
            contexts[context].objects[id]?.forgetChanges()
            contexts[context].objects[id]?.members = [:]
        }
        contexts[context].relied = []
        contexts[context].forgetUndo()
        // What is not changed may have members that were asked for in the midst of changes.
        contexts[context].isUncertain = false
    }

    mutating func reset(_ context: Int) {
        contexts[context].objects = [:]
        contexts[context].held = []
        contexts[context].relied = []
        contexts[context].forgetUndo()
        contexts[context].isUncertain = false
    }

    // MARK: Merging

    /// Takes over what others saved.
    ///
    /// - Parameter isRemote: Whether the rows have to be asked for: no context of this coordinator wrote them.
    mutating func merge(_ saved: Saved, _ context: Int, isRemote: Bool) {
        if contexts[context].hasChangedRelations { contexts[context].isUncertain = true }
        let coordinator = contexts[context].coordinator
        let updated = saved.updated.filter { contexts[context].objects[$0] != nil }
        if isRemote, contexts[context].parent == nil {
            for id in saved.inserted + saved.updated + saved.deleted { caches[coordinator][id] = nil }
            for id in updated { caches[coordinator][id] = store.rows[id] }
        }
        for id in saved.inserted {
            guard let entity = store.rows[id]?.entity ?? contexts[context].objects[id]?.entity else {
                // It was deleted since: a fault that leads nowhere.
                continue
            }
            register(id, entity, context)
            guard contexts[context].objects[id]?.isRealized ?? false else { continue }
            // Whether the row of one that is gone is still at hand is not foretold: it and its members are read anew,
            // or stay.
            if store.rows[id] == nil { contexts[context].isUncertain = true }
            if takeRow(id, context) { propagateAgainIfDeleted(id, context) }
        }
        var gone: [Int] = []
        for id in updated where !(contexts[context].objects[id]?.isInserted ?? true) {
            if takeRow(id, context) { propagateAgainIfDeleted(id, context) } else { gone.append(id) }
        }
        for id in saved.deleted {
            guard let object = contexts[context].objects[id] else { continue }
            // An old save may tell of an object that was brought back since: what was changed here is not lost then.
            let isOfUse = object.hasChanges || isRelatedByChanges(id, context)
            if isOfUse, !object.isInaccessible, let row = freshRow(id, context) {
                contexts[context].objects[id]?.take(row)
            } else {
                gone.append(id)
            }
        }
        if isRemote, contexts[context].parent == nil { refreshNeighbours(of: Set(gone), context) }
        dismiss(gone, context)
        contexts[context].forgetUndo()
    }

    /// Reads the objects that lead to objects which are gone: a batch deletion changes their rows, but its IDs do not
    /// name them. Members of a changed object stay.
    private mutating func refreshNeighbours(of gone: Set<Int>, _ context: Int) {
        for (id, object) in contexts[context].objects where !gone.contains(id) && object.isRealized {
            let leads = object.row?.toOne.values.contains(where: gone.contains) ?? false
            let hasMembers = object.members.values.contains { $0.stored?.contains(where: gone.contains) ?? false }
            guard leads || hasMembers && !object.hasChanges, let row = store.rows[id] else { continue }
            caches[contexts[context].coordinator][id] = row
            contexts[context].objects[id]?.take(row)
            propagateAgainIfDeleted(id, context)
        }
    }

    /// Whether others that are changed were related to it, or it became their member, or ceased to be.
    private func isRelatedByChanges(_ id: Int, _ context: Int) -> Bool {
        contexts[context].objects.values.contains { object in
            object.hasChanges
                && (object.toOne.values.contains(id) || object.members.values.contains { $0.isEdited(id) })
        }
    }

    private mutating func propagateAgainIfDeleted(_ id: Int, _ context: Int) {
        guard let object = contexts[context].objects[id], object.isPropagated, !object.isInaccessible else { return }
        propagateAgain(id, object.entity, context)
    }

    /// - Returns: False if the row is gone.
    private mutating func takeRow(_ id: Int, _ context: Int) -> Bool {
        guard let object = contexts[context].objects[id] else { return true }
        guard object.isRealized else {
            contexts[context].objects[id]?.row = nil
            return true
        }
        guard let row = row(id, for: context) else { return object.isInaccessible }
        if object.isInaccessible {
            bringBack(id, row, context)
            return true
        }
        contexts[context].objects[id]?.take(row)
        return true
    }

    /// Objects that others deleted leave; what was changed here forgets them.
    private mutating func dismiss(_ gone: [Int], _ context: Int) {
        guard !gone.isEmpty else { return }
        let lost = Set(gone)
        for id in lost {
            contexts[context].objects[id] = nil
            contexts[context].held.remove(id)
            contexts[context].relied.remove(id)
            if contexts[context].parent == nil { caches[contexts[context].coordinator][id] = nil }
        }
        for (id, object) in contexts[context].objects {
            for (name, destination) in object.toOne where destination.map(lost.contains) ?? false {
                contexts[context].objects[id]?.toOne.updateValue(nil, forKey: name)
            }
            guard object.hasChanges else { continue }
            for name in object.members.keys { contexts[context].objects[id]?.members[name]?.drop(lost) }
        }
    }
}
