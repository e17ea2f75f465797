/// A table for the eye: a header, a rule, and rows whose columns line up.
struct TextTable {
    enum Alignment {
        case left
        case right
    }

    var header: [String]
    var alignments: [Alignment]
    var rows: [[String]] = []

    /// A table whose columns are all aligned left, but for those named.
    init(header: [String], rightAligned: Set<String> = []) {
        self.header = header
        alignments = header.map { rightAligned.contains($0) ? .right : .left }
    }

    /// The lines of the table, none with a blank at its end.
    var lines: [String] {
        let cells = ([header] + rows).map { $0.map(Self.singleLine) }
        let widths = header.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        let lines = cells.map { row in line(row, widths: widths) }
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
        return [lines[0], rule] + lines.dropFirst()
    }

    private func line(_ row: [String], widths: [Int]) -> String {
        let padded = row.indices.map { column -> String in
            let blanks = String(repeating: " ", count: widths[column] - row[column].count)
            return alignments[column] == .left ? row[column] + blanks : blanks + row[column]
        }
        var line = padded.joined(separator: "  ")
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }

    /// The text with line breaks and other control characters made visible, so that a value stays in its row and no value
    /// can send commands to a terminal.
    static func singleLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": out += "⏎"
            case "\t": out += " "
            case _ where scalar.properties.generalCategory == .control: out += "\u{FFFD}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
