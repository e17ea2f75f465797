import ModelDocument

/// An attribute with a value of its own: a plain one, or an element of a composite attribute by its path.
struct StoredAttribute {
    let path: String
    let attribute: Model.Attribute
    let isOptional: Bool

    /// All of an entity's own.
    static func all(of entity: Model.Entity, in model: Model) -> [StoredAttribute] {
        entity.attributes.flatMap { elements($0, "", false, model, []) }
    }

    /// - Parameter seen: The composites around the attribute: one that has itself in it ends there.
    private static func elements(
        _ attribute: Model.Attribute, _ prefix: String, _ isOptional: Bool, _ model: Model, _ seen: Set<String>
    ) -> [StoredAttribute] {
        let path = prefix + attribute.name
        let isOptional = isOptional || attribute.isOptional
        guard attribute.type == .composite, let name = attribute.compositeName, !seen.contains(name),
            let composite = model.composites.first(where: { $0.name == name })
        else { return [StoredAttribute(path: path, attribute: attribute, isOptional: isOptional)] }
        return composite.elements.flatMap { elements($0, path + ".", isOptional, model, seen.union([name])) }
    }

    /// The type in one word.
    var typeName: String {
        switch attribute.type {
        case .undefined: "undefined"
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .decimal: "decimal"
        case .double: "double"
        case .float: "float"
        case .string: "string"
        case .boolean: "boolean"
        case .date: "date"
        case .binary: "binary"
        case .uuid: "uuid"
        case .uri: "uri"
        case .transformable: "transformable"
        case .objectID: "objectID"
        case .composite: "composite"
        }
    }

    /// What else the model says of the attribute, in phrases.
    var remarks: [String] {
        var remarks: [String] = []
        if attribute.isTransient { remarks.append("transient, not stored") }
        if attribute.isDerived { remarks.append("derived from \(attribute.derivationExpression ?? "nothing")") }
        let bounds = [
            attribute.minValueString.map { "at least \($0)" }, attribute.maxValueString.map { "at most \($0)" },
            attribute.minDateTimeInterval.map { "from \($0) s after 2001 on" },
            attribute.maxDateTimeInterval.map { "up to \($0) s after 2001" },
            attribute.regularExpressionString.map { "matches \($0)" },
        ]
        remarks += bounds.compactMap { $0 }
        if let name = attribute.valueTransformerName { remarks.append("transformed by \(name)") }
        if attribute.allowsExternalBinaryDataStorage { remarks.append("may be stored outside of the table") }
        return remarks
    }
}

extension Model.Entity {
    /// The names of the attributes and to-ones that are unique for themselves.
    var uniqueNames: Set<String> { Set(uniquenessConstraints.filter { $0.names.count == 1 }.flatMap(\.names)) }
}

extension Model {
    /// The other side of a relationship, if it points back.
    func inverse(of relationship: Relationship, in entity: Entity) -> (entity: Entity, relationship: Relationship)? {
        guard let destination = relationship.destinationName.flatMap({ self.entity(named: $0) }),
            let inverse = relationship.inverseName
        else { return nil }
        let name = relationship.inverseEntityName ?? destination.name
        for owner in [self.entity(named: name), destination].compactMap({ $0 }) {
            if let found = owner.relationships.first(where: { $0.name == inverse }) { return (owner, found) }
        }
        return nil
    }
}

/// Names the pairs of relationships that were met: each is written once.
struct MetRelationships {
    private var known: Set<[String]> = []

    /// - Returns: Whether neither the relationship nor its inverse was met before.
    mutating func meet(
        _ relationship: Model.Relationship, of entity: Model.Entity,
        _ inverse: (entity: Model.Entity, relationship: Model.Relationship)?
    ) -> Bool {
        if known.contains([entity.name, relationship.name]) { return false }
        known.insert([entity.name, relationship.name])
        if let inverse { known.insert([inverse.entity.name, inverse.relationship.name]) }
        return true
    }
}
