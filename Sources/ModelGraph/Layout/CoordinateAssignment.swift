/// Gives the nodes of a layered graph their places: columns side by side, and in each column every node as near to its
/// neighbours' height as the others let it.
struct CoordinateAssignment {
    private let graph: LayeredGraph
    private var centers: [Double]

    init(_ graph: LayeredGraph) {
        self.graph = graph
        centers = [Double](repeating: 0, count: graph.heights.count)
        stack()
        for round in 0..<12 {
            for layer in graph.layers.indices { align(layer, toLeft: true, toRight: round > 5) }
            for layer in graph.layers.indices.reversed() { align(layer, toLeft: round > 5, toRight: true) }
        }
    }

    /// The places of the boxes, the uppermost and leftmost at 0.
    func origins(of sizes: [Size]) -> [Point] {
        var origins = sizes.map { _ in Point(x: 0, y: 0) }
        let top = sizes.indices.map { centers[$0] - sizes[$0].height / 2 }.min() ?? 0
        var x = 0.0
        for (index, layer) in graph.layers.enumerated() {
            let boxes = layer.filter { !graph.isBend($0) }
            let width = boxes.map { sizes[$0].width }.max() ?? 0
            for box in boxes {
                let y = centers[box] - sizes[box].height / 2 - top
                origins[box] = Point(x: (x + (width - sizes[box].width) / 2).rounded(), y: y.rounded())
            }
            x += width + gap(after: index)
        }
        return origins
    }

    /// Many edges between two columns need more room to be told apart.
    private func gap(after layer: Int) -> Double {
        let edges = graph.layers[layer].reduce(0) { $0 + graph.after[$1].count }
        return LayeredGraph.columnGap + min(Double(edges) * 1.5, 60)
    }

    private mutating func stack() {
        for layer in graph.layers {
            var y = 0.0
            for (place, node) in layer.enumerated() {
                if place > 0 { y += graph.gap(layer[place - 1], node) }
                centers[node] = y + graph.heights[node] / 2
                y += graph.heights[node]
            }
            // Columns are centred on each other to begin with.
            for node in layer { centers[node] -= y / 2 }
        }
    }

    private mutating func align(_ layer: Int, toLeft: Bool, toRight: Bool) {
        let nodes = graph.layers[layer]
        var offsets: [Double] = []
        var wishes: [(value: Double, weight: Double)] = []
        for (place, node) in nodes.enumerated() {
            let step = place == 0 ? 0 : distance(nodes[place - 1], node)
            offsets.append((offsets.last ?? 0) + step)
            let (value, weight) = wish(of: node, toLeft: toLeft, toRight: toRight)
            wishes.append((value - offsets[place], weight))
        }
        for (place, value) in Isotonic.fit(wishes).enumerated() {
            centers[nodes[place]] = value + offsets[place]
        }
    }

    /// How far the centres of two neighbours of a column are apart at least.
    private func distance(_ upper: Int, _ lower: Int) -> Double {
        (graph.heights[upper] + graph.heights[lower]) / 2 + graph.gap(upper, lower)
    }

    /// Where a node would like to be, and how much. Bends are stubborn, for long edges are to be straight.
    private func wish(of node: Int, toLeft: Bool, toRight: Bool) -> (value: Double, weight: Double) {
        var (sum, weight) = (0.0, 0.0)
        for neighbour in (toLeft ? graph.before[node] : []) + (toRight ? graph.after[node] : []) {
            let pull = graph.isBend(node) && graph.isBend(neighbour) ? 4.0 : 1
            sum += centers[neighbour] * pull
            weight += pull
        }
        return weight > 0 ? (sum / weight, weight) : (centers[node], 0.1)
    }
}

/// Isotonic regression: the ascending values that are nearest to given ones, by pooling neighbours that are in the
/// wrong order.
enum Isotonic {
    static func fit(_ wishes: [(value: Double, weight: Double)]) -> [Double] {
        var pools: [(value: Double, weight: Double, count: Int)] = []
        for wish in wishes {
            var pool = (value: wish.value, weight: wish.weight, count: 1)
            while let last = pools.last, last.value > pool.value {
                let weight = last.weight + pool.weight
                pool.value = (last.value * last.weight + pool.value * pool.weight) / weight
                (pool.weight, pool.count) = (weight, pool.count + last.count)
                pools.removeLast()
            }
            pools.append(pool)
        }
        return pools.flatMap { [Double](repeating: $0.value, count: $0.count) }
    }
}
