/// Names and texts as DBML has them.
enum DBMLText {
    /// Words that stand for something at the start of a line or in settings.
    private static let words: Set<String> = [
        "table", "ref", "enum", "indexes", "note", "project", "tablegroup", "tablepartial", "records", "checks", "as",
        "null", "not", "true", "false", "pk", "primary", "key", "unique", "default", "increment", "delete", "update",
        "dep", "metadata", "use", "reuse", "from", "diagramview",
    ]

    /// A name: as it is where that can be read, else in double quotes.
    static func name(_ name: String) -> String {
        let isPlain =
            name.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
            } && name.utf8.first.map { $0 > UInt8(ascii: "9") } == true
        return isPlain && !words.contains(name.lowercased()) ? name : "\"\(escaped(name))\""
    }

    /// A text in single quotes.
    static func text(_ text: String) -> String { "'\(escaped(text))'" }

    /// An expression of an index, in backticks, where nothing can be escaped.
    static func expression(_ text: String) -> String {
        "`\(text.replacing("`", with: "'").split(whereSeparator: \.isNewline).joined(separator: " "))`"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "'", "\"": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{202A}"..."\u{202E}",
                "\u{2066}"..."\u{2069}":
                result += "\\u" + hexadecimal(scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func hexadecimal(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
