/// Turns round as few edges as it can so that no cycle is left, by the greedy ordering of Eades, Lin and Smyth.
struct CycleRemoval {
    private let count: Int
    private let given: Set<Arc>

    init(count: Int, arcs: [Arc]) {
        self.count = count
        given = Set(arcs)
    }

    /// The edges without cycles, each once, in a stable order.
    func arcs() -> [Arc] {
        let places = ordering()
        let turned = given.map { places[$0.from] < places[$0.to] ? $0 : $0.reversed }
        return Set(turned).sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    /// For each node its place in an order in which most edges lead forward: sources first, sinks last, and of the rest
    /// what has the most edges out over those in.
    private func ordering() -> [Int] {
        var successors = [[Int]](repeating: [], count: count)
        var predecessors = successors
        for arc in given.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) {
            successors[arc.from].append(arc.to)
            predecessors[arc.to].append(arc.from)
        }
        var out = successors.map(\.count)
        var into = predecessors.map(\.count)
        var isLeft = [Bool](repeating: true, count: count)
        var places = [Int](repeating: 0, count: count)
        var (front, back) = (0, count - 1)
        func take(_ node: Int) {
            isLeft[node] = false
            for next in successors[node] { into[next] -= 1 }
            for previous in predecessors[node] { out[previous] -= 1 }
        }
        while front <= back {
            let left = (0..<count).filter { isLeft[$0] }
            if let sink = left.first(where: { out[$0] == 0 && into[$0] > 0 }) {
                places[sink] = back
                back -= 1
                take(sink)
            } else if let node = left.max(by: { rank($0, out, into) < rank($1, out, into) }) {
                places[node] = front
                front += 1
                take(node)
            }
        }
        return places
    }

    /// Sources rank highest, then the surplus of edges out, then the earlier node.
    private func rank(_ node: Int, _ out: [Int], _ into: [Int]) -> (Int, Int, Int) {
        (into[node] == 0 ? 1 : 0, out[node] - into[node], -node)
    }
}
