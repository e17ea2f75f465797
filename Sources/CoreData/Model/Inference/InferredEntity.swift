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
    /// The attributes that have become composites, and the composites that have become another attribute.
    let reshaped: [ReshapedAttribute]

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
            (properties, removedSlots, reshaped) = ([], source?.storedSlots ?? [], [])
            return
        }
        let pairing = PropertyPairing(of: destination, in: source)
        let sources = pairing.sources
        reshaped = pairing.reshaped
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

extension EntityLayout {
    /// The slots of which a store has something: a column, or pairs.
    var storedSlots: [PropertySlot] { slots.filter { $0.isStoredInRow || $0.kind.isToMany && !$0.isTransient } }
}
