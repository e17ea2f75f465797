/// Gives each node a column, right of all nodes that lead to it, without making a column much taller than a page that
/// holds the whole drawing.
struct Layering {
    private let sizes: [Size]
    private let successors: [[Int]]
    private let predecessors: [[Int]]
    private let limit: Double

    /// - Parameter shape: That of the page, its width by its height.
    init(sizes: [Size], arcs: [Arc], shape: Double) {
        self.sizes = sizes
        var successors = [[Int]](repeating: [], count: sizes.count)
        var predecessors = successors
        for arc in arcs {
            successors[arc.from].append(arc.to)
            predecessors[arc.to].append(arc.from)
        }
        self.successors = successors
        self.predecessors = predecessors
        limit = Self.heightLimit(sizes, shape)
    }

    /// The column of each node, from 0.
    func layers() -> [Int] {
        let order = topologicalOrder()
        var layers = [Int](repeating: 0, count: sizes.count)
        var heights: [Double] = []
        for node in order {
            var layer = (predecessors[node].map { layers[$0] }.max() ?? -1) + 1
            while layer < heights.count, heights[layer] > 0, heights[layer] + height(node) > limit { layer += 1 }
            while heights.count <= layer { heights.append(0) }
            heights[layer] += height(node)
            layers[node] = layer
        }
        pull(order, &layers, &heights)
        return Self.withoutGaps(layers)
    }

    /// Moves nodes that have more links to the right than to the left toward what they are linked with.
    private func pull(_ order: [Int], _ layers: inout [Int], _ heights: inout [Double]) {
        for node in order.reversed() where successors[node].count > predecessors[node].count {
            guard let next = successors[node].map({ layers[$0] }).min() else { continue }
            var layer = next - 1
            while layer > layers[node], heights[layer] + height(node) > limit { layer -= 1 }
            guard layer > layers[node] else { continue }
            heights[layers[node]] -= height(node)
            heights[layer] += height(node)
            layers[node] = layer
        }
    }

    private func height(_ node: Int) -> Double { sizes[node].height + LayeredGraph.rowGap }

    /// The height of a page with room for all boxes and the lines between them.
    private static func heightLimit(_ sizes: [Size], _ shape: Double) -> Double {
        let area = sizes.reduce(0) {
            $0 + ($1.width + LayeredGraph.columnGap) * ($1.height + LayeredGraph.rowGap)
        }
        return max((area / shape).squareRoot() * 1.1, sizes.map(\.height).max() ?? 0)
    }

    private func topologicalOrder() -> [Int] {
        var missing = predecessors.map(\.count)
        var ready = missing.indices.filter { missing[$0] == 0 }
        var order: [Int] = []
        while order.count < ready.count {
            let node = ready[order.count]
            order.append(node)
            for next in successors[node] {
                missing[next] -= 1
                if missing[next] == 0 { ready.append(next) }
            }
        }
        return order
    }

    private static func withoutGaps(_ layers: [Int]) -> [Int] {
        let used = Set(layers).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($0.element, $0.offset) })
        return layers.map { numbers[$0] ?? $0 }
    }
}
