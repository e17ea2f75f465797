import FoundationGaps
import ModelFormat

/// An entity of a new model with the one that it was before.
package struct InferredEntity {
    /// The former entity; nil where it is new.
    package let source: EntityLayout?
    /// The entity; nil where it is gone.
    package let destination: EntityLayout?
    /// What each stored property of the entity becomes of, inherited ones and elements of composites included, by slot.
    package let properties: [InferredProperty]
    /// The stored properties of the former entity that are gone, inherited ones included.
    package let removedSlots: [PropertySlot]

    package enum Kind: Sendable {
        case added, removed
        /// Objects stay as they are.
        case copied
        /// Objects get other properties, another name or another place among the entities.
        case transformed
    }

    init(source: EntityLayout?, destination: EntityLayout?) {
        (self.source, self.destination) = (source, destination)
        guard let destination else {
            (properties, removedSlots) = ([], source?.storedSlots ?? [])
            return
        }
        let sources = PropertyPairing(of: destination, in: source).sources
        properties = destination.storedSlots.map { InferredProperty($0, source: sources[$0.index]) }
        let taken = Set(sources.values.map(\.index))
        removedSlots = source?.storedSlots.filter { !taken.contains($0.index) } ?? []
    }

    package var kind: Kind {
        guard let source else { return .added }
        guard let destination else { return .removed }
        let isSame = source.name == destination.name && source.entity.versionHash == destination.entity.versionHash
        return isSame ? .copied : .transformed
    }

    /// What becomes a property of the entity.
    package func property(to slot: PropertySlot) -> InferredProperty? {
        properties.first { $0.destination.index == slot.index }
    }
}

/// The stored properties of an entity with those that they were before.
private struct PropertyPairing {
    /// By the new slot.
    private(set) var sources: [Int: PropertySlot] = [:]

    init(of new: EntityLayout, in old: EntityLayout?) {
        guard let old else { return }
        pair(new.topSlots { $0.kind.isRelationship }, old.topSlots { $0.kind.isRelationship })
        pair(new.topSlots { $0.kind.isAttribute }, old.topSlots { $0.kind.isAttribute })
        for slot in new.slots where slot.kind == .composite {
            guard let former = sources[slot.index], former.kind == .composite else { continue }
            let (elements, formers) = (slot.elements.map { new.slots[$0] }, former.elements.map { old.slots[$0] })
            pair(elements, formers, below: (slot, former))
        }
        // A composite has no place of its own: its elements have.
        sources = sources.filter { new.slots[$0.key].kind != .composite }
    }

    private mutating func pair(
        _ new: [PropertySlot], _ old: [PropertySlot], below composites: (new: PropertySlot, old: PropertySlot)? = nil
    ) {
        let names = new.map { $0.renamingName(below: composites?.new) }
        let match = RenamingMatch(of: names, in: old.map { $0.renamingName(below: composites?.old) })
        for (slot, source) in zip(new, match.sources) { sources[slot.index] = source.map { old[$0] } }
    }
}

extension EntityLayout {
    /// The slots of which a store has something: a column, or pairs.
    var storedSlots: [PropertySlot] { slots.filter { $0.isStoredInRow || $0.kind.isToMany && !$0.isTransient } }

    /// The stored properties that are no elements of others.
    fileprivate func topSlots(where isWanted: (PropertySlot) -> Bool) -> [PropertySlot] {
        let elements = Set(slots.flatMap(\.elements))
        return slots.filter {
            isWanted($0) && !elements.contains($0.index) && !$0.isTransient && $0.kind != .undefined
        }
    }
}

extension PropertySlot {
    /// - Parameter composite: The attribute that the slot is an element of; nil where it is none.
    fileprivate func renamingName(below composite: PropertySlot?) -> RenamingMatch.Name {
        guard let composite else { return .init(name, identifier: property.renamingIdentifier) }
        let path = pathBelow(composite)
        let former = path.dropLast() + [property.renamingIdentifier ?? lastName]
        return .init(path.joined(separator: "."), identifier: former.joined(separator: "."))
    }
}
