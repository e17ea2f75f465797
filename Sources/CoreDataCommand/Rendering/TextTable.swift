import StoreBrowsing

/// A table for the eye: a header, a rule, and rows with columns that line up.
struct TextTable {
    enum Alignment {
        case left
        case right
    }

    var header: [String]
    var alignments: [Alignment]
    var rows: [[String]] = []
    /// The columns of the terminal that the table has to fit; nil: as wide as its values.
    var width: Int?

    /// A table with all columns aligned left, but for those named.
    init(header: [String], rightAligned: Set<String> = []) {
        self.header = header
        alignments = header.map { rightAligned.contains($0) ? .right : .left }
    }

    /// The lines of the table, none with a blank at its end.
    var lines: [String] {
        var cells = ([header] + rows).map { $0.map(Self.singleLine) }
        var widths = header.indices.map { column in cells.map { TextWidth.of($0[column]) }.max() ?? 0 }
        if let width, Self.total(widths) > width {
            widths = Self.fitted(widths, to: width)
            cells = cells.map { row in row.indices.map { TextWidth.cut(row[$0], to: widths[$0]) } }
        }
        let lines = cells.map { row in line(row, widths: widths) }
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
        return [lines[0], rule] + lines.dropFirst()
    }

    /// A column is never cut below this.
    private static let leastWidth = 4

    private static func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * max(0, widths.count - 1) }

    /// The widths with the widest columns cut until the line fits, or nothing is left to cut.
    private static func fitted(_ widths: [Int], to width: Int) -> [Int] {
        // The greatest limit of a column's width with which the line fits.
        var (low, high) = (leastWidth, max(leastWidth, widths.max() ?? 0))
        while low < high {
            let middle = (low + high + 1) / 2
            if total(widths.map { min($0, middle) }) <= width { low = middle } else { high = middle - 1 }
        }
        return widths.map { min($0, low) }
    }

    private func line(_ row: [String], widths: [Int]) -> String {
        let padded = row.indices.map { column -> String in
            let blanks = String(repeating: " ", count: max(0, widths[column] - TextWidth.of(row[column])))
            return alignments[column] == .left ? row[column] + blanks : blanks + row[column]
        }
        var line = padded.joined(separator: "  ")
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }

    /// The text in one line, without a character that commands a terminal.
    static func singleLine(_ text: String) -> String { SafeText.singleLine(text) }
}
