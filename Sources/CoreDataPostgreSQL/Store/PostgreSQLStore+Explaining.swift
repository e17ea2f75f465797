import CoreData
import PostgreSQLClient

extension PostgreSQLStore: ExplainingStore {
    /// A fetch's statement with the server's plan for it. The fetch itself is not carried out.
    func explain(_ fetch: StoreFetch) throws -> FetchExplanation {
        let session = session
        return try session.connected { connection in
            let reader = reader(connection, session)
            let (query, select) = try reader.query(for: fetch)
            // Not prepared: the server plans it for these very values.
            let rows = try connection.execute("EXPLAIN " + query.text, query.values)
            let lines = try (0..<rows.rowCount).map { try rows.string($0, 0) ?? "" }
            let names = try connection.execute("SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()")
            let indexes = Set(try (0..<names.rowCount).compactMap { try names.string($0, 0) })
            let plan = PostgreSQLPlan(lines)
            let advice = FetchIndexAdvice(fetch, session.schema, select).sentences(
                looksAtAll: plan.looksAtAll && fetch.hasCondition, sorts: plan.sorts, isFound: plan.isFound,
                hasIndex: { indexes.contains(PostgreSQLDialect.shortened($0)) })
            return FetchExplanation(
                text: query.text, parameterMark: "$", bindings: query.parameters.map(\.shown), plan: lines,
                sentences: plan.sentences(of: fetch) + advice)
        }
    }
}

extension PostgreSQLParameter {
    /// The value; of an array a text with its elements.
    fileprivate var shown: SQLValue {
        guard isArray else { return values.first ?? .null }
        let dialect = PostgreSQLDialect()
        return .text("{" + values.map { dialect.literal($0) }.joined(separator: ", ") + "}")
    }
}

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
