import ModelDocument

extension Model {
    /// The entities in the order in which everything is printed.
    var entitiesByName: [Entity] { entities.sorted { $0.name.precedesByCodePoint($1.name) } }

    /// The entity, its parent, and so on. In a damaged model whose parents go in a circle it ends where that closes.
    func lineage(of name: String) -> [Entity] {
        var lineage: [Entity] = []
        var next = entity(named: name)
        while let current = next, !lineage.contains(where: { $0.name == current.name }) {
            lineage.append(current)
            next = current.parentName.flatMap(entity(named:))
        }
        return lineage
    }
}
