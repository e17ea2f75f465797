import CoreData

// A window may ask by the identifier that an object had before it was saved: its history has such ones.

extension StoreSession {
    /// What an object is called now.
    func current(_ identifier: String) async throws -> String {
        try await current(identifier) { _, id in id } ?? identifier
    }

    /// The query by what its objects are called now.
    func current(_ query: RowQuery) async throws -> RowQuery { try await current(query) { _, query in query } ?? query }

    /// Asks the changes about an object, by what it is called now. Both is one step: a save between them would give a
    /// new object another identifier.
    ///
    /// - Returns: What they answer; nil for a store that is only read.
    func current<Answer: Sendable>(
        _ identifier: String, _ ask: @escaping @Sendable (StagedChanges, String) throws -> Answer
    ) async throws -> Answer? {
        try await edits?.work { try ask($0, $0.current(identifier)) }
    }

    /// Asks the changes about a query, by what its objects are called now, in one step.
    ///
    /// - Returns: What they answer; nil for a store that is only read.
    func current<Answer: Sendable>(
        _ query: RowQuery, _ ask: @escaping @Sendable (StagedChanges, RowQuery) throws -> Answer
    ) async throws -> Answer? {
        try await edits?.work { edits in
            var query = query
            query.object = query.object.map(edits.current)
            if let owner = query.member?.object { query.member?.object = edits.current(owner) }
            return try ask(edits, query)
        }
    }
}
