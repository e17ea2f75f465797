import PropertyLists

extension Model {
    /// How many properties the entities of a model may have together, each entity with those that it inherits.
    ///
    /// Version hashes, model caches in stores and generated classes repeat what an entity inherits. In a line of 20,000
    /// parents with an attribute each these are 200 million properties.
    package static let mostProperties = 1_000_000

    /// Why the model is too large to be compiled; nil if it is not.
    package var excess: Sentence? {
        let positions = Dictionary(entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var counts = [Int?](repeating: nil, count: entities.count)
        var (total, mark) = (0, [Int](repeating: -1, count: entities.count))
        for start in entities.indices {
            var line: [Int] = []
            var next: Int? = start
            // A circle of parents ends where it closes; it is reported elsewhere.
            while let index = next, counts[index] == nil, mark[index] != start {
                mark[index] = start
                line.append(index)
                next = entities[index].parentName.flatMap { positions[$0] }
            }
            var count = next.flatMap { counts[$0] } ?? 0
            for index in line.reversed() {
                let entity = entities[index]
                count += entity.attributes.count + entity.relationships.count + entity.fetchedProperties.count
                counts[index] = count
                total += count
                if total > Self.mostProperties {
                    return
                        "The entities have more than \(Self.mostProperties) properties together, inherited ones counted at each entity. That is too much to compile; move properties from parents to the entities that need them."
                }
            }
        }
        return nil
    }
}
