import FoundationGaps
import ModelFormat

/// How a store's objects become objects of another version of its model, worked out from the two models alone.
///
/// Entities and properties of the two models are paired by renaming identifiers and names. What is in one model only is
/// new or gone. Some changes can't be made by themselves: they are the ``obstacles``.
package struct InferredMapping {
    package let sourceModel: NSManagedObjectModel
    package let destinationModel: NSManagedObjectModel
    /// The names of the entities that the store holds; nil: all.
    package let sourceEntities: Set<String>?
    /// The entities of the new model by their numbers, then those of the old model that are gone.
    package let entities: [InferredEntity]
    /// What stands against the migration, or may do so for some rows.
    package let obstacles: [InferenceObstacle]

    private let byDestination: [Int32: Int]
    private let bySource: [Int32: Int]

    /// Compares two models. They can't be changed any longer.
    ///
    /// - Parameters:
    ///   - sourceEntities: The names of the entities that the store holds; nil: all.
    ///   - destinationEntities: The names of the entities that it is to hold; nil: all.
    package init(
        from source: NSManagedObjectModel, entities sourceEntities: Set<String>? = nil,
        to destination: NSManagedObjectModel, entities destinationEntities: Set<String>? = nil
    ) {
        (sourceModel, destinationModel, self.sourceEntities) = (source, destination, sourceEntities)
        let pairing = EntityPairing(
            new: destination.seal().trees(of: destinationEntities), old: source.seal().trees(of: sourceEntities))
        entities = pairing.pairs.map { InferredEntity(source: $0.source, destination: $0.destination) }
        byDestination = Self.places(entities, \.destination)
        bySource = Self.places(entities, \.source)
        obstacles = InferenceCheck(entities).obstacles
    }

    /// A mapping without obstacles, whatever the rows of a store are.
    ///
    /// - Throws: `NSInferredMappingModelError` (134190), which names entities and properties.
    package static func unconditional(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) throws -> InferredMapping {
        let mapping = InferredMapping(from: source, to: destination)
        if !mapping.obstacles.isEmpty { throw InferenceObstacle.error(mapping.obstacles) }
        return mapping
    }

    /// What becomes an entity of the new model.
    package func entity(to destination: EntityLayout) -> InferredEntity? {
        byDestination[destination.number].map { entities[$0] }
    }

    /// What an entity of the old model becomes.
    package func entity(from source: EntityLayout) -> InferredEntity? { bySource[source.number].map { entities[$0] } }

    private static func places(
        _ entities: [InferredEntity], _ side: KeyPath<InferredEntity, EntityLayout?>
    ) -> [Int32: Int] {
        Dictionary(
            uniqueKeysWithValues: entities.enumerated().compactMap { place, entity in
                entity[keyPath: side].map { ($0.number, place) }
            })
    }
}

/// The entities of two models, side by side.
private struct EntityPairing {
    let pairs: [(source: EntityLayout?, destination: EntityLayout?)]

    init(new: [EntityLayout], old: [EntityLayout]) {
        let match = RenamingMatch(of: new.map(\.renamingName), in: old.map(\.renamingName))
        let kept = zip(new, match.sources).map { (source: $1.map { old[$0] }, destination: Optional($0)) }
        let taken = Set(match.sources.compactMap { $0 })
        let gone = old.indices.filter { !taken.contains($0) }
        pairs = kept + gone.map { (source: old[$0], destination: nil) }
    }
}

extension EntityLayout {
    fileprivate var renamingName: RenamingMatch.Name { .init(name, identifier: entity.renamingIdentifier) }
}
