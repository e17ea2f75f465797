/// Looks for what is wrong with one model; each concern is an extension.
struct ModelChecker {
    let model: Model
    /// The first entity of each name.
    let entities: [String: Model.Entity]
    private(set) var found: [Model.Diagnostic] = []

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
    }

    /// Notes a finding.
    mutating func report(_ code: Model.DiagnosticCode, _ message: String, _ place: Place) {
        found.append(
            Model.Diagnostic(code, message, at: place.path, entity: place.entity, property: place.property))
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
    /// The entity and its ancestors, from the bottom up; a circle is walked once, an unknown parent ends it.
    func lineage(of entity: Model.Entity) -> [Model.Entity] {
        var result = [entity]
        var names: Set = [entity.name]
        while let name = result[result.count - 1].parentName, names.insert(name).inserted,
            let parent = entities[name]
        {
            result.append(parent)
        }
        return result
    }

    /// A property that an entity has or inherits.
    func property(_ name: String, of entity: Model.Entity) -> Property? {
        for owner in lineage(of: entity) {
            if let attribute = owner[attribute: name] { return .attribute(attribute) }
            if let relationship = owner[relationship: name] { return .relationship(relationship) }
            if let fetched = owner[fetchedProperty: name] { return .fetched(fetched) }
        }
        return nil
    }

    enum Property {
        case attribute(Model.Attribute)
        case relationship(Model.Relationship)
        case fetched(Model.FetchedProperty)
    }

    /// Whether one of the entities inherits from the other, or they are the same.
    func areRelated(_ one: String, _ other: String) -> Bool {
        guard let first = entities[one], let second = entities[other] else { return false }
        return lineage(of: first).contains { $0.name == other } || lineage(of: second).contains { $0.name == one }
    }
}
