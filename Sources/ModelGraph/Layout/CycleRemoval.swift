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
        var sinks = PriorityQueue<Int> { $0 < $1 }
        var ranked = PriorityQueue<(rank: (Int, Int, Int), node: Int)> { $0.rank > $1.rank }
        func note(_ node: Int) {
            guard isLeft[node] else { return }
            if out[node] == 0, into[node] > 0 { sinks.insert(node) }
            ranked.insert((rank(node, out, into), node))
        }
        for node in 0..<count { note(node) }
        func take(_ node: Int) {
            isLeft[node] = false
            for next in successors[node] { into[next] -= 1; note(next) }
            for previous in predecessors[node] { out[previous] -= 1; note(previous) }
        }
        while front <= back {
            // What was noted of a node before its edges changed no longer counts.
            while let node = sinks.first, !isLeft[node] || into[node] == 0 { sinks.removeFirst() }
            while let top = ranked.first, !isLeft[top.node] || top.rank != rank(top.node, out, into) {
                ranked.removeFirst()
            }
            if let sink = sinks.first {
                places[sink] = back
                back -= 1
                take(sink)
            } else if let node = ranked.first?.node {
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

/// A binary heap: what comes first is at hand.
private struct PriorityQueue<Element> {
    private var items: [Element] = []
    private let precedes: (Element, Element) -> Bool

    init(_ precedes: @escaping (Element, Element) -> Bool) { self.precedes = precedes }

    var first: Element? { items.first }

    mutating func insert(_ item: Element) {
        items.append(item)
        var place = items.count - 1
        while place > 0, precedes(items[place], items[(place - 1) / 2]) {
            items.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func removeFirst() {
        items.swapAt(0, items.count - 1)
        items.removeLast()
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < items.count {
                if precedes(items[child], items[least]) { least = child }
            }
            if least == place { return }
            items.swapAt(place, least)
            place = least
        }
    }
}
