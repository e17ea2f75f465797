import ModelFormat

/// The order in which the runtime keeps the properties of an entity.
///
/// An entity's layout is its parent's, then its own properties of every kind by name, in code point order.
struct Layout {
    /// The index of each property, by name.
    private(set) var slots: [String: Int] = [:]

    /// Adds the properties of an entity, after those of its parent.
    mutating func add(_ entity: Model.Entity) {
        let names =
            entity.attributes.map(\.name) + entity.relationships.map(\.name) + entity.fetchedProperties.map(\.name)
        let sorted = names.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
        for name in sorted where slots[name] == nil { slots[name] = slots.count }
    }
}
