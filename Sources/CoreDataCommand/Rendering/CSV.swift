/// Comma-separated values after RFC 4180, but with a plain line feed at a line's end.
enum CSV {
    static func line(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",") + "\n"
    }

    /// The field, in quotes where it has to be.
    static func field(_ text: String) -> String {
        let needsQuotes = text.unicodeScalars.contains { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" }
        guard needsQuotes || text.hasPrefix(" ") || text.hasSuffix(" ") else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
