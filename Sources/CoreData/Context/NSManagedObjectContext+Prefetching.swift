import FoundationGaps

/// Relationships that are loaded along with what was fetched: one query for the members of all objects, and another for
/// the rows at the other end where the first can't bring them too.
extension NSManagedObjectContext {
    /// Loads the rows at the ends of relationships along with what was fetched.
    ///
    /// - Throws: `NSPersistentStoreOperationError` for a key path that is none of the entity's relationships; what the
    ///   store reports.
    func prefetch(_ keyPaths: [String], of objects: [NSManagedObject]) throws {
        for keyPath in keyPaths {
            let keys = keyPath.split(separator: ".").map(String.init)
            var (level, between) = (objects, [NSManagedObject]())
            for (depth, key) in keys.enumerated() {
                level = try prefetch(key, of: level, goesOn: depth < keys.count - 1)
                if depth < keys.count - 1 { between += level }
            }
            if !between.isEmpty { keep(between, for: objects, keys[0]) }
        }
    }

    /// Has the results keep the objects through which a key path goes on, as these know the relationships that follow.
    /// No result keeps another, so that none keeps itself.
    private func keep(_ between: [NSManagedObject], for results: [NSManagedObject], _ key: String) {
        let own = Set(results.map { ObjectIdentifier($0) })
        let kept = PrefetchedObjects(between.filter { !own.contains(ObjectIdentifier($0)) })
        for object in results {
            guard let slot = object.layout.slot(named: key) else { continue }
            if slot.kind.isToMany {
                object.toManyState(slot).keepAlive(kept)
            } else {
                object.mutableRecord.setCache(slot.index, kept)
            }
        }
    }

    /// - Parameter goesOn: Whether the objects at the other end are needed, and not only their rows.
    /// - Returns: The objects at the other end; where nothing goes on from there, some of them.
    private func prefetch(_ key: String, of objects: [NSManagedObject], goesOn: Bool) throws -> [NSManagedObject] {
        var (toMany, ends) = ([ToManyKind: [NSManagedObject]](), [ObjectReference]())
        try completeParts(of: objects, without: key)
        for object in objects {
            let slot = try object.layout.relationship(key)
            // An object that is asked for its members needs no row.
            if slot.kind == .toOne || !object.state.contains(.partial) { object.fireIfNeeded(slot.index) }
            if slot.kind.isToMany {
                toMany[ToManyKind(of: object, slot), default: []].append(object)
            } else if case .reference(let reference) = object.current(slot) {
                ends.append(reference)
            }
        }
        for (kind, sources) in toMany {
            let others = try loadMembers(of: sources, kind)
            for object in goesOn ? sources : others { ends += object.members(kind.slot) }
        }
        return try loadRows(of: ends)
    }

    /// Loads the rows of partial faults that don't say where a relationship leads: together, and not one by one.
    private func completeParts(of objects: [NSManagedObject], without key: String) throws {
        let incomplete = try objects.filter { object in
            guard object.state.contains(.partial) else { return false }
            let slot = try object.layout.relationship(key)
            return slot.kind == .toOne && !object.hasPart(slot.index)
        }
        if !incomplete.isEmpty { _ = try loadRows(of: incomplete.map(\.reference)) }
    }

    /// Loads the members of a relationship, and has the relationship keep their rows: nothing else holds the rows as
    /// yet, and the row cache keeps few rows that no object uses.
    ///
    /// - Returns: The sources that knew their members already, or have to be asked for one by one.
    private func loadMembers(of sources: [NSManagedObject], _ kind: ToManyKind) throws -> [NSManagedObject] {
        let slot = kind.slot
        let (unknown, known) = sources.partitioned { $0.lacksMembers(slot) }
        let layout = requiredCoordinator.layouts[kind.owner]
        guard !unknown.isEmpty, let found = try source.members(ofAll: unknown.map(\.reference), slot, in: layout) else {
            return sources
        }
        let rows = try rows(of: found)
        var runs: [Int64: Range<Int>] = [:]
        for run in found.runs { runs[run.source] = run.members }
        for object in unknown {
            let run = runs[object.key] ?? 0..<0
            let state = object.toManyState(slot)
            state.load(Array(found.references[run]))
            if !rows.isEmpty { state.keep(Array(rows[run]), of: requiredCoordinator) }
        }
        return known
    }

    /// The rows of members, in their order; none where some are gone meanwhile.
    private func rows(of found: StoreMembers) throws -> [RowSnapshot] {
        if found.rows.count == found.references.count { return found.rows.drained() }
        let unique = Array(Set(found.references))
        let rows = Dictionary(try source.rows(for: unique, oldestRow).map { ($0.key, $0) }) { first, _ in first }
        let all = found.references.compactMap { rows[$0.key] }
        return all.count == found.references.count ? all : []
    }

    /// The objects of many references, their rows loaded together where they are not at hand.
    ///
    /// - Parameters:
    ///   - fresh: Whether rows that are at hand are read again, as by a fetch: for faults, and for later reads.
    ///   - refreshes: Whether loaded, unchanged objects take the rows that the store has now.
    func loadRows(
        of references: [ObjectReference], fresh: Bool = false, refreshes: Bool = false
    ) throws -> [NSManagedObject] {
        var seen: Set<ObjectReference> = []
        let unique = references.filter { seen.insert($0).inserted }
        let missing = unique.filter { reference in
            if reference.isTemporary { return false }
            guard !refreshes, let known = registeredObject(for: reference) else { return true }
            guard fresh, !known.isChanged else { return known.snapshot == nil }
            if known.isUnfired { known.snapshot = nil }
            return true
        }
        // Registered objects are held weakly: what was just loaded has to be held until the caller has it.
        var loaded: [NSManagedObject] = []
        for group in groupedByTree(missing) {
            let rows = try fresh || refreshes ? source.freshRows(for: group) : source.rows(for: group, oldestRow)
            loaded += register(RowBatch(rows), store: group[0].store, refreshes: refreshes)
        }
        return withExtendedLifetime(loaded) { objects(for: unique) }
    }

    /// References by store and entity tree. Most often there is one of each.
    func groupedByTree(_ references: [ObjectReference]) -> [[ObjectReference]] {
        guard let first = references.first else { return [] }
        if references.allSatisfy({ $0.entity == first.entity && $0.store == first.store }) { return [references] }
        let groups = Dictionary(grouping: references) {
            KeyGroup(store: $0.store, root: requiredCoordinator.layouts[$0.entity].rootNumber)
        }
        return Array(groups.values)
    }
}

/// The objects that lie between what was fetched and what was prefetched by a key path of several relationships.
private final class PrefetchedObjects {
    private let objects: [NSManagedObject]

    init(_ objects: [NSManagedObject]) { self.objects = objects }
}

/// A to-many relationship of the objects of one store.
private struct ToManyKind: Hashable {
    let store: Int32
    /// The number of the entity that declares the relationship.
    let owner: Int32
    let slot: PropertySlot

    init(of object: NSManagedObject, _ slot: PropertySlot) {
        var owner = object.layout
        while let parent = owner.parent, slot.index < parent.slots.count { owner = parent }
        (store, self.owner, self.slot) = (object.store, owner.number, slot)
    }

    static func == (a: Self, b: Self) -> Bool {
        a.store == b.store && a.owner == b.owner && a.slot.index == b.slot.index
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(owner)
        hasher.combine(slot.index)
    }
}

extension NSManagedObject {
    /// Whether the store has to be asked for the members of a relationship.
    fileprivate func lacksMembers(_ slot: PropertySlot) -> Bool {
        !slot.isTransient && !reference.isTemporary && !toManyState(slot).isLoaded
    }
}

extension EntityLayout {
    /// The relationship with a name.
    ///
    /// - Throws: `NSPersistentStoreOperationError` where there is none.
    fileprivate func relationship(_ key: String) throws -> PropertySlot {
        guard let slot = slot(named: key), slot.kind.isRelationship else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError, "\"\(key)\" is no relationship of \(name); it can't be prefetched.")
        }
        return slot
    }

    /// Makes sure that a key path goes through relationships only. One that a subentity declares shows when its objects
    /// come.
    ///
    /// - Throws: `NSPersistentStoreOperationError` where it doesn't.
    func checkPrefetching(_ keyPath: String) throws {
        var layouts = [self]
        for key in keyPath.split(separator: ".").map(String.init) {
            let slots = layouts.flatMap(\.selfAndDescendants).compactMap { try? $0.relationship(key) }
            guard !slots.isEmpty else {
                _ = try layouts[0].relationship(key)
                return
            }
            layouts = slots.map { model[$0.destination] }
        }
    }
}

extension Array {
    /// The elements that fulfil a condition, and the others.
    fileprivate func partitioned(by condition: (Element) -> Bool) -> ([Element], [Element]) {
        (filter(condition), filter { !condition($0) })
    }
}
