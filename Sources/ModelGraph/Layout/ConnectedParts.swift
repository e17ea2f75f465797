/// The connected parts of a graph, the largest first.
struct ConnectedParts {
    /// Each part's nodes in their order.
    let parts: [[Int]]

    init(count: Int, links: [Diagram.Link]) {
        var leaders = Array(0..<count)
        func leader(_ node: Int) -> Int {
            var node = node
            while leaders[node] != node {
                leaders[node] = leaders[leaders[node]]
                node = leaders[node]
            }
            return node
        }
        for link in links {
            let (a, b) = (leader(link.source.box), leader(link.target.box))
            leaders[max(a, b)] = min(a, b)
        }
        let grouped = Dictionary(grouping: 0..<count, by: leader)
        parts = grouped.values.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
    }
}
