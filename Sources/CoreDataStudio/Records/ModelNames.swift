import ModelDocument

/// What the names in one version stand for: models refer to elements by name, records by identifier.
struct ModelNames: Sendable {
    let model: Model
    let tree: VersionTree
    private let entities: [String: Int]

    init(_ model: Model, _ tree: VersionTree) {
        self.model = model
        self.tree = tree
        entities = Dictionary(model.entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    // MARK: - From names to identifiers

    func entityID(_ name: String?) -> ElementID? {
        name.flatMap { entities[$0] }.flatMap { tree.id(at: .model.child(.entity, $0)) }
    }

    func compositeID(_ name: String?) -> ElementID? {
        guard let name, let index = model.composites.firstIndex(where: { $0.name == name }) else { return nil }
        return tree.id(at: .model.child(.composite, index))
    }

    /// The entity of a name and its parents, from the bottom up; a circle is walked once.
    func lineage(_ name: String?) -> [Int] {
        var result: [Int] = []
        var next = name
        while let index = next.flatMap({ entities[$0] }), !result.contains(index) {
            result.append(index)
            next = model.entities[index].parentName
        }
        return result
    }

    /// Where a relationship is that an entity has or inherits.
    func relationship(_ name: String?, seenFrom entity: String?) -> ElementPlace? {
        guard let name else { return nil }
        for owner in lineage(entity) {
            if let index = model.entities[owner].relationships.firstIndex(where: { $0.name == name }) {
                return .model.child(.entity, owner).child(.relationship, index)
            }
        }
        return nil
    }

    /// The identifier of a property of any kind that an entity has or inherits.
    func propertyID(_ name: String?, seenFrom entity: String) -> ElementID? {
        guard let name else { return nil }
        for owner in lineage(entity) {
            let (values, place) = (model.entities[owner], ElementPlace.model.child(.entity, owner))
            if let index = values.attributes.firstIndex(where: { $0.name == name }) {
                return tree.id(at: place.child(.attribute, index))
            }
            if let index = values.relationships.firstIndex(where: { $0.name == name }) {
                return tree.id(at: place.child(.relationship, index))
            }
            if let index = values.fetchedProperties.firstIndex(where: { $0.name == name }) {
                return tree.id(at: place.child(.fetchedProperty, index))
            }
        }
        return nil
    }

    // MARK: - From identifiers to names

    /// The name of the entity that a request names by identifier; null is none.
    func entityName(_ value: JSON, field: String) throws -> String? {
        try element(value, .entity, field: field).map { model.entities[$0.index].name }
    }

    func compositeName(_ value: JSON, field: String) throws -> String? {
        try element(value, .composite, field: field).map { model.composites[$0.index].name }
    }

    private func element(_ value: JSON, _ kind: ElementKind, field: String) throws -> ElementPlace? {
        guard value != .null else { return nil }
        guard let text = value.text else {
            throw StudioError(.invalidRequest, "The field ‘\(field)’ takes an identifier or null.")
        }
        guard let place = tree.places[ElementID(rawValue: text)] else {
            throw StudioError(.unknownElement, "There is no element ‘\(text)’ in this version.")
        }
        guard place.kind == kind else {
            throw StudioError(.invalidRequest, "‘\(text)’ is no \(kind.title.lowercased()).")
        }
        return place
    }
}
