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

    /// One character. A line feed behind a return is one with it.
    static let anyCharacter =
        #"(?:\r\n|\r(?!\n)|"# + "[\(flags)]{2}|[\(flags)](?![\(flags)])|"
        + #"[^\r"# + "\(flags)][\(marks)]*" + #"(?:\u200d(?:."# + "[\(marks)]*)?)*)"

    /// The expression for a pattern from which the case and the diacritics are gone that it ignores.
    static func expression(_ pattern: String) -> String {
        let parts = tokens(pattern).map { token in
            switch token {
            case .anyCharacter: boundary + anyCharacter + boundary
            case .anyCharacters: boundary + ".*" + boundary
            case .character(let character): quoted(character)
            }
        }
        return "\\A" + parts.joined() + "\\Z"
    }

    /// The same pattern as PostgreSQL's LIKE has it, for texts in which each character is one code.
    static func plain(_ pattern: String) -> String {
        tokens(pattern).map { token in
            switch token {
            case .anyCharacter: "_"
            case .anyCharacters: "%"
            case .character(let character): "%_\\".contains(character) ? "\\\(character)" : String(character)
            }
        }.joined()
    }

    private enum Token {
        case character(Character)
        case anyCharacter
        case anyCharacters
    }

    private static func tokens(_ pattern: String) -> [Token] {
        var tokens: [Token] = []
        var isEscaped = false
        for character in pattern.precomposedStringWithCanonicalMapping {
            switch character {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "?" where !isEscaped: tokens.append(.anyCharacter)
            case "*" where !isEscaped: tokens.append(.anyCharacters)
            default: tokens.append(.character(character))
            }
            isEscaped = false
        }
        return tokens + (isEscaped ? [.character("\\")] : [])
    }

    /// A character that stands for itself.
    static func quoted(_ character: Character) -> String {
        // A line feed behind a return is one character with it.
        guard character != "\r\n", let value = character.asciiValue, !character.isLetter, !character.isNumber else {
            return String(character)
        }
        return "\\" + String(UnicodeScalar(value))
    }
}
