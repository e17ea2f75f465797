import CoreData

/// What the server's plan for a fetch means.
struct PostgreSQLPlan {
    /// How the plan comes to rows of a table.
    private enum Step: Equatable {
        case scan(table: String, alias: String)
        /// By an index; by its whole length where it has no condition.
        case index(String, table: String, alias: String, hasCondition: Bool)
        case sort
    }

    private let steps: [Step]

    /// - Parameter lines: What EXPLAIN gives.
    init(_ lines: [String]) {
        let node =
            #/
            (Seq|Index|Index\ Only|Bitmap\ Heap)\ Scan\ (?:Backward\ )?(?:using\ ("[^"]*"|\S+)\ )?
            on\ ("[^"]*"|\S+)(?:\ (\S+))?\ \ \(
            /#
        let bitmap = /Bitmap Index Scan on ("[^"]*"|\S+)  \(/
        func plain(_ name: Substring) -> String { String(name).replacing("\"", with: "") }
        var steps: [Step] = []
        for (place, line) in lines.enumerated() {
            if let match = line.firstMatch(of: node) {
                let (table, alias) = (plain(match.3), match.4.map(plain) ?? plain(match.3))
                // The lines of a node's own end where the next node begins.
                let details = lines.dropFirst(place + 1).prefix { !$0.contains("->") }
                switch match.1 {
                case "Seq": steps.append(.scan(table: table, alias: alias))
                case "Bitmap Heap":
                    let names = lines.dropFirst(place + 1).compactMap { $0.firstMatch(of: bitmap)?.1 }
                    let name = names.first.map(plain) ?? ""
                    steps.append(.index(name, table: table, alias: alias, hasCondition: true))
                default:
                    let hasCondition = details.contains { $0.contains("Index Cond:") }
                    let name = match.2.map(plain) ?? ""
                    steps.append(.index(name, table: table, alias: alias, hasCondition: hasCondition))
                }
            } else if line.contains(/(^|-> ) *(Incremental )?Sort  \(/) {
                steps.append(.sort)
            }
        }
        self.steps = steps
    }

    /// Whether it looks at all rows of the fetched table.
    var looksAtAll: Bool {
        steps.contains { step in
            switch step {
            case .scan(_, "t0"), .index(_, _, "t0", false): true
            default: false
            }
        }
    }

    /// Whether it finds the rows of the fetched table by an index.
    var isFound: Bool { steps.contains { if case .index(_, _, "t0", true) = $0 { true } else { false } } }

    var sorts: Bool { steps.contains(.sort) }

    func sentences(of fetch: StoreFetch) -> [String] {
        let entity = fetch.entity.name
        return steps.map { step in
            switch step {
            case .scan(let table, "t0"):
                fetch.hasCondition
                    ? "Looks at every row of the table \(table) to find objects of \(entity)."
                    : "Reads the whole table \(table), as it is asked for all of \(entity)."
            case .scan(let table, _): "Looks at every row of the table \(table) on the way."
            case .index(let name, _, "t0", true):
                name.hasSuffix("_pkey") ? "Finds \(entity) by key." : "Finds \(entity) by the index \(name)."
            case .index(let name, _, "t0", false): "Walks through all of \(entity) in the order of the index \(name)."
            case .index(let name, let table, _, _): "Follows to the table \(table) by the index \(name)."
            case .sort: "Sorts what it found."
            }
        }
    }
}
