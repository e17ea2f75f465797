/// A layout in columns, after Sugiyama: what is linked stands side by side, with few crossings and short lines.
///
/// Each connected part of the model is laid out by itself, and the parts are packed like a page. Where a window is to
/// be filled, large parts may fall into their areas: long rows of columns would leave most of it empty.
struct LayeredLayout {
    private let sizes: [Size]
    private let links: [Diagram.Link]

    init(sizes: [Size], links: [Diagram.Link]) {
        self.sizes = sizes
        self.links = links
    }

    /// A place for each box.
    ///
    /// Columns and packing keep to a shape only roughly. So several are tried for a given one, and the drawing is taken
    /// that fills it best: the one that can be shown largest in it.
    ///
    /// - Parameter aspect: The shape to fill, its width by its height; nil stands for a page in landscape.
    func origins(filling aspect: Double?) -> [Point] {
        guard let aspect else {
            let parts = ConnectedParts(count: sizes.count, links: links).parts
            return origins(of: parts, shape: Self.page, pages: [Self.page])[0]
        }
        let shape = min(max(aspect, 0.3), 5)
        let whole = ConnectedParts(count: sizes.count, links: links).parts
        let areas = whole.flatMap { $0.count > Self.leastForAreas ? Areas(of: $0, links).groups : [$0] }
        let candidates = [whole, areas].flatMap { parts in
            Self.trials.flatMap { origins(of: parts, shape: shape * $0, pages: Self.trials.map { shape * $0 }) }
        }
        func scale(_ origins: [Point]) -> Double {
            let extent = Self.extent(of: origins, sizes)
            return min(shape / max(extent.width, 1), 1 / max(extent.height, 1))
        }
        return candidates.max { scale($0) < scale($1) } ?? []
    }

    private static let page = 1.6
    private static let trials = [1, 0.4, 0.55, 0.75, 1.35, 1.8, 2.5]
    /// Fewer boxes are seen at a glance.
    private static let leastForAreas = 12

    /// The places of boxes with parts that are laid out in a shape, for each of the shapes of page that the parts can
    /// be packed into.
    private func origins(of parts: [[Int]], shape: Double, pages: [Double]) -> [[Point]] {
        var numbers = [Int](repeating: 0, count: sizes.count)
        for (number, part) in parts.enumerated() {
            for box in part { numbers[box] = number }
        }
        var partLinks = [[Diagram.Link]](repeating: [], count: parts.count)
        for link in links where !link.isLoop && numbers[link.source.box] == numbers[link.target.box] {
            partLinks[numbers[link.source.box]].append(link)
        }
        let blocks = zip(parts, partLinks).map { layout(part: $0, $1, shape) }
        return pages.map { page in
            let corners = Packing(sizes: blocks.map(\.size), shape: page).origins()
            var origins = sizes.map { _ in Point(x: 0, y: 0) }
            for (block, corner) in zip(blocks, corners) {
                for (box, place) in zip(block.boxes, block.places) { origins[box] = corner + place }
            }
            return origins
        }
    }

    /// A part of the model, laid out with its upper left corner at the origin.
    private struct Block {
        let boxes: [Int]
        let places: [Point]
        let size: Size
    }

    private func layout(part: [Int], _ links: [Diagram.Link], _ shape: Double) -> Block {
        guard part.count > 1 else {
            return Block(boxes: part, places: [Point(x: 0, y: 0)], size: sizes[part[0]])
        }
        let order = Dictionary(uniqueKeysWithValues: part.enumerated().map { ($0.element, $0.offset) })
        let arcs = links.compactMap { link -> Arc? in
            guard let source = order[link.source.box], let target = order[link.target.box] else {
                return nil
            }
            return link.leadsBack ? Arc(from: target, to: source) : Arc(from: source, to: target)
        }
        let partSizes = part.map { sizes[$0] }
        let acyclic = CycleRemoval(count: part.count, arcs: arcs).arcs()
        let layers = Layering(sizes: partSizes, arcs: acyclic, shape: shape).layers()
        var graph = LayeredGraph(sizes: partSizes, layers: layers, arcs: acyclic)
        CrossingReduction.apply(to: &graph)
        let places = CoordinateAssignment(graph).origins(of: partSizes)
        return Block(boxes: part, places: places, size: Self.extent(of: places, partSizes))
    }

    private static func extent(of places: [Point], _ sizes: [Size]) -> Size {
        zip(places, sizes).reduce(into: Size(width: 0, height: 0)) { extent, box in
            extent.width = max(extent.width, box.0.x + box.1.width)
            extent.height = max(extent.height, box.0.y + box.1.height)
        }
    }
}

/// A directed edge between nodes of the graph that is laid out.
struct Arc: Hashable {
    var from: Int
    var to: Int

    var reversed: Arc { Arc(from: to, to: from) }
}

extension Diagram.Link {
    /// Whether the target is to stand left of the source: parents before their subentities, what has many before the
    /// many.
    fileprivate var leadsBack: Bool {
        guard kind == .relationship else { return true }
        guard let back = source.arrow, let forth = target.arrow else { return false }
        return back.isToMany && !forth.isToMany
    }
}
