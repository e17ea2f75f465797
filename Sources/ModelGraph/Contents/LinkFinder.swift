import ModelDocument

/// Finds the links of a model: a relationship and its inverse are one.
struct LinkFinder {
    private let model: Model
    private let boxes: [String: Int]
    /// The positions of the relationships of each entity by their names.
    private let relationships: [[String: Int]]

    init(_ model: Model) {
        self.model = model
        boxes = Dictionary(
            model.entities.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
        relationships = model.entities.map { entity in
            Dictionary(entity.relationships.enumerated().map { ($1.name, $0) }) { first, _ in first }
        }
    }

    /// The links, in the order of the entities and their relationships. What refers to an entity that is not there has
    /// none.
    func links() -> [Diagram.Link] {
        model.entities.indices.flatMap { index in
            inheritance(of: index) + model.entities[index].relationships.indices.compactMap { link(index, $0) }
        }
    }

    private func inheritance(of index: Int) -> [Diagram.Link] {
        let entity = model.entities[index]
        guard entity.parentName != entity.name, let parent = entity.parentName.flatMap({ boxes[$0] }) else { return [] }
        let source = Diagram.End(box: index, row: nil, arrow: nil, departure: nil)
        let arrow = Diagram.Arrow(isToMany: false, isOptional: false)
        let target = Diagram.End(box: parent, row: nil, arrow: arrow, departure: nil)
        return [Diagram.Link(kind: .inheritance, source: source, target: target)]
    }

    private func link(_ entity: Int, _ index: Int) -> Diagram.Link? {
        let relationship = model.entities[entity].relationships[index]
        guard let inverse = inverse(of: relationship, in: entity) else {
            return relationship.destinationName.flatMap { boxes[$0] }.map { destination in
                let target = Diagram.End(box: destination, row: nil, arrow: arrow(relationship), departure: nil)
                return Diagram.Link(
                    kind: .relationship, source: end(entity, index, arrow: nil), target: target)
            }
        }
        let isItsOwn = inverse.entity == entity && inverse.index == index
        if isItsOwn {
            let target = Diagram.End(box: entity, row: nil, arrow: arrow(relationship), departure: nil)
            return Diagram.Link(kind: .relationship, source: end(entity, index, arrow: nil), target: target)
        }
        // The pair is drawn once, from the one of the two that comes first.
        guard (entity, index) < (inverse.entity, inverse.index) else { return nil }
        let back = model.entities[inverse.entity].relationships[inverse.index]
        return Diagram.Link(
            kind: .relationship, source: end(entity, index, arrow: arrow(back)),
            target: end(inverse.entity, inverse.index, arrow: arrow(relationship)))
    }

    private func arrow(_ relationship: Model.Relationship) -> Diagram.Arrow {
        Diagram.Arrow(isToMany: relationship.isToMany, isOptional: relationship.isOptional)
    }

    private func end(_ entity: Int, _ index: Int, arrow: Diagram.Arrow?) -> Diagram.End {
        let relationship = model.entities[entity].relationships[index]
        return Diagram.End(
            box: entity, row: model.entities[entity].attributes.count + index, arrow: arrow,
            departure: Diagram.Departure(name: relationship.name, deleteRule: relationship.deleteRule))
    }

    /// The inverse, where it is there and refers back.
    private func inverse(of relationship: Model.Relationship, in entity: Int) -> (entity: Int, index: Int)? {
        guard let name = relationship.inverseName,
            let owner = (relationship.inverseEntityName ?? relationship.destinationName).flatMap({ boxes[$0] }),
            let index = relationships[owner][name]
        else { return nil }
        let back = model.entities[owner].relationships[index]
        let entityName = model.entities[entity].name
        let refersBack =
            back.inverseName == relationship.name
            && (back.inverseEntityName ?? back.destinationName) == entityName
        return refersBack ? (owner, index) : nil
    }
}
