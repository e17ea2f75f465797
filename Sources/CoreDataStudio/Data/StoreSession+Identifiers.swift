import CoreData

// A window may ask by the identifier that an object had before it was saved: its history has such ones.

extension StoreSession {
    /// What an object is called now.
    func current(_ identifier: String) async throws -> String {
        guard let edits else { return identifier }
        return try await edits.work { $0.current(identifier) }
    }

    /// The query by what its objects are called now.
    func current(_ query: RowQuery) async throws -> RowQuery {
        guard let edits, query.object != nil || query.member != nil else { return query }
        return try await edits.work { edits in
            var query = query
            query.object = query.object.map(edits.current)
            if let owner = query.member?.object { query.member?.object = edits.current(owner) }
            return query
        }
    }
}
