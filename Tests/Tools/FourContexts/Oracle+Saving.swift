/// Merge policies by their raw values.
enum Policy {
    static let error: UInt = 0
    static let storeTrump: UInt = 1
    static let objectTrump: UInt = 2
    static let overwrite: UInt = 3
    static let rollback: UInt = 4

    static let names = ["error", "store trump", "object trump", "overwrite", "rollback"]

    static func favoursObject(_ policy: UInt) -> Bool { policy == objectTrump || policy == overwrite }
}

/// What has to come of a save.
enum SaveForecast {
    /// There is nothing to save.
    case nothing
    /// Deletions are denied: so many. An object that is not held, and that others deleted, may still deny one or not.
    case denied(ClosedRange<Int>)
    /// These objects changed meanwhile; of the second, it is not known whether they count, as nothing about them may
    /// differ.
    case conflicts(certain: Set<Int>, possible: Set<Int>)
    case success
}

extension Oracle {
    // MARK: Forecasting

    /// - Parameter isDenied: Whether the save was denied, where it is not certain whether it has to be.
    mutating func forecastSave(_ context: Int, isDenied: Bool) -> SaveForecast {
        guard contexts[context].hasChanges else { return .nothing }
        let unseen = contexts[context].objects.filter { $0.value.row == nil && !$0.value.isInserted }.keys
        let denials = denials(context)
        if isDenied ? denials.upperBound > 0 : denials.lowerBound > 0 { return .denied(denials) }
        let (certain, possible) =
            contexts[context].parent == nil ? staleObjects(context, unseen: Array(unseen)) : lostObjects(context)
        return certain.isEmpty && possible.isEmpty ? .success : .conflicts(certain: certain, possible: possible)
    }

    private mutating func denials(_ context: Int) -> ClosedRange<Int> {
        var (certain, possible) = (0, 0)
        for (id, object) in contexts[context].objects where object.isDeleted && !object.isInaccessible {
            for relation in Schema.relations(of: object.entity) where relation.rule == .deny {
                let others = members(id, relation, context)
                let known = others.filter { isHeld($0, context) || store.rows[$0] != nil }
                for other in others { register(other, relation.destination, context) }
                if known.contains(where: { isPresent($0, context) && load($0, context) }) {
                    (certain, possible) = (certain + 1, possible + 1)
                } else if others.contains(where: { isPresent($0, context) && load($0, context) }) {
                    possible += 1
                }
            }
        }
        return certain...possible
    }

    /// Whether a context has an object, or one of those that it asks.
    private func isHeld(_ id: Int, _ context: Int) -> Bool {
        if contexts[context].objects[id] != nil { return true }
        return contexts[context].parent.map { isHeld(id, $0) } ?? false
    }

    /// The objects with rows that are not as this context saw them.
    ///
    /// - Parameter unseen: The objects with rows that were not looked at before.
    private mutating func staleObjects(
        _ context: Int, unseen: [Int]
    ) -> (certain: Set<Int>, possible: Set<Int>) {
        var (certain, possible): (Set<Int>, Set<Int>) = ([], [])
        // Such a one counts as it is seen now, which may be newer than what the coordinator certainly has.
        for id in unseen {
            guard let object = contexts[context].objects[id], object.hasChanges || contexts[context].relied.contains(id)
            else { continue }
            let row = object.row ?? row(id, for: context)
            contexts[context].objects[id]?.row = row
            if row?.version != store.rows[id]?.version { possible.insert(id) }
        }
        for (id, object) in contexts[context].objects {
            let isStale = store.rows[id] == nil || store.rows[id]?.version != object.row?.version
            guard !object.isInaccessible, !possible.contains(id) else { continue }
            if object.isInserted {
                // Its deletion was undone here, and others had brought it back already.
                if store.rows[id] != nil { certain.insert(id) }
                continue
            }
            guard isStale else { continue }
            if object.isDeleted || object.isUpdated && object.certainlyDiffers {
                certain.insert(id)
            } else if object.isUpdated {
                possible.insert(id)
            } else if contexts[context].relied.contains(id) {
                certain.insert(id)
            }
        }
        // New members of relationships between many, and new destinations, to which nothing happened here as far as
        // they know.
        let lost = newPartners(context, inRelationsToOne: false).filter {
            store.rows[$0] == nil || contexts[context].objects[$0]?.isInaccessible ?? false
        }
        return (certain, possible.union(lost.subtracting(certain)))
    }

    /// New members and new destinations, but for new objects.
    ///
    /// - Parameter inRelationsToOne: Whether new members count that name their owner in their own rows.
    private func newPartners(_ context: Int, inRelationsToOne: Bool) -> Set<Int> {
        var new: Set<Int> = []
        for object in contexts[context].objects.values where object.hasChanges && !object.isDeleted {
            for relation in Schema.relations(of: object.entity) {
                if relation.isToMany {
                    guard inRelationsToOne || Schema.inverse(of: relation).isToMany else { continue }
                    new.formUnion(object.members[relation.name]?.added ?? [])
                } else if object.isChanged(relation), let destination = object.destination(relation.name) {
                    new.insert(destination)
                }
            }
        }
        return new.filter { contexts[context].objects[$0]?.isInserted != true }
    }

    /// Faults that were made to forget members, and nothing else, are no conflict where their rows are gone: a save
    /// finds them gone.
    mutating func findGone(_ ids: Set<Int>, _ context: Int) {
        for id in ids {
            guard var object = contexts[context].objects[id], !object.isRealized, object.isChangedInMembersAlone,
                store.rows[id] == nil
            else { continue }
            object.row = nil
            (object.isRealized, object.isInaccessible, object.isDeleted) = (true, true, true)
            contexts[context].objects[id] = object
        }
    }

    /// The objects that a child changed, or related others to, and its parent has no longer, and those that it relied
    /// on and that are not as it saw them.
    private mutating func lostObjects(_ context: Int) -> (certain: Set<Int>, possible: Set<Int>) {
        guard let parent = contexts[context].parent else { return ([], []) }
        var (certain, possible): (Set<Int>, Set<Int>) = ([], [])
        for (id, object) in contexts[context].objects {
            if object.isUpdated, !object.isInserted, !object.isDeleted {
                if served(id, by: parent) == nil {
                    certain.insert(id)
                } else if store.rows[id] == nil {
                    possible.insert(id)
                }
            } else if contexts[context].relied.contains(id), !object.hasChanges {
                // One that was refreshed since counts as it is seen now.
                if served(id, by: parent).map({ object.row?.hasSameValues(as: $0) ?? true }) != true {
                    certain.insert(id)
                } else if store.rows[id].map({ object.row?.hasSameValues(as: $0) ?? true }) != true {
                    // The coordinator may have let go of the row that it had.
                    possible.insert(id)
                }
            }
        }
        for id in newPartners(context, inRelationsToOne: true) {
            if contexts[context].objects[id]?.isInaccessible ?? false || served(id, by: parent) == nil {
                certain.insert(id)
            } else if store.rows[id] == nil {
                possible.insert(id)
            }
        }
        return (certain, possible.subtracting(certain))
    }

    /// What a save mentions.
    func announcement(_ context: Int) -> Saved {
        let objects = contexts[context].objects
        return Saved(
            inserted: objects.filter { $0.value.isInserted }.keys.sorted(),
            updated: objects.filter { $0.value.isUpdated && !$0.value.isDeleted && !$0.value.isInserted }.keys.sorted(),
            deleted: objects.filter { $0.value.isDeleted }.keys.sorted())
    }

    // MARK: Saving

    /// A save to the store without conflicts.
    mutating func saveToStore(_ context: Int) {
        let coordinator = contexts[context].coordinator
        loadOrders(context)
        let objects = contexts[context].objects.filter(\.value.hasChanges)
        // An object that was found gone is deleted by no save: it may be back by now.
        for (id, object) in objects where object.isDeleted && !object.isInaccessible {
            store.delete(id)
            caches[coordinator][id] = nil
        }
        for (id, object) in objects where !object.isDeleted && (object.isInserted || object.differs) {
            var row = written(id, object)
            row.version = (object.row?.version ?? 0) + 1
            noteArrivals(id, row, context)
            store.write(row, id)
            caches[coordinator][id] = row
        }
        for (id, object) in objects where !object.isDeleted { writeMembers(id, object) }
        for (id, object) in objects where !object.isDeleted { writeOrder(id, object, context) }
        finishSave(context)
    }

    /// Notes where a row comes to an ordered relationship without its order being written, as the context took it for a
    /// member all the time.
    private mutating func noteArrivals(_ id: Int, _ row: Row, _ context: Int) {
        for relation in Schema.relations(of: row.entity) where !relation.isToMany {
            let list = Schema.inverse(of: relation)
            guard list.isOrdered, let owner = row.toOne[relation.name], store.rows[id]?.toOne[relation.name] != owner
            else { continue }
            let edits = contexts[context].objects[owner]?.members[list.name]?.edits ?? []
            if edits.isEmpty { arrivals.append(Arrival(member: id, owner: owner, list: list)) }
        }
    }

    /// A member stands where its sort key of another time says if its order is not written.
    mutating func adoptPlaces(_ real: StoreState) {
        let new = Set(arrivals.map(\.member))
        for arrival in arrivals {
            let mine = store.members(of: arrival.owner, arrival.list)
            let theirs = real.members(of: arrival.owner, arrival.list)
            guard Set(mine) == Set(theirs), mine.filter({ !new.contains($0) }) == theirs.filter({ !new.contains($0) })
            else { continue }
            store.order(arrival.owner, arrival.list, theirs)
        }
        arrivals = []
    }

    /// Of a row only what changed is written.
    private func written(_ id: Int, _ object: ObjectState) -> Row {
        guard !object.isInserted, var row = store.rows[id] else { return object.currentRow }
        for (key, value) in object.attributes { row.attributes[key] = value }
        for (name, destination) in object.toOne { row.toOne[name] = destination }
        return row
    }

    private mutating func writeMembers(_ id: Int, _ object: ObjectState) {
        for relation in Schema.relations(of: object.entity) where relation.isToMany {
            guard let members = object.members[relation.name], !members.edits.isEmpty else { continue }
            guard Schema.inverse(of: relation).isToMany else { continue }
            let before = members.stored ?? store.members(of: id, relation)
            let after = Members(stored: before, edits: members.edits).current
            for member in before where !after.contains(member) { store.unlink(id, member, relation) }
            for member in after where !before.contains(member) { store.link(id, member, relation) }
        }
    }

    private mutating func writeOrder(_ id: Int, _ object: ObjectState, _ context: Int) {
        for relation in Schema.relations(of: object.entity) where relation.isOrdered {
            guard object.members[relation.name].map({ !$0.edits.isEmpty }) ?? false else { continue }
            store.order(id, relation, members(id, relation, context))
        }
    }

    /// To write an order it has to be known.
    private mutating func loadOrders(_ context: Int) {
        for (id, object) in contexts[context].objects where object.hasChanges && !object.isDeleted {
            for relation in Schema.relations(of: object.entity) where relation.isOrdered {
                guard object.members[relation.name].map({ !$0.edits.isEmpty }) ?? false else { continue }
                loadMembers(id, relation, context)
            }
        }
    }

    /// What was changed is what is saved.
    mutating func finishSave(_ context: Int) {
        for (id, object) in contexts[context].objects where object.hasChanges {
            if object.isDeleted {
                leave(id, context)
                continue
            }
            var saved = object
            for (name, members) in object.members {
                saved.members[name] = Members(stored: members.stored.map { _ in members.current })
            }
            saved.forgetChanges()
            if let parent = contexts[context].parent {
                saved.row = served(id, by: parent) ?? object.row
                saved.takes += 1
            } else {
                saved.row = object.isInserted || object.differs ? store.rows[id] : object.row
            }
            contexts[context].objects[id] = saved
        }
        contexts[context].relied = []
        contexts[context].saves += 1
    }

    /// Takes versions as they are written: every row that the context changed may have got a new one.
    ///
    /// - Returns: What is wrong with them.
    mutating func adoptVersions(_ real: StoreState, _ context: Int, before: StoreState) -> String? {
        let coordinator = contexts[context].coordinator
        for (id, row) in real.rows {
            guard let mine = store.rows[id] else { continue }
            if let old = before.rows[id], !old.hasSameValues(as: mine), old.version == row.version {
                return "\(mine.entity) \(id) changed and kept its version \(row.version)"
            }
            if row.version != before.rows[id]?.version { written[coordinator][id] = row.version }
            if row.version == mine.version { continue }
            store.rows[id]?.version = row.version
            if caches[coordinator][id]?.version == mine.version { caches[coordinator][id]?.version = row.version }
            if contexts[context].objects[id]?.row?.version == mine.version {
                contexts[context].objects[id]?.row?.version = row.version
            }
        }
        return nil
    }

    // MARK: Saving to a parent

    /// A child's save: its changes are made again in the parent.
    mutating func saveToParent(_ context: Int) {
        guard let parent = contexts[context].parent else { return }
        let objects = contexts[context].objects.filter(\.value.hasChanges).sorted { $0.value.place < $1.value.place }
        let present = objects.filter { !$0.value.isDeleted }
        for (id, object) in objects where object.isInserted {
            if leadsNowhere(id, parent) { contexts[parent].objects[id] = nil }
            if contexts[parent].objects[id] == nil {
                insert(id, object.entity, parent)
            } else {
                let isForgotten = contexts[parent].objects[id]?.isPropagated ?? false
                contexts[parent].objects[id]?.isDeleted = false
                contexts[parent].objects[id]?.isPropagated = false
                if isForgotten { disconnectFromStrangers(id, parent) }
            }
        }
        for (id, object) in present { handValues(id, object, parent) }
        for (id, object) in present { handMembers(id, object, context, parent) }
        for (id, object) in objects where object.isDeleted && !object.isInaccessible && served(id, by: parent) != nil {
            register(id, object.entity, parent)
            mark(id, parent)
        }
        // Rules run when all are deleted: whether one is there is asked before the rules of another touch it.
        propagate(parent)
        finishSave(context)
    }

    /// Whether an object was found gone and is not back, or would be found gone.
    private mutating func leadsNowhere(_ id: Int, _ context: Int) -> Bool {
        guard let object = contexts[context].objects[id] else { return false }
        if object.isInaccessible {
            refresh(id, merging: true, context)
            return contexts[context].objects[id]?.isInaccessible ?? false
        }
        return !object.isRealized && row(id, for: context) == nil
    }

    /// An object that came back lets go of the objects that were made to forget it.
    private mutating func disconnectFromStrangers(_ id: Int, _ context: Int) {
        for relation in Schema.relations(of: contexts[context].objects[id]?.entity ?? "") {
            if relation.isToMany { loadMembers(id, relation, context) }
            for other in destinations(id, relation, context) where !mayLead(other, to: id, relation, context) {
                if relation.isToMany {
                    remove(other, from: id, relation, context)
                } else {
                    setToOne(id, relation, nil, context)
                }
            }
        }
    }

    /// Whether one at the other end of a relationship leads here, as far as that is known.
    mutating func mayLead(_ other: Int, to id: Int, _ relation: Relation, _ context: Int) -> Bool {
        register(other, relation.destination, context)
        load(other, context)
        let inverse = Schema.inverse(of: relation)
        guard inverse.isToMany else { return contexts[context].objects[other]?.destination(inverse.name) == id }
        return contexts[context].objects[other]?.members[inverse.name]?.contains(id) ?? true
    }

    private mutating func handValues(_ id: Int, _ object: ObjectState, _ parent: Int) {
        register(id, object.entity, parent)
        let isNew = object.isInserted
        for key in Schema.attributes
        where isNew || object.attributes[key].map({ $0 != object.row?.attributes[key] }) ?? false {
            set(id, key, object.attribute(key), parent)
        }
        for relation in Schema.relations(of: object.entity)
        where !relation.isToMany && (isNew || object.isChanged(relation)) {
            let destination = object.destination(relation.name)
            if let destination { register(destination, relation.destination, parent) }
            setToOne(id, relation, destination, parent)
        }
    }

    private mutating func handMembers(_ id: Int, _ object: ObjectState, _ context: Int, _ parent: Int) {
        for relation in Schema.relations(of: object.entity) where relation.isToMany && object.isChanged(relation) {
            let current = members(id, relation, context)
            let stored = contexts[context].objects[id]?.members[relation.name]?.stored ?? []
            for member in current { register(member, relation.destination, parent) }
            if relation.isOrdered {
                let inverse = Schema.inverse(of: relation)
                let former = members(id, relation, parent)
                let here = former.filter { !wasGivenAway($0, by: id, inverse, parent) }
                let kept = current.filter { here.contains($0) || !stored.contains($0) }
                let others = here.filter { !current.contains($0) && !stored.contains($0) }
                if kept + others != former { setMembers(id, relation, kept + others, parent) }
            } else {
                for member in stored where !current.contains(member) {
                    let isKnown = contexts[parent].objects[id]?.members[relation.name]?.contains(member) ?? false
                    guard isKnown || contexts[parent].objects[member] != nil || row(member, for: parent) != nil else {
                        continue
                    }
                    register(member, relation.destination, parent)
                    remove(member, from: id, relation, parent)
                }
                for member in current where !stored.contains(member) { add(member, to: id, relation, parent) }
            }
        }
    }

    // MARK: Saving over conflicts

    /// The values that a policy has to write, for each object that was changed: nil, the object is gone. Objects that
    /// are not mentioned can't be foretold.
    func resolution(_ context: Int, _ policy: UInt, possible: Set<Int>) -> [Int: [String: String]?] {
        var result: [Int: [String: String]?] = [:]
        var lost: Set<Int> = []
        for (id, object) in contexts[context].objects where object.hasChanges {
            if !object.isInserted, possible.contains(id) { continue }
            // Whether its relationships are otherwise than the store has them, so that it is written, is not foretold
            // then.
            let isAttributed = object.isInserted || object.isDeleted || object.hasChangedAttribute
            if contexts[context].isUncertain, !isAttributed { continue }
            let current = store.rows[id]
            let isStale =
                object.isInserted ? current != nil : current == nil || current?.version != object.row?.version
            if object.isInaccessible { continue }
            if object.isDeleted {
                let comesBack = isStale && !Policy.favoursObject(policy)
                result.updateValue(comesBack ? current?.attributes : nil, forKey: id)
            } else if !isStale {
                result.updateValue(written(id, object).attributes, forKey: id)
            } else if let current {
                result.updateValue(merged(object, current, policy), forKey: id)
            } else {
                lost.insert(id)
                // A merge may have found out, and nothing is left of it then.
                if contexts[context].isUncertain { continue }
                result.updateValue(Policy.favoursObject(policy) ? object.currentRow.attributes : nil, forKey: id)
            }
        }
        followOwners(&result, context)
        if contexts[context].isUncertain || !Policy.favoursObject(policy) && !lost.isEmpty {
            // What goes with an owner that turns out to be gone depends on which owner it has by then.
            for (id, object) in contexts[context].objects where object.entity == "Match" { result[id] = nil }
        }
        return result
    }

    /// What goes with its owner does so, whichever context gave it to the owner: what the context deleted, and would
    /// come back, stays deleted, and of what others changed, the owner at that time is not known.
    private func followOwners(_ result: inout [Int: [String: String]?], _ context: Int) {
        for (id, object) in contexts[context].objects where object.entity == "Match" && object.hasChanges {
            guard let current = store.rows[id], let owner = current.toOne["team"] else { continue }
            guard let state = contexts[context].objects[owner], state.isDeleted, !state.isInaccessible else { continue }
            if object.isDeleted, case .some(nil) = result[owner] {
                result.updateValue(nil, forKey: id)
            } else {
                result[id] = nil
            }
        }
    }

    private func merged(_ object: ObjectState, _ current: Row, _ policy: UInt) -> [String: String] {
        switch policy {
        case Policy.overwrite: return object.currentRow.attributes
        case Policy.rollback: return current.attributes
        default:
            var merged = current.attributes
            for (key, value) in object.attributes where value != object.row?.attributes[key] {
                let isTheirs = current.attributes[key] != object.row?.attributes[key]
                if policy == Policy.storeTrump, isTheirs { continue }
                merged[key] = value
            }
            return merged
        }
    }

    /// After a save that a policy decided: the store is as it is, and so are the rows of the context that was saved.
    mutating func adopt(_ real: StoreState, _ observation: Observation, savedBy context: Int) throws {
        let written = real.rows.filter { $0.value != store.rows[$0.key] }
        store = real
        try recordHistory()
        for (id, row) in written {
            caches[contexts[context].coordinator][id] = row
            self.written[contexts[context].coordinator][id] = row.version
        }
        for id in observation.saved?.deleted ?? [] { caches[contexts[context].coordinator][id] = nil }
        contexts[context].objects = observation.objects.mapValues { ObjectState($0.entity) }
        for (id, seen) in observation.objects {
            contexts[context].objects[id]?.isRealized = !seen.isFault
            contexts[context].objects[id]?.row = history[id]?.last { $0.version == seen.version }
            // A child that merges the save asks its parent for members. The parent answers with those it knows.
            contexts[context].objects[id]?.members = seen.toMany.mapValues { Members(stored: $0) }
        }
    }

    /// The context forgets its objects, and its coordinator what it knew of them.
    mutating func startAnew(_ context: Int, forgetting ids: some Sequence<Int>) {
        for id in ids { caches[contexts[context].coordinator][id] = nil }
        contexts[context].objects = [:]
        contexts[context].held = []
        contexts[context].relied = []
        contexts[context].isUncertain = false
        contexts[context].forgetUndo()
    }
}
