import ModelFormat

/// A model's entities and what each inherits; made of sound models only.
struct EntityLineage {
    /// The entities in the order of their names.
    let sorted: [Model.Entity]
    private var known: [String: EntityProperties] = [:]
    private let byName: [String: Model.Entity]
    private let childrenByName: [String: [Model.Entity]]

    /// - Throws: `CocoaError.fileWriteUnknown` (512) where names of entities or of an entity's properties repeat,
    ///   parents are missing or form a circle, or there are more than `Model.mostProperties`.
    init(_ model: Model) throws {
        if let excess = model.excess { throw unwritableValue(excess) }
        sorted = model.entities.sorted { $0.name < $1.name }
        byName = try Dictionary(sorted.map { ($0.name, $0) }) { entity, _ in
            throw unwritableValue("The model has two entities named “\(entity.name)”.")
        }
        childrenByName = Dictionary(grouping: sorted.filter { $0.parentName != nil }) { $0.parentName ?? "" }
        for entity in sorted {
            var line: [Model.Entity] = []
            var next: Model.Entity? = entity
            while let current = next, known[current.name] == nil {
                guard line.count < sorted.count else {
                    throw unwritableValue("The entity “\(entity.name)” is its own ancestor.")
                }
                line.append(current)
                next = try current.parentName.map { name in
                    guard let parent = byName[name] else {
                        throw unwritableValue(
                            "The entity “\(current.name)” inherits from “\(name)”, which the model lacks.")
                    }
                    return parent
                }
            }
            for entity in line.reversed() {
                var properties = entity.parentName.flatMap { known[$0] } ?? EntityProperties()
                try properties.add(entity)
                known[entity.name] = properties
            }
        }
    }

    /// Own and inherited properties.
    func properties(of entity: Model.Entity) -> EntityProperties {
        known[entity.name] ?? EntityProperties()
    }

    /// The entities right below one, in the order of their names.
    func children(of name: String) -> [Model.Entity] { childrenByName[name] ?? [] }

    /// Own properties alone.
    func ownProperties(of entity: Model.Entity) -> EntityProperties {
        EntityProperties(own: entity)
    }

    /// The names of an entity and its ancestors, from the bottom up; none for an entity that the model lacks.
    func line(from name: String) -> some Sequence<String> {
        sequence(first: name) { byName[$0]?.parentName }.lazy.filter { byName[$0] != nil }
    }
}

/// The properties of an entity, inherited ones included.
struct EntityProperties {
    /// The names of all, sorted.
    private(set) var names: [String] = []
    private(set) var attributes: [(name: String, value: Model.Attribute)] = []
    private(set) var relationships: [(name: String, value: Model.Relationship)] = []
    private(set) var fetchedProperties: [(name: String, value: Model.FetchedProperty)] = []

    init() {}

    fileprivate init(own entity: Model.Entity) {
        append(entity)
    }

    fileprivate mutating func add(_ entity: Model.Entity) throws {
        append(entity)
        for (name, next) in zip(names, names.dropFirst()) where name == next {
            throw unwritableValue("The entity “\(entity.name)” has or inherits two properties named “\(name)”.")
        }
    }

    private mutating func append(_ entity: Model.Entity) {
        attributes += entity.attributes.map { ($0.name, $0) }
        relationships += entity.relationships.map { ($0.name, $0) }
        fetchedProperties += entity.fetchedProperties.map { ($0.name, $0) }
        names = (attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)).sorted()
        attributes.sort { $0.name < $1.name }
        relationships.sort { $0.name < $1.name }
        fetchedProperties.sort { $0.name < $1.name }
    }
}
