import CoreData
import SQLSamples

/// Random fetches of teams, and of people with their subentities.
struct PersonFetchWriter: RandomFetchWriter {
    private var writer: SQLPredicateWriter
    private let sample: FetchSample

    init(_ sample: FetchSample, _ random: SQLRandom) {
        (self.sample, writer) = (sample, SQLPredicateWriter(random: random))
    }

    var random: SQLRandom {
        get { writer.random }
        set { writer.random = newValue }
    }

    private static let attributes = [
        "Team": ["name", "city", "rank"], "Player": ["name", "age", "active", "born", "salary", "price", "key"],
        "Person": ["name", "age", "active", "born"], "Coach": ["name", "age", "active", "born"],
    ]
    private static let paths = [
        "Team": ["players", "players.boss"], "Player": ["team", "fans", "team.players", "boss.reports"],
        "Person": ["boss", "reports"], "Coach": ["favourites", "favourites.team", "boss"],
    ]

    mutating func fetch() -> RandomFetch {
        let entity = random.one(["Team", "Player", "Person", "Coach"])
        let attributes = Self.attributes[entity] ?? []
        var fetch = RandomFetch(entity)
        if random.chance(0.85) { fetch.format = writer.predicate(entity, depth: 3) }
        fetch.includesSubentities = random.chance(0.7)
        if random.chance(0.2) {
            addDictionaries(&fetch, attributes)
        } else {
            fetch.output = plainOutput(attributes)
            addOrder(&fetch) { $0.descriptor(attributes, entity) }
        }
        addOptions(&fetch, sample, prefetching: Self.paths[entity] ?? [])
        return fetch
    }

    private mutating func descriptor(_ attributes: [String], _ entity: String) -> NSSortDescriptor {
        let ascending = random.chance(0.5)
        guard random.chance(0.3) else {
            let further = ["Team": ["address.street", "address.zip"], "Player": ["team.rank", "boss.name", "team"]]
            let key = random.one(attributes + (further[entity] ?? ["boss.age"]))
            return NSSortDescriptor(key: key, ascending: ascending)
        }
        let selectors = [
            "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
            "localizedStandardCompare:",
        ]
        return NSSortDescriptor(key: "name", ascending: ascending, selector: Selector(random.one(selectors)))
    }

    private mutating func addDictionaries(_ fetch: inout RandomFetch, _ attributes: [String]) {
        var columns = FetchedColumns()
        columns.names = Array(attributes.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
        columns.isDistinct = random.chance(0.5)
        if columns.isDistinct { addOrder(&fetch, byAll: columns.names) }
        if !columns.isDistinct, random.chance(0.5) {
            columns.groups = columns.names
            columns.expressions = [StoreColumn("a0", "count:(SELF)")]
            addOrder(&fetch, byAll: columns.names)
        }
        fetch.output = .dictionaries(columns)
    }
}
