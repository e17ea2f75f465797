import StoreBrowsing

/// An object behind a transaction.
struct AsOfRequest: Sendable, Decodable {
    var object: String
    /// The number of the transaction; without one, that of the newest change of the object.
    var transaction: Int?
    var titles: [String: [String]]?
}

extension StoreSession {
    /// What an object looked like when a transaction had been saved, as far as history says.
    func asOf(_ request: AsOfRequest) async throws -> JSON {
        let request = AsOfRequest(
            object: try await current(request.object), transaction: request.transaction, titles: request.titles)
        // A long history takes a while: the rows on the screen do not wait for it.
        return try await background.read { try ObjectAsOf(request, $0).json }
    }
}
