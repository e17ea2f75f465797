/// How wide a text is likely to be: the fonts are the reader's, so it can't be known. The figures are those of
/// Helvetica's and its kin's characters, rounded up.
enum TextWidth {
    static func of(_ text: String, size: Double) -> Double {
        text.unicodeScalars.reduce(0) { $0 + ems($1) } * size
    }

    /// The text, or as much of its beginning as fits with an ellipsis.
    static func fitting(_ text: String, size: Double, width: Double) -> String {
        guard of(text, size: size) > width else { return text }
        var kept = ""
        for character in text {
            guard of(kept + String(character) + "…", size: size) <= width else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    private static func ems(_ scalar: Unicode.Scalar) -> Double {
        switch scalar {
        case "i", "j", "l", "I", "t", "f", "r", ".", ",", ":", ";", "'", "|", "!", "(", ")", "[", "]", " ": 0.32
        case "m", "w", "M", "W", "@", "%", "…": 0.9
        case "A"..."Z", "_": 0.7
        case "\u{0}"..."\u{7F}": 0.58
        case "\u{1100}"..."\u{FFDC}", "\u{1F000}"..."\u{3FFFF}": 1.05
        default: 0.7
        }
    }
}
