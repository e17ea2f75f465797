import FoundationGaps

/// What an app's developer can do for a fetch, if the database's plan looks at too many rows.
package struct FetchIndexAdvice {
    private let fetch: StoreFetch
    private let advice: SQLIndexAdvice

    /// - Parameter select: The statement of the fetch.
    package init(_ fetch: StoreFetch, _ schema: SQLSchema, _ select: SQLSelect) {
        self.fetch = fetch
        advice = SQLIndexAdvice(select, for: fetch.entity, in: schema)
    }

    /// A sentence for each fetch index that would help, and for each reason why none does.
    ///
    /// - Parameters:
    ///   - looksAtAll: Whether the plan looks at all objects of the entity, to find some.
    ///   - sorts: Whether it sorts what it found.
    ///   - isFound: Whether the objects are found by an index.
    ///   - hasIndex: Whether the database has an index with that name.
    package func sentences(
        looksAtAll: Bool, sorts: Bool, isFound: Bool, hasIndex: (String) -> Bool
    ) -> [String] {
        guard looksAtAll || sorts else { return [] }
        guard !looksAtAll else {
            return advice.indexes.map { sentence($0, hasIndex) } + advice.obstacles.map { $0 + "." }
        }
        // Found by something else, in another order: an index over the order alone would not find them.
        return advice.indexes.filter { !isFound || $0.elements.count > fetch.sortDescriptors.count }.map {
            sentence($0, hasIndex)
        }
    }

    private func sentence(_ index: SQLIndexAdvice.Index, _ hasIndex: (String) -> Bool) -> String {
        let elements = index.elements
        guard let own = modelIndex(elements) else {
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
