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

    var sentences: [String] { steps.compactMap { sentence($0) } + advice }

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

    // MARK: Advice

    private var looksAtEverything: Bool {
        steps.contains { step in
            switch step {
            case .scan("t0", nil): !select.conditions.isEmpty
            case .scan("t0", _?), .search("t0", _, "Z_ENT=?"): hasPredicate
            default: false
            }
        }
    }

    private var hasPredicate: Bool { fetch.predicate.map { $0.constantTruth == nil } ?? false }

    private var sorts: Bool { steps.contains(.temporaryTable("ORDER BY")) }

    private var advice: [String] {
        guard looksAtEverything || sorts else { return [] }
        let advice = SQLIndexAdvice(select, for: fetch.entity, in: schema)
        guard !looksAtEverything else {
            return advice.indexes.map { sentence($0) } + advice.obstacles.map { $0 + "." }
        }
        // Found by something else, in another order: an index over the order alone would not find them.
        let isFound = steps.contains { if case .search("t0", _, _) = $0 { true } else { false } }
        return advice.indexes.filter { !isFound || $0.elements.count > fetch.sortDescriptors.count }.map {
            sentence($0)
        }
    }

    private func sentence(_ index: SQLIndexAdvice.Index) -> String {
        let elements = index.elements
        guard let own = modelIndex(elements) else {
            return "A fetch index of \(entity) over \(index.description) would help."
        }
        return storeIndexes.contains("Z_\(own.entity)_\(own.name)")
            ? "The index \(own.name) of \(own.entity) is over \(index.description), but the database prefers this way."
            : "The model has the index \(own.name) of \(own.entity) over \(index.description), but the store was made without it."
    }

    /// The model's index over these properties.
    private func modelIndex(_ elements: [SQLIndexAdvice.Element]) -> (entity: String, name: String)? {
        var owner: EntityLayout? = fetch.entity
        while let current = owner {
            let index = current.entity.indexes.first { index in
                index.elements.map(\.propertyName) == elements.map { $0.property }
                    && index.elements.map(\.isAscending) == elements.map(\.isAscending)
                    && index.elements.allSatisfy { $0.collationType == .binary }
            }
            if let index { return (current.name, index.name) }
            owner = current.parent
        }
        return nil
    }
}
