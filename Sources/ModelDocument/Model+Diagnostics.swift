extension Model {
    /// A warning about a model that works, but not as one expects.
    public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
        /// The two kinds that Xcode tells apart.
        public enum Kind: String, Sendable, Hashable {
            case misconfiguredProperty = "Misconfigured Property"
            case consistencyError = "Consistency Error"
        }

        public var kind: Kind
        public var entityName: String
        public var propertyName: String
        /// What is the matter, without the kind.
        public var message: String

        public var description: String { "\(kind.rawValue): \(message)" }
    }

    /// What Xcode would warn of in this model, in the order of its entities.
    ///
    /// A relationship without an inverse gives both kinds of warning, as does one whose inverse does not point back.
    /// Neither keeps a model from working; what deleting and moving objects then leaves behind is up to the program.
    public var diagnostics: [Diagnostic] {
        entities.flatMap { entity in
            entity.relationships.flatMap { diagnostics(of: $0, in: entity) }
        }
    }

    private func diagnostics(of relationship: Relationship, in entity: Entity) -> [Diagnostic] {
        let name = "\(entity.name).\(relationship.name)"
        guard let inverseName = relationship.inverseName, let destination = relationship.destinationName else {
            return [
                Diagnostic(
                    kind: .misconfiguredProperty, entityName: entity.name, propertyName: relationship.name,
                    message: "\(name) should have an inverse"),
                Diagnostic(
                    kind: .consistencyError, entityName: entity.name, propertyName: relationship.name,
                    message:
                        "\(name) does not have an inverse; this is an advanced setting: deleting its destination leaves the relationship dangling"
                ),
            ]
        }
        guard !isInverse(of: relationship, in: entity, named: inverseName, destination: destination) else { return [] }
        let inverse = "\(destination).\(inverseName)"
        return [
            Diagnostic(
                kind: .misconfiguredProperty, entityName: entity.name, propertyName: relationship.name,
                message: "\(name) has the inverse \(inverse), which should have \(name) as its inverse"),
            Diagnostic(
                kind: .consistencyError, entityName: entity.name, propertyName: relationship.name,
                message:
                    "\(name) and \(inverse) are not each other's inverse; a change of one will not change the other"),
        ]
    }

    private func isInverse(
        of relationship: Relationship, in entity: Entity, named inverseName: String, destination: String
    ) -> Bool {
        let owners = lineage(of: destination)
        guard let owner = owners.first(where: { $0.relationships.contains { $0.name == inverseName } }),
            let inverse = owner.relationships.first(where: { $0.name == inverseName }),
            inverse.inverseName == relationship.name, let back = inverse.destinationName
        else { return false }
        return lineage(of: entity.name).contains { $0.name == back }
            || lineage(of: back).contains { $0.name == entity.name }
    }

    /// The entity of that name and its parents, from the bottom up; a circle of parents is walked once.
    func lineage(of name: String) -> [Entity] {
        var result: [Entity] = []
        var next: String? = name
        while let name = next, let entity = entity(named: name), !result.contains(where: { $0.name == name }) {
            result.append(entity)
            next = entity.parentName
        }
        return result
    }
}
