/// Four contexts and a store, as they should be: plain values, and every rule written out.
struct Oracle {
    var store = StoreState()
    /// The rows that the contexts of one coordinator share.
    var caches: [[Int: Row]] = [[:], [:]]
    var contexts: [ContextState]
    /// The version of each row that a context of a coordinator wrote last: none of them sees an older one afterwards.
    var written: [[Int: Int]] = [[:], [:]]
    /// Every row that was ever saved, oldest first.
    var history: [Int: [Row]] = [:]
    /// Whether the last undoing met what others had done to the same objects.
    var strayed = false
    /// The objects that came to ordered relationships with the last save. Their places are not foretold.
    var arrivals: [Arrival] = []
    /// Whether it has one rule wrong, for the test of the test.
    var isFalse = false

    /// A row that came to an ordered relationship without its order.
    struct Arrival {
        let member: Int
        let owner: Int
        let list: Relation
    }

    // MARK: Loading

    /// The row of an object as a context's source has it.
    mutating func row(_ id: Int, for context: Int) -> Row? {
        if let parent = contexts[context].parent { return served(id, by: parent) }
        let coordinator = contexts[context].coordinator
        if let known = caches[coordinator][id] { return known }
        guard let row = store.rows[id] else { return nil }
        caches[coordinator][id] = row
        return row
    }

    /// An object as a parent shows it to its children.
    mutating func served(_ id: Int, by context: Int) -> Row? {
        if let object = contexts[context].objects[id] {
            if object.isDeleted { return nil }
            if object.hasChanges {
                guard load(id, context) else { return nil }
                return contexts[context].objects[id]?.currentRow
            }
            if let row = object.row { return row }
        }
        return row(id, for: context)
    }

    /// Fires a fault.
    ///
    /// - Returns: False for an object that is gone.
    @discardableResult
    mutating func load(_ id: Int, _ context: Int) -> Bool {
        guard let object = contexts[context].objects[id] else { return false }
        if object.isRealized { return !object.isInaccessible }
        if object.row == nil {
            guard let row = row(id, for: context) else {
                contexts[context].objects[id]?.isRealized = true
                contexts[context].objects[id]?.isInaccessible = true
                contexts[context].objects[id]?.isDeleted = true
                return false
            }
            contexts[context].objects[id]?.row = row
        }
        contexts[context].objects[id]?.isRealized = true
        return true
    }

    /// Whether the object could be loaded.
    func exists(_ id: Int, _ context: Int) -> Bool {
        var copy = self
        return copy.load(id, context)
    }

    /// Asks for the members of a relationship.
    mutating func loadMembers(_ id: Int, _ relation: Relation, _ context: Int) {
        load(id, context)
        if contexts[context].objects[id]?.members[relation.name]?.stored != nil { return }
        let isNew = contexts[context].objects[id]?.isInserted ?? false
        let stored = isNew ? [] : sourceMembers(id, relation, context)
        contexts[context].objects[id]?.members[relation.name, default: Members()].load(stored, relation.isOrdered)
        for member in stored { meetMember(member, relation.destination, context) }
    }

    /// The row of a member comes along with it, mostly: what the coordinator has, or what the store has now. The oldest
    /// that it can be is noted.
    private mutating func meetMember(_ id: Int, _ entity: String, _ context: Int) {
        register(id, entity, context)
        guard contexts[context].parent == nil, let row = row(id, for: context) else { return }
        guard let object = contexts[context].objects[id], !object.isRealized, object.row == nil else { return }
        contexts[context].objects[id]?.row = row
    }

    private mutating func sourceMembers(_ id: Int, _ relation: Relation, _ context: Int) -> [Int] {
        guard let parent = contexts[context].parent else { return store.members(of: id, relation) }
        if let object = contexts[parent].objects[id] {
            if object.isDeleted { return [] }
            let members = object.members[relation.name]
            if object.isInserted || members.map({ $0.stored != nil || !$0.edits.isEmpty }) ?? false {
                return self.members(id, relation, parent)
            }
        }
        return sourceMembers(id, relation, parent)
    }

    mutating func members(_ id: Int, _ relation: Relation, _ context: Int) -> [Int] {
        loadMembers(id, relation, context)
        return contexts[context].objects[id]?.members[relation.name]?.current ?? []
    }

    /// The objects at the other end of a relationship that is loaded.
    func destinations(_ id: Int, _ relation: Relation, _ context: Int) -> [Int] {
        guard let object = contexts[context].objects[id] else { return [] }
        if relation.isToMany { return object.members[relation.name]?.current ?? [] }
        return object.destination(relation.name).map { [$0] } ?? []
    }

    /// Makes a fault of an object that the context has not.
    mutating func register(_ id: Int, _ entity: String, _ context: Int) {
        if contexts[context].objects[id] == nil { contexts[context].objects[id] = ObjectState(entity) }
    }

    /// Fires everything, as far as that leads.
    mutating func readEverything(_ context: Int) {
        var seen: Set<Int> = []
        while true {
            let new = contexts[context].objects.keys.filter { seen.insert($0).inserted }
            if new.isEmpty { return }
            for id in new where !(contexts[context].objects[id]?.isDeleted ?? true) {
                guard load(id, context), let entity = contexts[context].objects[id]?.entity else { continue }
                for relation in Schema.relations(of: entity) {
                    if relation.isToMany { loadMembers(id, relation, context) }
                    for member in destinations(id, relation, context) {
                        register(member, relation.destination, context)
                    }
                }
            }
        }
    }

    // MARK: Fetching

    /// What a fetch finds; the context's unsaved changes count, and of the rest what the store says.
    mutating func fetch(_ entity: String, _ least: Int?, _ context: Int) -> Set<Int> {
        let found = find(entity, least, context)
        for id in found {
            let object = contexts[context].objects[id]
            if object?.hasChanges != true || object?.row == nil && object?.isInserted == false {
                meet(id, entity, context)
            }
        }
        return found
    }

    private mutating func find(_ entity: String, _ least: Int?, _ context: Int) -> Set<Int> {
        func fits(_ value: String?) -> Bool {
            guard let least else { return true }
            return value.flatMap { Int($0) }.map { $0 >= least } ?? false
        }
        var result: Set<Int>
        if let parent = contexts[context].parent {
            result = find(entity, least, parent)
        } else {
            result = Set(store.rows.filter { $0.value.entity == entity && fits($0.value.attributes["number"]) }.keys)
        }
        for (id, object) in contexts[context].objects where object.entity == entity && object.hasChanges {
            result.remove(id)
            if object.isDeleted { continue }
            if least != nil { load(id, context) }
            guard let object = contexts[context].objects[id], !object.isDeleted else { continue }
            if fits(object.attribute("number")) { result.insert(id) }
        }
        return result
    }

    /// A fetch brings a row along: the newest that its coordinator has seen.
    private mutating func meet(_ id: Int, _ entity: String, _ context: Int) {
        register(id, entity, context)
        bring(id, context)
        guard contexts[context].objects[id]?.isRealized == false else { return }
        if let parent = contexts[context].parent, contexts[parent].objects[id]?.hasChanges ?? false {
            // A parent makes a row of its changes when a child asks for it.
            contexts[context].objects[id]?.row = nil
            return
        }
        let row = row(id, for: context)
        contexts[context].objects[id]?.row = row
    }

    private mutating func bring(_ id: Int, _ context: Int) {
        if let parent = contexts[context].parent {
            // What the parent changed is not among what its source is asked for.
            return contexts[parent].objects[id]?.hasChanges ?? false ? () : bring(id, parent)
        }
        let coordinator = contexts[context].coordinator
        guard let row = store.rows[id] else { return }
        if caches[coordinator][id].map({ $0.version < row.version }) ?? true { caches[coordinator][id] = row }
    }
}
