import ModelFormat

/// Says in words what the hashes of a model's entities are made of.
struct StorageFacts {
    private let model: Model

    init(_ model: Model) {
        self.model = model
    }

    /// The facts of an entity in a settled order; transient and fetched properties have no part in its hash.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) where a derivation's format is wrong.
    func facts(of entity: Model.Entity) throws -> [ModelLock.Fact] {
        var facts: [ModelLock.Fact] = []
        if let parent = entity.parentName { facts.append(.init(kind: .parent, detail: parent)) }
        if entity.isAbstract { facts.append(.init(kind: .abstract, detail: "")) }
        if let modifier = entity.versionHashModifier {
            facts.append(.init(kind: .modifier, detail: modifier.debugDescription))
        }
        facts += entity.uniquenessConstraints.map { $0.names.joined(separator: ", ") }.sorted(by: precedes)
            .map { .init(kind: .unique, detail: $0) }
        facts += try entity.attributes.filter { !$0.isTransient }.sorted { precedes($0.name, $1.name) }
            .map { .init(kind: .attribute, property: $0.name, detail: try detail($0)) }
        facts += entity.relationships.filter { !$0.isTransient }.sorted { precedes($0.name, $1.name) }
            .map { .init(kind: .relationship, property: $0.name, detail: detail($0)) }
        return facts
    }

    // MARK: Properties

    private func detail(_ attribute: Model.Attribute) throws -> String {
        if let derivation = attribute.derivationExpression {
            let filter = attribute.derivationFilterPredicate.map { " where \($0.debugDescription)" } ?? ""
            return "derived from \(try PropertyHasher.canonicalDerivation(derivation, of: attribute))" + filter
        }
        if let name = attribute.compositeName {
            let elements = model.composites.first { $0.name == name }?.elements ?? []
            let parts = try elements.filter { !$0.isTransient }.sorted { precedes($0.name, $1.name) }
                .map { "\($0.name) \(try detail($0))" }
            return "composite (\(parts.joined(separator: "; ")))"
        }
        var parts = [attribute.type.title]
        if attribute.allowsExternalBinaryDataStorage { parts.append("external storage") }
        if attribute.preservesValueInHistoryOnDeletion { parts.append("preserved after deletion") }
        return (parts + flags(attribute.isOptional, attribute.isReadOnly, attribute.versionHashModifier))
            .joined(separator: ", ")
    }

    private func detail(_ relationship: Model.Relationship) -> String {
        let destination = relationship.destinationName ?? "nothing"
        var parts: [String] =
            switch relationship.maxCount {
            case 1: ["to one \(destination)"]
            case 0: ["to many \(destination)"]
            case let count: ["to at most \(count) \(destination)"]
            }
        if relationship.minCount != 0 { parts.append("at least \(relationship.minCount)") }
        if relationship.isOrdered { parts.append("ordered") }
        parts.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
        return (parts + flags(relationship.isOptional, relationship.isReadOnly, relationship.versionHashModifier))
            .joined(separator: ", ")
    }

    private func flags(_ isOptional: Bool, _ isReadOnly: Bool, _ modifier: String?) -> [String] {
        [
            isOptional ? "optional" : nil, isReadOnly ? "read-only" : nil,
            modifier.map { "modifier \($0.debugDescription)" },
        ]
        .compactMap { $0 }
    }
}
