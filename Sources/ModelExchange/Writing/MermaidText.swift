/// Names and texts as Mermaid's entity relationship diagrams have them.
///
/// Mermaid has no escapes. It draws `#34;` as the character of that number, which its grammar takes for plain letters.
enum MermaidText {
    /// A name or a label, in double quotes.
    static func quoted(_ text: String) -> String {
        // The grammar takes every line for one about directions that has this word and a blank behind it.
        let hidesBlanks = text.lowercased().contains("direction")
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", ",", ":", "(", ")", "/", "<", ">", "=", "+", "*", "'",
                "[", "]", "@", "!", "?", "|", "^", "$":
                result.unicodeScalars.append(scalar)
            case " ": result += hidesBlanks ? "#32;" : " "
            case "\u{A1}"..."\u{10FFFF}" where !isInvisible(scalar): result.unicodeScalars.append(scalar)
            case "\u{0}": result += "#65533;"
            default: result += "#\(scalar.value);"
            }
        }
        return "\"\(result.isEmpty ? " " : result)\""
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The name of an attribute, which stands without quotes: letters that can't be are underscores.
    ///
    /// - Returns: The word, and whether it is another than the name.
    static func word(_ name: String) -> (text: String, isChanged: Bool) {
        var result = ""
        for scalar in name.unicodeScalars {
            let isFit =
                switch scalar {
                case "a"..."z", "A"..."Z", "_": true
                case "0"..."9", "-": !result.isEmpty
                default: 0xC0...0xFFFF ~= scalar.value && scalar.properties.isAlphabetic
                }
            result.unicodeScalars.append(isFit ? scalar : "_")
        }
        if result.isEmpty || ["pk", "fk", "uk"].contains(result.lowercased()) { result += "_" }
        return (result, result != name)
    }
}
