import ModelDocument

extension Model {
    /// The entities in the order in which everything is printed.
    package var entitiesByName: [Entity] { entities.sorted { $0.name.precedesByCodePoint($1.name) } }
}
