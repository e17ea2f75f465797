import PropertyLists

/// Looks for what is wrong with one model; each concern is an extension.
struct ModelChecker {
    let model: Model
    /// The first entity of each name.
    let entities: [String: Model.Entity]
    private(set) var found: [Model.Diagnostic] = []
    let inheritance: InheritanceTree
    /// The composites by their names, the first of each.
    let composites: [String: Model.Composite]
    /// The configurations of each entity.
    let configurations: [String: Set<String>]

    static func diagnostics(of model: Model) -> [Model.Diagnostic] {
        var checker = ModelChecker(model)
        checker.checkEntities()
        checker.checkFetchRequests()
        checker.checkConfigurations()
        checker.checkComposites()
        checker.checkCloudKit()
        return checker.found.sorted(by: Model.Diagnostic.precedes)
    }

    private init(_ model: Model) {
        self.model = model
        entities = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
        inheritance = InheritanceTree(model)
        composites = Dictionary(model.composites.map { ($0.name, $0) }) { first, _ in first }
        configurations = model.configurations.reduce(into: [:]) { members, configuration in
            for name in configuration.entityNames { members[name, default: []].insert(configuration.name) }
        }
    }

    /// Notes a finding.
    mutating func report(_ code: Model.DiagnosticCode, _ message: Sentence, _ place: Place) {
        found.append(
            Model.Diagnostic(code, message.text, at: place.path, entity: place.entity, property: place.property))
    }

    /// An element, by its path and by its names.
    struct Place {
        var path = Model.ElementPath.model
        var entity: String?
        var property: String?

        /// The place of an element inside of this one.
        func child(_ name: String, _ index: Int) -> Place {
            Place(path: path.child(name, index), entity: entity, property: property)
        }

        /// The place of a property of this entity.
        func property(_ element: String, _ index: Int, _ name: String) -> Place {
            Place(path: path.child(element, index), entity: entity, property: name)
        }

        /// `Player.team`, as sentences name it.
        var title: String {
            [entity, property].compactMap { $0 }.joined(separator: ".")
        }
    }
}

// MARK: - Entities and what they have

extension ModelChecker {
    /// A property that an entity has or inherits.
    func property(_ name: String, of entity: Model.Entity) -> Property? {
        guard let position = inheritance.positions[entity.name], let owner = inheritance.owner(of: name, in: position)
        else { return nil }
        let entity = model.entities[owner.entity]
        return switch owner.element {
        case .attribute(let index): .attribute(entity.attributes[index])
        case .relationship(let index): .relationship(entity.relationships[index])
        case .fetchedProperty(let index): .fetched(entity.fetchedProperties[index])
        }
    }

    enum Property {
        case attribute(Model.Attribute)
        case relationship(Model.Relationship)
        case fetched(Model.FetchedProperty)
    }

    /// Whether one of the entities inherits from the other, or they are the same.
    func areRelated(_ one: String, _ other: String) -> Bool {
        guard let first = inheritance.positions[one], let second = inheritance.positions[other] else { return false }
        return inheritance.areRelated(first, second)
    }
}
