/// The statements that the server has prepared for a connection, up to a limit.
struct StatementCache {
    private struct Key: Hashable {
        var text: String
        var hints: [PostgreSQLType]
    }

    private var statements: [Key: PostgreSQLStatement] = [:]
    private var uses: UInt64 = 0
    private var names: UInt64 = 0
    let limit: Int
    /// What the server still has of forgotten statements.
    var staleNames: [String] = []

    init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { statements.count }

    mutating func find(_ text: String, _ hints: [PostgreSQLType]) -> PostgreSQLStatement? {
        guard let statement = statements[Key(text: text, hints: hints)] else { return nil }
        touch(statement)
        return statement
    }

    mutating func touch(_ statement: PostgreSQLStatement) {
        uses += 1
        statement.lastUse = uses
    }

    mutating func takeStaleNames() -> [String] {
        defer { staleNames = [] }
        return staleNames
    }

    mutating func newName() -> String {
        names += 1
        return "s\(names)"
    }

    /// Keeps a statement that the server has now, and forgets the least recently used one beyond the limit.
    mutating func keep(_ statement: PostgreSQLStatement) {
        let key = Key(text: statement.text, hints: statement.hints)
        if let other = statements[key], other !== statement { forget(other) }
        touch(statement)
        statements[key] = statement
        while statements.count > limit, let oldest = statements.values.min(by: { $0.lastUse < $1.lastUse }) {
            forget(oldest)
        }
    }

    /// Forgets a statement; the server is told with the next one that it prepares.
    mutating func forget(_ statement: PostgreSQLStatement) {
        let key = Key(text: statement.text, hints: statement.hints)
        if statements[key] === statement { statements[key] = nil }
        if let name = statement.name { staleNames.append(name) }
        statement.name = nil
    }

    /// Forgets a statement that the server does not have any more.
    mutating func drop(_ statement: PostgreSQLStatement) {
        statement.name = nil
        forget(statement)
    }
}
