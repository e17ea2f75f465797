import CoreData
import FoundationGaps

/// The lines of `Differences.md` that a random test would come upon, and what it leaves out for each.
///
/// Lines that need numbers of a size, or expressions of a form, which the writers of random requests do not make, have
/// no rule here: the writers name them.
enum PostgreSQLDifference: String, CaseIterable {
    /// “sharp s”: in a regular expression without case, `ß` is `ss` for SQLite's functions and is not for PostgreSQL.
    case sharpS
    /// “empty rounds”: ICU's reluctant repetition of what may be empty.
    case emptyRounds

    static func concerns(_ expression: String, _ options: NSComparisonPredicate.Options) -> Bool {
        allCases.contains { $0.concerns(expression, options) }
    }

    private func concerns(_ expression: String, _ options: NSComparisonPredicate.Options) -> Bool {
        switch self {
        case .sharpS:
            options.contains(.caseInsensitive) && (expression.contains("ß") || expression.lowercased().contains("ss"))
        case .emptyRounds: expression.contains(")+?") || expression.contains(")*?")
        }
    }
}
