import FoundationGaps

/// A pattern of LIKE as a regular expression of PostgreSQL.
///
/// `?` is one character as readers see it: a letter with its marks, an emoji with all that it is put together from.
enum PostgreSQLLike {
    /// Marks that belong to the character before them: accents, variations, skin tones.
    private static let marks =
        #"\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"#
        + #"\ufe00-\ufe0f\ufe20-\ufe2f\U0001f3fb-\U0001f3ff"#

    /// Letters that are a flag in pairs.
    private static let flags = #"\U0001f1e6-\U0001f1ff"#

    /// That one character ends here and another begins: no mark follows, and nothing joins the two.
    static let boundary = #"(?![\u200d"# + marks + #"])(?<!\u200d)"#

    /// One character.
    static let anyCharacter =
        "(?:" + #"\r\n|"# + "[\(flags)]{2}|[\(flags)](?![\(flags)])|[^\(flags)][\(marks)]*"
        + #"(?:\u200d(?:."# + "[\(marks)]*)?)*)"

    /// The expression for a pattern from which the case and the diacritics are gone that it ignores.
    static func expression(_ pattern: String) -> String {
        var text = "\\A"
        var isEscaped = false
        for character in pattern.precomposedStringWithCanonicalMapping {
            switch character {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "?" where !isEscaped: text += boundary + anyCharacter + boundary
            case "*" where !isEscaped: text += boundary + ".*" + boundary
            default: text += quoted(character)
            }
            isEscaped = false
        }
        return text + (isEscaped ? #"\\"# : "") + "\\Z"
    }

    /// A character that stands for itself.
    static func quoted(_ character: Character) -> String {
        guard let value = character.asciiValue, !character.isLetter, !character.isNumber else {
            // A line feed behind a return is one character with it.
            return String(character)
        }
        return "\\" + String(UnicodeScalar(value))
    }
}
