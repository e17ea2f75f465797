/// The lines of `Differences.md`: what PostgreSQL answers otherwise than SQLite.
enum PostgreSQLDifference: String, CaseIterable {
    case none

    /// Whether a request is left out.
    static func concerns(_ format: String) -> Bool { false }
}
