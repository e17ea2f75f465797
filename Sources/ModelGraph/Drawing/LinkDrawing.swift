import ModelDocument

/// The SVG of one link: the line, an arrowhead or two at each end that something leads to, a ring (optional) or a bar
/// (required) behind them, and the letter of the delete rule where a relationship starts.
struct LinkDrawing {
    private let link: Diagram.Link
    private let route: Route
    private let boxes: [Diagram.Box]

    init(_ link: Diagram.Link, _ route: Route, _ boxes: [Diagram.Box]) {
        self.link = link
        self.route = route
        self.boxes = boxes
    }

    var lines: [String] {
        [
            #"<g class="\#(link.kind.rawValue)">"#, "<title>\(SVGText.escaped(title))</title>",
            #"<path class="link" d="\#(route.pathData)"/>"#,
        ] + tips + ["</g>"]
    }

    /// What the link says, in words: `Team.players ⇉ Player, Player.team → Team`.
    private var title: String {
        let (source, target) = (boxes[link.source.box].name, boxes[link.target.box].name)
        guard link.kind == .relationship else { return "\(source) inherits from \(target)" }
        return [
            Self.sentence(source, link.source.departure, link.target.arrow, target),
            Self.sentence(target, link.target.departure, link.source.arrow, source),
        ].compactMap { $0 }.joined(separator: ", ")
    }

    private static func sentence(
        _ from: String, _ departure: Diagram.Departure?, _ arrow: Diagram.Arrow?, _ to: String
    ) -> String? {
        guard let departure, let arrow else { return nil }
        let necessity = arrow.isOptional ? "optional" : "required"
        return "\(from).\(departure.name) \(arrow.isToMany ? "⇉" : "→") \(to)"
            + " (\(necessity), \(departure.deleteRule.title))"
    }

    private var tips: [String] {
        guard link.kind == .relationship else { return [inheritanceHead] }
        return tip(link.source, route.start) + tip(link.target, route.end)
    }

    private var inheritanceHead: String { Self.triangle(route.end, at: 0, length: 13, width: 7) }

    private func tip(_ end: Diagram.End, _ landing: Route.Landing) -> [String] {
        var lines: [String] = []
        if let arrow = end.arrow {
            lines.append(Self.triangle(landing, at: 0, length: 9, width: 4.5))
            if arrow.isToMany { lines.append(Self.triangle(landing, at: 8, length: 9, width: 4.5)) }
            lines.append(Self.sign(arrow, landing, at: arrow.isToMany ? 22 : 14))
        }
        if let departure = end.departure { lines += Self.rule(departure, landing) }
        return lines
    }

    private static func triangle(_ landing: Route.Landing, at distance: Double, length: Double, width: Double) -> String
    {
        let tip = landing.point + landing.direction * distance
        let base = tip + landing.direction * length
        let side = landing.direction.perpendicular * width
        return #"<path class="head" d="M\#(tip.svg)L\#((base + side).svg)L\#((base - side).svg)Z"/>"#
    }

    private static func sign(_ arrow: Diagram.Arrow, _ landing: Route.Landing, at distance: Double) -> String {
        let center = landing.point + landing.direction * distance
        guard !arrow.isOptional else {
            return #"<circle class="sign" cx="\#(center.x.svg)" cy="\#(center.y.svg)" r="3"/>"#
        }
        let side = landing.direction.perpendicular * 5
        return #"<path class="sign" d="M\#((center + side).svg)L\#((center - side).svg)"/>"#
    }

    private static func rule(_ departure: Diagram.Departure, _ landing: Route.Landing) -> [String] {
        let center = landing.point + landing.direction * min(36, landing.stub)
        return [
            #"<circle class="rule" cx="\#(center.x.svg)" cy="\#(center.y.svg)" r="6.5"/>"#,
            #"<text class="letter" x="\#(center.x.svg)" y="\#((center.y + 3).svg)">"#
                + "\(departure.deleteRule.letter)</text>",
        ]
    }
}

extension Model.DeleteRule {
    /// The rule's name in Xcode.
    package var title: String {
        switch self {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }

    /// The letter that stands for the rule in drawings.
    package var letter: String {
        switch self {
        case .noAction: "–"
        case .nullify: "N"
        case .cascade: "C"
        case .deny: "D"
        }
    }
}
