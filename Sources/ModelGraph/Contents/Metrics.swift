/// The measures of boxes. The browser's graph uses the same (`Resources/scripts/graph/metrics.js`), so that a model
/// looks alike wherever it is drawn.
package enum Metrics {
    package static let headerHeight = 30.0
    package static let rowHeight = 17.0
    package static let padding = 6.0
    /// The line between attributes and relationships, with the space around it.
    package static let dividerHeight = 7.0
    package static let margin = 12.0
    package static let minimumWidth = 128.0
    package static let maximumWidth = 300.0
    package static let titleSize = 13.0
    package static let rowSize = 11.5
    /// The space between a property's name and its type.
    package static let columnGap = 14.0
    /// The straight part of a link at a box: room for arrowheads and signs.
    package static let stub = 44.0

    static func size(title: String, rows: [Diagram.Box.Row]) -> Size {
        let header = TextWidth.of(title, size: titleSize) * 1.06 + 2 * margin + 10
        let widest = rows.map { width(of: $0) }.max() ?? 0
        let fitted = min(max(header, widest, minimumWidth), maximumWidth).rounded(.up)
        return Size(width: fitted, height: height(of: rows))
    }

    static func offset(ofRow row: Int, in rows: [Diagram.Box.Row]) -> Double {
        let dividers = Double(dividers(before: row, in: rows))
        return headerHeight + padding + dividers * dividerHeight + (Double(row) + 0.5) * rowHeight
    }

    /// How many lines there are between groups of rows before a row.
    static func dividers(before row: Int, in rows: [Diagram.Box.Row]) -> Int {
        guard !rows.isEmpty else { return 0 }
        // The rows are in groups: each group begins where a search by halves finds it.
        let end = min(row, rows.count - 1)
        var (dividers, start) = (0, 0)
        while rows[start].kind != rows[end].kind {
            var (low, high) = (start, end)
            while high - low > 1 {
                let middle = (low + high) / 2
                if rows[middle].kind == rows[start].kind { low = middle } else { high = middle }
            }
            (dividers, start) = (dividers + 1, high)
        }
        return dividers
    }

    private static func width(of row: Diagram.Box.Row) -> Double {
        let name = TextWidth.of(row.name, size: rowSize) * (row.isOptional ? 1 : 1.12)
        return 2 * margin + columnGap + name + TextWidth.of(row.detail, size: rowSize)
    }

    private static func height(of rows: [Diagram.Box.Row]) -> Double {
        guard !rows.isEmpty else { return headerHeight + 2 * padding + rowHeight / 2 }
        return offset(ofRow: rows.count - 1, in: rows) + rowHeight / 2 + padding
    }
}
