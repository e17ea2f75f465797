import FoundationGaps

/// A fetch index that a model lacks.
package struct ProposedFetchIndex {
    package let entity: String
    /// The properties that the index is over.
    package let elements: [(property: String, isAscending: Bool)]
}

/// What an app's developer can do for a fetch, if the database's plan looks at too many rows.
package struct FetchIndexAdvice {
    private let fetch: StoreFetch
    private let advice: SQLIndexAdvice

    /// - Parameter select: The statement of the fetch.
    package init(_ fetch: StoreFetch, _ schema: SQLSchema, _ select: SQLSelect) {
        self.fetch = fetch
        advice = SQLIndexAdvice(select, for: fetch.entity, in: schema)
    }

    /// What there is to say of each fetch index that would help, and why none does where none does.
    ///
    /// - Parameters:
    ///   - looksAtAll: Whether the plan looks at all objects of the entity, to find some.
    ///   - sorts: Whether it sorts what it found.
    ///   - isFound: Whether the objects are found by an index.
    ///   - hasIndex: Whether the database has an index with that name.
    package func findings(
        looksAtAll: Bool, sorts: Bool, isFound: Bool, hasIndex: (String) -> Bool
    ) -> (sentences: [String], indexes: [ProposedFetchIndex]) {
        guard looksAtAll || sorts else { return ([], []) }
        // Found by something else, in another order: an index over the order alone would not find them.
        let useful = advice.indexes.filter {
            looksAtAll || !isFound || $0.elements.count > fetch.sortDescriptors.count
        }
        return (
            useful.map { sentence($0, hasIndex) } + (looksAtAll ? advice.obstacles.map { $0 + "." } : []),
            useful.filter { modelIndex($0.elements) == nil }.map { index in
                ProposedFetchIndex(
                    entity: fetch.entity.name,
                    elements: index.elements.map { (property: $0.property, isAscending: $0.isAscending) })
            }
        )
    }

    private func sentence(_ index: SQLIndexAdvice.Index, _ hasIndex: (String) -> Bool) -> String {
        guard let own = modelIndex(index.elements) else {
            return "A fetch index of \(fetch.entity.name) over \(index.description) would help."
        }
        return hasIndex("Z_\(own.entity)_\(own.name)")
            ? "The index \(own.name) of \(own.entity) is over \(index.description), but the database prefers this way."
            : "The model has the index \(own.name) of \(own.entity) over \(index.description), but the store was made without it."
    }

    /// The model's index over these properties.
    private func modelIndex(_ elements: [SQLIndexAdvice.Element]) -> (entity: String, name: String)? {
        var owner: EntityLayout? = fetch.entity
        while let current = owner {
            let index = current.entity.indexes.first { index in
                index.elements.map(\.propertyName) == elements.map { $0.property }
                    && index.elements.map(\.isAscending) == elements.map(\.isAscending)
                    && index.elements.allSatisfy { $0.collationType == .binary }
            }
            if let index { return (current.name, index.name) }
            owner = current.parent
        }
        return nil
    }
}

extension StoreFetch {
    /// Whether the predicate leaves out objects.
    package var hasCondition: Bool { predicate.map { $0.constantTruth == nil } ?? false }
}
