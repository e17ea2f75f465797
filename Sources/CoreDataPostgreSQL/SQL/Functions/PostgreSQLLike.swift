import FoundationGaps

/// A pattern of LIKE as a regular expression of PostgreSQL.
///
/// `?` is one character as readers see it: a letter with its marks, an emoji with all that it is put together from.
enum PostgreSQLLike {
    /// Marks that belong to the character before them: accents, variations, skin tones, and what joins emoji.
    private static let marks =
        #"\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u200d\u20d0-\u20ff"#
        + #"\ufe00-\ufe0f\ufe20-\ufe2f\U0001f3fb-\U0001f3ff"#

    /// That a character ends here.
    static let boundary = "(?![\(marks)])"

    /// One character.
    static let anyCharacter =
        #"(?:\r\n|[\U0001f1e6-\U0001f1ff]{2}|.["# + marks + #"]*(?:\u200d.["# + marks + "]*)*)"

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
