import CoreData

/// Makes sure that a model's rows can be spread over nodes as its user info says.
struct PostgreSQLDistributionCheck {
    private let names: PostgreSQLNames
    private let model: ModelLayout
    private static let kinds: Set<SlotKind> = [.string, .int16, .int32, .int64, .uuid]

    init(_ names: PostgreSQLNames, _ model: ModelLayout) { (self.names, self.model) = (names, model) }

    /// - Parameter layouts: The store's entities.
    /// - Throws: 134020, which names the entity and what it lacks.
    func run(_ layouts: [EntityLayout]) throws {
        if names.distributions.isEmpty { return }
        guard !names.isMapped else {
            throw PostgreSQLNames.refusal("Tables that another program has made can’t have a distribution key.")
        }
        var first: PropertySlot?
        for layout in layouts {
            guard let slot = try slot(of: layout) else { continue }
            if let first, first.kind != slot.kind {
                throw PostgreSQLNames.refusal(
                    "The distribution keys “\(first.name)” and “\(slot.name)” are of two types: \(first.kind) and \(slot.kind)."
                )
            }
            first = slot
            try checkConstraints(of: layout, slot)
        }
        for layout in layouts where !isSpread(layout) { try checkToOnes(of: layout) }
    }

    private func isSpread(_ layout: EntityLayout) -> Bool {
        names.distributions[model[layout.rootNumber].name] != nil
    }

    /// The attribute that rows of the entity's tree are spread by; nil for an entity that all nodes have.
    private func slot(of layout: EntityLayout) throws -> PropertySlot? {
        guard let name = names.distributions[layout.name] else {
            let root = model[layout.rootNumber]
            return names.distributions[root.name].flatMap { root.slot(named: $0) }
        }
        guard layout.parent == nil else {
            throw PostgreSQLNames.refusal("\(layout.name) has a parent: its root entity says the distribution key.")
        }
        guard let slot = layout.slot(named: name), slot.isStoredInRow, Self.kinds.contains(slot.kind),
            !slot.isOptional, !(slot.property is NSDerivedAttributeDescription)
        else {
            throw PostgreSQLNames.refusal(
                "The distribution key “\(name)” of \(layout.name) is no attribute that is stored, not optional, and a string, an integer or a UUID."
            )
        }
        return slot
    }

    /// A node can't see the values that others have.
    private func checkConstraints(of layout: EntityLayout, _ slot: PropertySlot) throws {
        for constraint in layout.ownUniquenessConstraints where !constraint.contains(slot.name) {
            throw PostgreSQLNames.refusal(
                "The uniqueness constraint \(constraint.joined(separator: ", ")) of \(layout.name) lacks the distribution key “\(slot.name)”."
            )
        }
    }

    /// A row that all nodes have can't lead to one that a single node has.
    private func checkToOnes(of layout: EntityLayout) throws {
        for slot in layout.slots[(layout.parent?.slots.count ?? 0)...]
        where slot.kind == .toOne && slot.isStoredInRow && isSpread(model[slot.destination]) {
            throw PostgreSQLNames.refusal(
                "\(layout.name).\(slot.name) leads to an entity with a distribution key, and \(layout.name) has none.")
        }
    }
}
