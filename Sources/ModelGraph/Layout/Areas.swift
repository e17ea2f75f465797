/// The areas of a model: boxes that are linked more with each other than with the rest.
///
/// An example: orders, their lines and invoices are one area, products and their categories another. They are found by
/// the Louvain method (Blondel et al., 2008): each box goes where modularity gains most, then what stands together is
/// one node, and so on.
struct Areas {
    /// The boxes of each area in their order, the largest area first.
    let groups: [[Int]]

    /// - Parameters:
    ///   - boxes: Those that are looked at.
    ///   - links: Those between them count.
    init(of boxes: [Int], _ links: [Diagram.Link]) {
        let nodes = Dictionary(uniqueKeysWithValues: boxes.enumerated().map { ($0.element, $0.offset) })
        var groups = boxes.map { [$0] }
        var edges = links.filter { !$0.isLoop }.compactMap { link -> Edge? in
            guard let a = nodes[link.source.box], let b = nodes[link.target.box] else { return nil }
            // A parent ties more than a relationship.
            return Edge(a: a, b: b, weight: link.kind == .inheritance ? 3 : 1)
        }
        while true {
            let homes = Settling(count: groups.count, edges: edges).homes()
            let numbers = Self.numbers(homes)
            if numbers.count == groups.count { break }
            var merged = [[Int]](repeating: [], count: numbers.count)
            for (node, group) in groups.enumerated() { merged[numbers[homes[node], default: 0]] += group }
            edges = edges.map {
                Edge(
                    a: numbers[homes[$0.a], default: 0], b: numbers[homes[$0.b], default: 0], weight: $0.weight)
            }
            groups = merged
        }
        self.groups = groups.map { $0.sorted() }.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
    }

    /// Homes numbered in the order in which they come.
    private static func numbers(_ homes: [Int]) -> [Int: Int] {
        homes.reduce(into: [:]) { numbers, home in
            if numbers[home] == nil { numbers[home] = numbers.count }
        }
    }
}

private struct Edge {
    let a: Int
    let b: Int
    let weight: Double
}

/// One level: nodes move until none gains by going elsewhere.
private struct Settling {
    private var near: [[Int: Double]]
    private var strength: [Double]
    private var total = 0.0

    init(count: Int, edges: [Edge]) {
        near = [[Int: Double]](repeating: [:], count: count)
        strength = [Double](repeating: 0, count: count)
        for edge in edges {
            strength[edge.a] += edge.weight
            strength[edge.b] += edge.weight
            total += edge.weight
            guard edge.a != edge.b else { continue }
            near[edge.a][edge.b, default: 0] += edge.weight
            near[edge.b][edge.a, default: 0] += edge.weight
        }
    }

    /// The home of each node, which is one of the nodes.
    func homes() -> [Int] {
        var homes = Array(strength.indices)
        var sums = strength
        guard total > 0 else { return homes }
        for _ in 0..<20 {
            var hasMoved = false
            for node in strength.indices {
                let home = homes[node]
                sums[home] -= strength[node]
                let best = best(for: node, homes, sums)
                sums[best] += strength[node]
                homes[node] = best
                if best != home { hasMoved = true }
            }
            if !hasMoved { break }
        }
        return homes
    }

    /// The home that a node, which is in none, gains most by; its former one if others are no better.
    private func best(for node: Int, _ homes: [Int], _ sums: [Double]) -> Int {
        var ties = [homes[node]: 0.0]
        for (other, weight) in near[node] { ties[homes[other], default: 0] += weight }
        func gain(_ home: Int) -> Double { (ties[home] ?? 0) - sums[home] * strength[node] / (2 * total) }
        return ties.keys.sorted().reduce(homes[node]) { gain($1) > gain($0) + 1e-9 ? $1 : $0 }
    }
}
