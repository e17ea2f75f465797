import ModelDocument

extension Model {
    /// The entities in the order in which everything is printed.
    var entitiesByName: [Entity] { entities.sorted { $0.name.precedesByCodePoint($1.name) } }
}
