import FoundationGaps

/// What a store makes of a fetch, for developers that look for slow fetches.
package struct FetchExplanation {
    /// The statement.
    package let text: String
    /// What stands before the number of a parameter, as in `?1`.
    package let parameterMark: String
    /// The values of its parameters, in their order.
    package let bindings: [SQLValue]
    /// The database's plan, a line per step.
    package let plan: [String]
    /// What the plan means: which tables are looked at row by row, and which fetch index would help. A sentence each.
    package let sentences: [String]
    /// The fetch indexes that would help, and that the model lacks.
    package let indexes: [ProposedFetchIndex]

    package init(
        text: String, parameterMark: String, bindings: [SQLValue], plan: [String], sentences: [String],
        indexes: [ProposedFetchIndex]
    ) {
        (self.text, self.parameterMark, self.bindings) = (text, parameterMark, bindings)
        (self.plan, self.sentences, self.indexes) = (plan, sentences, indexes)
    }
}

/// A store that can say how it answers a fetch.
package protocol ExplainingStore: ObjectStore {
    func explain(_ fetch: StoreFetch) throws -> FetchExplanation
}
