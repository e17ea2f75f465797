/// Orders the nodes of each column so that few edges cross: sweeps to and fro, each node going to the mean of its
/// neighbours' places, and the best order seen is kept.
struct CrossingReduction {
    private var graph: LayeredGraph
    /// Each node's place in its column.
    private var places: [Int]

    static func apply(to graph: inout LayeredGraph) {
        var reduction = CrossingReduction(graph)
        graph.layers = reduction.bestLayers()
    }

    private init(_ graph: LayeredGraph) {
        self.graph = graph
        places = [Int](repeating: 0, count: graph.heights.count)
        for layer in graph.layers.indices { renumber(layer) }
    }

    private mutating func bestLayers() -> [[Int]] {
        var best = (layers: graph.layers, crossings: crossings())
        var fruitless = 0
        for _ in 0..<16 where best.crossings > 0 && fruitless < 4 {
            sweep()
            exchange()
            let now = crossings()
            fruitless = now < best.crossings ? 0 : fruitless + 1
            if now < best.crossings { best = (graph.layers, now) }
        }
        return best.layers
    }

    private mutating func sweep() {
        for layer in graph.layers.indices.dropFirst() { sort(layer, by: graph.before) }
        for layer in graph.layers.indices.dropLast().reversed() { sort(layer, by: graph.after) }
    }

    private mutating func sort(_ layer: Int, by neighbours: [[Int]]) {
        let keys = graph.layers[layer].map { node in
            let beside = neighbours[node]
            guard !beside.isEmpty else { return Double(places[node]) }
            return Double(beside.reduce(0) { $0 + places[$1] }) / Double(beside.count)
        }
        let order = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
        graph.layers[layer] = order.map { graph.layers[layer][$0] }
        renumber(layer)
    }

    private mutating func renumber(_ layer: Int) {
        for (place, node) in graph.layers[layer].enumerated() { places[node] = place }
    }

    /// Swaps neighbours in a column while that takes crossings away.
    private mutating func exchange() {
        for layer in graph.layers.indices {
            for place in graph.layers[layer].indices.dropLast() {
                let (upper, lower) = (graph.layers[layer][place], graph.layers[layer][place + 1])
                guard crossings(upper, lower) > crossings(lower, upper) else { continue }
                graph.layers[layer].swapAt(place, place + 1)
                (places[upper], places[lower]) = (places[lower], places[upper])
            }
        }
    }

    /// The crossings between the edges of two nodes of a column, the first above the second.
    private func crossings(_ upper: Int, _ lower: Int) -> Int {
        count(graph.before[upper], graph.before[lower]) + count(graph.after[upper], graph.after[lower])
    }

    private func count(_ upper: [Int], _ lower: [Int]) -> Int {
        guard upper.count > 8, lower.count > 8 else {
            return upper.reduce(0) { sum, a in sum + lower.count { places[$0] < places[a] } }
        }
        let ends = lower.map { places[$0] }.sorted()
        var (passed, sum) = (0, 0)
        for place in upper.map({ places[$0] }).sorted() {
            while passed < ends.count, ends[passed] < place { passed += 1 }
            sum += passed
        }
        return sum
    }

    /// All crossings.
    private func crossings() -> Int {
        graph.layers.dropLast().reduce(0) { sum, layer in
            let ends = layer.flatMap { node in graph.after[node].map { places[$0] }.sorted() }
            return sum + Inversions.count(ends)
        }
    }
}

/// How many pairs of a list are in the wrong order, in O(n log n).
enum Inversions {
    static func count(_ values: [Int]) -> Int {
        var tree = [Int](repeating: 0, count: (values.max() ?? 0) + 2)
        var (inversions, seen) = (0, 0)
        for value in values {
            inversions += seen - sum(tree, upTo: value)
            add(&tree, value)
            seen += 1
        }
        return inversions
    }

    private static func add(_ tree: inout [Int], _ value: Int) {
        var index = value + 1
        while index < tree.count {
            tree[index] += 1
            index += index & -index
        }
    }

    private static func sum(_ tree: [Int], upTo value: Int) -> Int {
        var (index, sum) = (value + 1, 0)
        while index > 0 {
            sum += tree[index]
            index -= index & -index
        }
        return sum
    }
}
