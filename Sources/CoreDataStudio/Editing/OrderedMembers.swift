import CoreData
import StoreBrowsing

/// The members of an ordered relationship that both sides may have changed: as they were before, and as each side has
/// them.
struct OrderedMembers<ID: Hashable> {
    let base: [ID]
    let mine: [ID]
    var theirs: [ID] = []

    /// Whether both sides put members into another order, and a save with mine would lose theirs.
    var isConflict: Bool {
        guard isReordered(mine), isReordered(theirs) else { return false }
        let (others, all) = (Set(theirs), Set(merged))
        return merged.filter(others.contains) != theirs.filter(all.contains)
    }

    /// Whether the others alone put members into another order, so that theirs is the one to keep.
    var isOrderTheirs: Bool { isReordered(theirs) && !isReordered(mine) }

    /// A side that only removes members, and adds some at the end, leaves the order as it was.
    private func isReordered(_ side: [ID]) -> Bool {
        let (known, kept) = (Set(base), Set(side))
        return side != base.filter(kept.contains) + side.filter { !known.contains($0) }
    }

    /// The members of both sides in my order, as a save would write them.
    private var merged: [ID] {
        let (known, own, others) = (Set(base), Set(mine), Set(theirs))
        return mine.filter { others.contains($0) || !known.contains($0) }
            + theirs.filter { !own.contains($0) && !known.contains($0) }
    }
}

extension OrderedMembers<ObjectReference> {
    /// Members in the order of the others. Those that the others do not have come last.
    func inTheirOrder(_ members: [NSManagedObject]) -> [NSManagedObject] {
        let places = Dictionary(
            theirs.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return members.enumerated().sorted { a, b in
            (places[a.element.objectID.reference] ?? theirs.count + a.offset)
                < (places[b.element.objectID.reference] ?? theirs.count + b.offset)
        }.map(\.element)
    }
}

// MARK: Shown side by side

extension OrderedMembers {
    /// As many titles as a list has.
    private static var mostTitles: Int { 20 }
    /// How many titles stand before the first difference.
    private static var mostBefore: Int { 2 }

    /// The lists as a conflict shows them. Of long ones it is the part in which they differ.
    ///
    /// - Parameter title: What a member is called.
    func json(_ title: (ID) throws -> String) rethrows -> (base: JSON, mine: JSON, theirs: JSON) {
        let start = max(0, firstDifference - Self.mostBefore)
        func part(_ list: [ID]) throws -> JSON {
            let titles = try list.dropFirst(start).prefix(Self.mostTitles).map { JSON.text(try title($0)) }
            return ["count": .integer(list.count), "from": .integer(start), "titles": .array(titles)]
        }
        return (try part(base), try part(mine), try part(theirs))
    }

    private var firstDifference: Int {
        let count = min(base.count, mine.count, theirs.count)
        return (0..<count).first { mine[$0] != base[$0] || theirs[$0] != base[$0] } ?? count
    }
}

extension NSManagedObject {
    /// The members of an ordered relationship, before the change and now.
    func orderedMembers(_ relationship: NSRelationshipDescription) -> OrderedMembers<ObjectReference> {
        let before = committedValues(forKeys: [relationship.name])[relationship.name]
        return OrderedMembers(
            base: Self.references(before), mine: members(relationship).map(\.objectID.reference))
    }

    /// The references of the members that a value of a to-many relationship has, in their order if they have one.
    static func references(_ value: Any?) -> [ObjectReference] {
        let members: [Any] = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
        return members.compactMap { ($0 as? NSManagedObject)?.objectID.reference }
    }

    /// Whether others put members into another order, where this object has changed members: taking their row would put
    /// the order of this one on top of theirs.
    ///
    /// - Throws: What kept members from being read.
    func isOrderDisputed(_ session: QuerySession) throws -> Bool {
        try changedOrders.contains { relationship in
            var members = orderedMembers(relationship)
            members.theirs = try session.members(of: objectID.reference, relationship)
            return members.isConflict || members.isOrderTheirs
        }
    }

    /// The ordered relationships with members that were changed here.
    var changedOrders: [NSRelationshipDescription] {
        if isDeleted { return [] }
        let changed = changedValues()
        return entity.relationshipsByName.values.filter {
            $0.isToMany && $0.isOrdered && !$0.isTransient && changed[$0.name] != nil
        }
    }
}
