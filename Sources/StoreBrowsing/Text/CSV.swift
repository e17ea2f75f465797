/// Comma-separated values after RFC 4180: CRLF at a line's end, quotes where they have to be.
package struct CSV: Sendable {
    /// Whether fields are written exactly as they are, for programs; otherwise for spreadsheets, which take a field
    /// that begins like a formula for one and run it.
    package var isExact: Bool

    package init(isExact: Bool = false) { self.isExact = isExact }

    /// What the file begins with: the mark by which spreadsheets know UTF-8.
    package var start: String { isExact ? "" : "\u{FEFF}" }

    package func line(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") + "\r\n" }

    /// The field, disarmed and in quotes where it has to be.
    package func field(_ text: String) -> String {
        let text = isExact ? text : SafeText.lines(Self.isLikeFormula(text) ? "'" + text : text)
        let needsQuotes = text.unicodeScalars.contains { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" }
        guard needsQuotes || text.hasPrefix(" ") || text.hasSuffix(" ") else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// Whether a spreadsheet would compute the text instead of showing it. Numbers are none.
    private static func isLikeFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) else {
            return false
        }
        return Double(text) == nil
    }
}
