extension Diagram {
    /// The drawing as an SVG file that needs nothing beside it.
    ///
    /// - Parameters:
    ///   - title: What the drawing is of; readers of the file hear it, and browsers show it.
    ///   - isForPaper: Whether it is printed: light, on white.
    package func svg(title: String, isForPaper: Bool = false) -> String {
        let page = bounds.insetBy(-64)
        let view = [page.minX, page.minY, page.size.width, page.size.height].map(\.svg).joined(separator: " ")
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="\#(view)" width="\#(page.size.width.svg)""#
                + #" height="\#(page.size.height.svg)" role="img">"#,
            "<title>\(SVGText.escaped(title))</title>", "<style>\(isForPaper ? Style.paperSheet : Style.sheet)</style>",
            rectangle("paper", page, radius: 0),
        ]
        for (link, route) in zip(links, routes()) { lines += LinkDrawing(link, route, boxes).lines }
        for box in boxes { lines += BoxDrawing(box, hue: hue(of: box)).lines }
        return lines.joined(separator: "\n") + "\n</svg>\n"
    }

    private func hue(of box: Box) -> String {
        Style.hues[(configurations[box.name] ?? 0) % Style.hues.count]
    }

    private func rectangle(_ name: String, _ frame: Rectangle, radius: Double) -> String {
        #"<rect class="\#(name)" x="\#(frame.minX.svg)" y="\#(frame.minY.svg)" width="\#(frame.size.width.svg)""#
            + #" height="\#(frame.size.height.svg)" rx="\#(radius.svg)"/>"#
    }
}
