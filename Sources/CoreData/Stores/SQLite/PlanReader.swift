import FoundationGaps

/// Says in words what SQLite's plan for a fetch means.
struct PlanReader {
    private let fetch: StoreFetch
    private let schema: SQLSchema
    private let select: SQLSelect
    private let steps: [SQLitePlanStep]
    /// The tables by the aliases that the statement gives them.
    private let tables: [String: String]
    /// The indexes that the store has.
    private let storeIndexes: Set<String>

    init(
        _ fetch: StoreFetch, _ schema: SQLSchema, _ select: SQLSelect, text: String, plan: [String],
        storeIndexes: Set<String>
    ) {
        self.fetch = fetch
        self.schema = schema
        self.select = select
        self.storeIndexes = storeIndexes
        steps = plan.map { SQLitePlanStep($0) }
        var tables: [String: String] = [:]
        for match in text.matches(of: /(?:FROM|JOIN) ("(?:[^"]|"")*"|\w+) (t\d+)/) {
            tables[String(match.2)] = match.1.trimmingCharacters(in: ["\""])
        }
        self.tables = tables
    }

    var sentences: [String] { steps.compactMap { sentence($0) } + advice.sentences }

    /// The fetch indexes that would help.
    var indexes: [ProposedFetchIndex] { advice.indexes }

    private var entity: String { fetch.entity.name }

    private func sentence(_ step: SQLitePlanStep) -> String? {
        switch step {
        case .scan("t0", nil):
            return select.conditions.isEmpty
                ? "Reads the whole table \(table("t0")), as it is asked for all of \(entity)."
                : "Looks at every row of the table \(table("t0")) to find objects of \(entity)."
        case .scan("t0", let index?): return "Walks through all of \(entity) in the order of the index \(index)."
        case .scan(let alias, _): return "Looks at every row of the table \(table(alias)) on the way."
        case .search("t0", let index?, "Z_ENT=?"):
            return "Looks at every object of \(entity), found among others of its table by the index \(index)."
        case .search("t0", let index?, let terms): return "Finds \(entity) by the index \(index) (\(terms))."
        case .search("t0", nil, _): return "Finds \(entity) by key."
        case .search(let alias, let index?, _): return "Follows to the table \(table(alias)) by the index \(index)."
        case .search(let alias, nil, _): return "Follows to the table \(table(alias)) by key."
        case .automaticIndex(let alias, let terms):
            return "Makes an index of the table \(table(alias)) for this fetch alone (\(terms)), as it lacks one."
        case .temporaryTable("ORDER BY"): return "Sorts what it found."
        case .temporaryTable(let what): return "Collects what it found in a temporary table (\(what))."
        case .other: return nil
        }
    }

    private func table(_ alias: String) -> String { tables[alias] ?? alias }

    private var advice: (sentences: [String], indexes: [ProposedFetchIndex]) {
        FetchIndexAdvice(fetch, schema, select).findings(
            looksAtAll: looksAtAll, sorts: steps.contains(.temporaryTable("ORDER BY")),
            isFound: steps.contains { if case .search("t0", _, _) = $0 { true } else { false } },
            hasIndex: storeIndexes.contains)
    }

    private var looksAtAll: Bool {
        steps.contains { step in
            switch step {
            case .scan("t0", nil): !select.conditions.isEmpty
            case .scan("t0", _?), .search("t0", _, "Z_ENT=?"): fetch.hasCondition
            default: false
            }
        }
    }
}
