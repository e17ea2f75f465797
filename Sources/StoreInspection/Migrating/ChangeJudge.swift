import CoreData
import ModelArchive
import ModelDocument

/// Tells what each change between two models means for stores, by the mapping that the framework infers.
struct ChangeJudge {
    /// Layouts do not keep their entities alive: the models do.
    private let mapping: InferredMapping
    private let isSame: Bool

    var obstacles: [InferenceObstacle] { isSame ? [] : mapping.obstacles }

    /// - Throws: `ModelDocumentError`, or a Cocoa error, for a model that no store can be opened with.
    init(from old: Model, to new: Model) throws {
        // What has no version hashes can't be asked for any.
        for model in [old, new] { _ = try VersionHashes(model) }
        let (source, destination) = (
            try NSManagedObjectModel(document: old.withoutClasses),
            try NSManagedObjectModel(document: new.withoutClasses)
        )
        mapping = InferredMapping(from: source, to: destination)
        isSame = source.entityVersionHashesByName == destination.entityVersionHashesByName
    }

    /// What stores need for all changes together.
    var need: StoreNeed {
        isSame ? .nothing : StoreNeed(obstacles, otherwise: .lightweight) { $0.sentence }
    }

    /// What stores need for a change.
    func need(of change: ModelComparison.Change) -> StoreNeed {
        let own = obstacles.filter { isAbout($0, change) }
        return StoreNeed(own, otherwise: isStored(change) ? .lightweight : .nothing) { $0.reason }
    }

    /// Whether an obstacle comes from a change.
    func isAbout(_ obstacle: InferenceObstacle, _ change: ModelComparison.Change) -> Bool {
        switch change.element {
        case .entity: return obstacle.property == nil && obstacle.entity == change.name
        case .attribute where isOfComposite(change):
            return composites(named: change.owner ?? "").contains {
                $0.entity == obstacle.entity && "\($0.property).\(change.name)" == obstacle.property
            }
        case .attribute, .relationship:
            guard obstacle.entity == change.owner, let property = obstacle.property else { return false }
            return property == change.name || property.hasPrefix(change.name + ".")
        default: return false
        }
    }

    // MARK: Whether a change is one of version hashes

    private func isStored(_ change: ModelComparison.Change) -> Bool {
        if isSame { return false }
        switch change.element {
        case .entity: return change.kind != .changed || isOtherwise(entity: change.name)
        case .uniquenessConstraint: return true
        case .attribute where isOfComposite(change): return isOtherwise(element: change)
        case .attribute, .relationship: return isOtherwise(property: change)
        default: return false
        }
    }

    private func pair(_ entity: String?) -> InferredEntity? {
        mapping.entities.first { ($0.destination ?? $0.source)?.name == entity }
    }

    private func isOtherwise(entity: String) -> Bool {
        guard let pair = pair(entity), let old = pair.source, let new = pair.destination else { return false }
        let parent = old.parent.flatMap { mapping.entity(from: $0)?.destination }
        return old.isAbstract != new.isAbstract || parent !== new.parent || (old.parent == nil) != (new.parent == nil)
            || old.entity.versionHashModifier ?? "" != new.entity.versionHashModifier ?? ""
    }

    private func isOtherwise(property change: ModelComparison.Change) -> Bool {
        let pair = pair(change.owner)
        let before = change.kind == .added ? nil : pair?.source?.entity[stored: change.formerName ?? change.name]
        let now = change.kind == .removed ? nil : pair?.destination?.entity[stored: change.name]
        return before?.versionHash != now?.versionHash
    }

    // MARK: Composites

    /// Whether a change is one of the definition of a composite: such elements belong to no entity.
    private func isOfComposite(_ change: ModelComparison.Change) -> Bool {
        mapping.entities.allSatisfy { $0.source?.name != change.owner && $0.destination?.name != change.owner }
    }

    /// The attributes of the new model that are composites of a name.
    private func composites(named name: String) -> [(entity: String, property: String)] {
        mapping.entities.compactMap(\.destination).flatMap { layout in
            layout.entity.composites(named: name).map { (layout.name, $0.name) }
        }
    }

    private func isOtherwise(element change: ModelComparison.Change) -> Bool {
        let name = change.owner ?? ""
        let old = mapping.entities.compactMap(\.source).lazy.flatMap { $0.entity.composites(named: name) }.first
        let new = mapping.entities.compactMap(\.destination).lazy.flatMap { $0.entity.composites(named: name) }.first
        return old?[stored: change.name]?.versionHash != new?[stored: change.name]?.versionHash
    }
}

extension NSEntityDescription {
    /// A property that stores have.
    fileprivate subscript(stored name: String) -> NSPropertyDescription? {
        propertiesByName[name].flatMap { $0.isTransient ? nil : $0 }
    }

    fileprivate func composites(named name: String) -> [NSCompositeAttributeDescription] {
        propertiesByName.values.compactMap { $0 as? NSCompositeAttributeDescription }.filter {
            $0.compositeName == name
        }
    }
}

extension NSCompositeAttributeDescription {
    fileprivate subscript(stored name: String) -> NSAttributeDescription? {
        elements.first { $0.name == name && !$0.isTransient }
    }
}

extension Model {
    /// The model with plain objects: classes are the app's.
    package var withoutClasses: Model {
        var model = self
        for entity in model.entities.indices { model.entities[entity].representedClass = nil }
        return model
    }
}
