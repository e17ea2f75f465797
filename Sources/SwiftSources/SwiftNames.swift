/// Names of a model as Swift spells them.
package enum SwiftNames {
    /// `name`, between backticks if it is a keyword.
    package static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// `name` with a capital first letter, as in `addToPlayers`.
    package static func capitalised(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    /// Whether `name` can be an identifier, with backticks or without.
    package static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, isHead(first) else { return false }
        return name.unicodeScalars.dropFirst().allSatisfy { isHead($0) || $0.properties.numericType == .decimal }
    }

    /// Whether a member of a class can have the name. `x.self` and `x.Type` mean something else, even between
    /// backticks.
    package static func isMemberName(_ name: String) -> Bool {
        isIdentifier(name) && !["self", "Type", "Protocol"].contains(name)
    }

    /// `value` as a string literal.
    package static func literal(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case _ where scalar.value < 32 || scalar.value == 127: text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    private static func isHead(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isXIDStart
            || (scalar.value > 0x2000 && scalar.properties.isEmojiPresentation)
    }

    private static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if",
        "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch",
        "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
