import FoundationGaps

/// An entity's properties by name, inherited ones included.
struct PropertyTables {
    let properties: [String: NSPropertyDescription]
    let attributes: [String: NSAttributeDescription]
    let relationships: [String: NSRelationshipDescription]

    init(_ list: [NSPropertyDescription]) {
        properties = Dictionary(list.map { ($0.name, $0) }) { _, last in last }
        attributes = properties.compactMapValues { $0 as? NSAttributeDescription }
        relationships = properties.compactMapValues { $0 as? NSRelationshipDescription }
    }
}

extension NSEntityDescription {
    /// See ``subentitiesByName``.
    var namedSubentities: [String: NSEntityDescription] {
        Dictionary(subentities.map { ($0.name ?? "", $0) }) { _, last in last }
    }

    /// See ``relationships(forDestination:)``.
    func relationships(leadingTo entity: NSEntityDescription) -> [NSRelationshipDescription] {
        properties.compactMap { $0 as? NSRelationshipDescription }.filter { relationship in
            relationship.destinationEntity.map { entity.isKindOf(entity: $0) } ?? false
        }
    }

    /// The uniqueness constraints as names, inherited ones first.
    package var allUniquenessConstraintNames: [[String]] {
        (superentity?.allUniquenessConstraintNames ?? []) + uniquenessConstraints.map(names)
    }

    /// The names of a list of properties, given by name or by description.
    ///
    /// Traps if the list holds anything else.
    func names(_ list: [Any]) -> [String] {
        list.map { element in
            switch element {
            case let name as String: return name
            case let property as NSPropertyDescription: return property.name
            default:
                programmerError(
                    "A constraint or index of the entity \"\(name ?? "")\" lists \(element); list names or descriptions of properties."
                )
            }
        }
    }
}
