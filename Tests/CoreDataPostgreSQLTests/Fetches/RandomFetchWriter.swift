import CoreData
import SQLSamples

/// Makes random fetches of a sample's objects.
protocol RandomFetchWriter {
    /// A fetch of the given sample's entities.
    mutating func fetch() -> RandomFetch

    var random: SQLRandom { get set }
}

extension RandomFetchWriter {
    /// Chooses the context, and what a request says of faults, pages and stores.
    mutating func addOptions(_ fetch: inout RandomFetch, _ sample: FetchSample, prefetching paths: [String]) {
        fetch.place = random.one([.clean, .clean, .clean, .dirty, .dirty, .child])
        fetch.includesPendingChanges = random.chance(0.85)
        fetch.includesPropertyValues = random.chance(0.9)
        fetch.returnsFaults = random.chance(0.7)
        fetch.refreshes = random.chance(0.1)
        // What is refreshed loses no change: but a page that comes later is read after the others.
        if random.chance(0.15) { fetch.batchSize = Int.random(in: 1...20, using: &random) }
        if random.chance(0.3) { fetch.prefetched = [random.one(paths)] }
        if sample.storeCount > 1, fetch.givesDictionaries || random.chance(0.5) {
            // Dictionaries of several stores: see `Differences.md`, “several stores”.
            fetch.stores = random.one(fetch.givesDictionaries ? [[0], [1]] : [[0], [1], [0, 1], [1, 0]])
        }
        if random.chance(0.3), fetch.isTotal {
            fetch.limit = Int.random(in: 0...20, using: &random)
            fetch.offset = Int.random(in: 0...20, using: &random)
        }
    }

    /// An order, which leaves nothing open in most cases.
    mutating func addOrder(_ fetch: inout RandomFetch, _ descriptor: (inout Self) -> NSSortDescriptor) {
        for _ in 0..<Int.random(in: 0...3, using: &random) { fetch.sortDescriptors.append(descriptor(&self)) }
        guard random.chance(0.8) else { return }
        let key = random.chance(0.3) ? "objectID" : "serial"
        fetch.sortDescriptors.append(NSSortDescriptor(key: key, ascending: random.chance(0.5)))
        fetch.isTotal = true
    }

    /// An order by all columns of rows that are different.
    mutating func addOrder(_ fetch: inout RandomFetch, byAll columns: [String]) {
        guard random.chance(0.6) else { return }
        for column in columns.shuffled(using: &random) {
            fetch.sortDescriptors.append(NSSortDescriptor(key: column, ascending: random.chance(0.5)))
        }
        fetch.isTotal = true
    }

    /// Objects, IDs or a count.
    mutating func plainOutput(_ attributes: [String]) -> RandomFetch.Output {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...1: return .ids
        case 2: return .count(isCall: true)
        case 3: return .count(isCall: false)
        case 4:
            let count = Int.random(in: 1...4, using: &random)
            return .objects(properties: Array(attributes.shuffled(using: &random).prefix(count)))
        default: return .objects()
        }
    }
}
