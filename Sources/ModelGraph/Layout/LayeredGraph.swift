/// A graph. Its nodes stand in columns, and its edges join neighbouring columns only: a longer one passes through a
/// bend in each column between.
struct LayeredGraph {
    /// The space between two boxes of a column.
    static let rowGap = 28.0
    /// The least space between two columns.
    static let columnGap = 2 * Metrics.stub + 36

    /// The columns from left to right, each a list of nodes from top to bottom.
    var layers: [[Int]]
    /// The neighbours in the column to the left and to the right.
    private(set) var before: [[Int]]
    private(set) var after: [[Int]]
    private(set) var heights: [Double]
    /// How many of the nodes, the first ones, are boxes; the others are bends.
    let boxCount: Int

    /// Edges longer than this pass without bends, so that a huge model does not drown in them.
    private static let longestBent = 24
    private static let bendHeight = 6.0

    init(sizes: [Size], layers numbers: [Int], arcs: [Arc]) {
        boxCount = sizes.count
        heights = sizes.map(\.height)
        before = [[Int]](repeating: [], count: sizes.count)
        after = before
        layers = [[Int]](repeating: [], count: (numbers.max() ?? -1) + 1)
        for (node, layer) in numbers.enumerated() { layers[layer].append(node) }
        for arc in arcs { join(arc, numbers) }
    }

    private mutating func join(_ arc: Arc, _ numbers: [Int]) {
        let (first, last) = (numbers[arc.from], numbers[arc.to])
        guard last - first <= Self.longestBent else { return }
        var previous = arc.from
        for layer in (first + 1)..<last {
            let bend = addBend(in: layer)
            connect(previous, bend)
            previous = bend
        }
        connect(previous, arc.to)
    }

    private mutating func addBend(in layer: Int) -> Int {
        let bend = heights.count
        heights.append(Self.bendHeight)
        before.append([])
        after.append([])
        layers[layer].append(bend)
        return bend
    }

    private mutating func connect(_ left: Int, _ right: Int) {
        after[left].append(right)
        before[right].append(left)
    }

    /// Whether a node is a bend in an edge, not a box.
    func isBend(_ node: Int) -> Bool { node >= boxCount }

    /// The space between two neighbours of a column.
    func gap(_ upper: Int, _ lower: Int) -> Double {
        isBend(upper) || isBend(lower) ? Self.rowGap / 2 : Self.rowGap
    }
}
