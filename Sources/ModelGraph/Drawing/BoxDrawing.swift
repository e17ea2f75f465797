/// The SVG of one box.
struct BoxDrawing {
    private let box: Diagram.Box
    private let hue: String
    private var width: Double { box.frame.size.width }

    init(_ box: Diagram.Box, hue: String) {
        self.box = box
        self.hue = hue
    }

    var lines: [String] {
        let place = "translate(\(box.frame.minX.svg) \(box.frame.minY.svg))"
        return [#"<g class="\#(box.isAbstract ? "entity abstract" : "entity")" transform="\#(place)">"#]
            + header + box.rows.indices.flatMap(row) + ["</g>"]
    }

    private var header: [String] {
        let (w, h) = (width.svg, Metrics.headerHeight.svg)
        let room = width - 2 * Metrics.margin
        return [
            "<title>\(SVGText.escaped(box.name))</title>",
            #"<rect class="box" width="\#(w)" height="\#(box.frame.size.height.svg)" rx="8"/>"#,
            #"<path fill="\#(hue)" d="M0 \#(h)V8a8 8 0 0 1 8-8H\#((width - 8).svg)a8 8 0 0 1 8 8V\#(h)Z"/>"#,
            text("title", box.name, x: Metrics.margin, y: 19.5, size: Metrics.titleSize, room: room),
        ]
    }

    private func row(_ index: Int) -> [String] {
        let row = box.rows[index]
        let y = Metrics.offset(ofRow: index, in: box.rows)
        var lines: [String] = []
        if index > 0, box.rows[index - 1].kind != row.kind {
            let line = (y - Metrics.rowHeight / 2 - Metrics.dividerHeight / 2).svg
            lines.append(#"<line class="divider" x1="0" x2="\#(width.svg)" y1="\#(line)" y2="\#(line)"/>"#)
        }
        let size = Metrics.rowSize
        let room = width - 2 * Metrics.margin - Metrics.columnGap
        let weight = row.isOptional ? 1 : 1.12
        let left = room - TextWidth.of(row.name, size: size) * weight
        let detail = TextWidth.fitting(row.detail, size: size, width: max(left, room * 0.4))
        let rest = (room - TextWidth.of(detail, size: size)) / weight
        let name = row.isOptional ? "row" : "row required"
        lines.append(text(name, row.name, x: Metrics.margin, y: y + 4, size: size, room: rest))
        lines.append(text("detail", detail, x: width - Metrics.margin, y: y + 4, size: size, room: room))
        return lines
    }

    private func text(_ name: String, _ text: String, x: Double, y: Double, size: Double, room: Double) -> String {
        let shown = SVGText.escaped(TextWidth.fitting(text, size: size, width: room))
        return #"<text class="\#(name)" x="\#(x.svg)" y="\#(y.svg)">\#(shown)</text>"#
    }
}
