/// Which objects are shown, and in which order.
struct RowQuery: Sendable, Hashable, Decodable {
    /// A key path that sorts.
    struct Sort: Sendable, Hashable, Decodable {
        var key: String
        var ascending: Bool
    }

    /// The relationship with the members that are shown.
    struct Membership: Sendable, Hashable, Decodable {
        /// The owner's identifier, such as `Team/p1`.
        var object: String
        var relationship: String
    }

    var entity: String
    /// Whether objects of subentities are shown; without a word they are.
    var includesSubentities: Bool?
    var predicate: String?
    var sort: [Sort]?
    var member: Membership?
    /// The identifier of the only object that is shown.
    var object: String?

    /// The predicate, unless there is no text.
    var predicateText: String? {
        predicate.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
    }
}
