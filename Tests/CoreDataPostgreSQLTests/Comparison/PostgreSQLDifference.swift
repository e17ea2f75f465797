import CoreData
import FoundationGaps

/// The lines of `Differences.md` that a random test would come upon, and what it leaves out for each.
///
/// Lines that need numbers of a size, or expressions of a form, which the writers of random requests do not make, have
/// no rule here: the writers name them.
enum PostgreSQLDifference: String, CaseIterable {
    /// “special letters”: what an expression without case takes for the same.
    case specialLetters
    /// “empty rounds”: ICU's reluctant repetition of what may be empty.
    case emptyRounds

    /// Whether a comparison of a text with a regular expression is left out.
    static func concerns(_ text: String, _ expression: String, _ options: NSComparisonPredicate.Options) -> Bool {
        allCases.contains { $0.concerns(text, expression, options) }
    }

    private func concerns(_ text: String, _ expression: String, _ options: NSComparisonPredicate.Options) -> Bool {
        switch self {
        case .specialLetters:
            options.contains(.caseInsensitive)
                && ["ß", "ss", "ſ", "ﬁ", "İ"].contains {
                    (text + expression).lowercased().contains($0) || text.contains($0)
                }
        case .emptyRounds: expression.contains(")+?") || expression.contains(")*?")
        }
    }
}
