import CoreData
import Foundation
import SQLSamples

/// Random fetches of items and tags.
struct ItemFetchWriter: RandomFetchWriter {
    private var writer: ValueExpressionWriter
    private let sample: FetchSample

    init(_ sample: FetchSample, _ random: SQLRandom) {
        (self.sample, writer) = (sample, ValueExpressionWriter(random: random))
    }

    var random: SQLRandom {
        get { writer.random }
        set { writer.random = newValue }
    }

    private static let paths = [
        "parent", "children", "tags", "mainTag", "children.tags", "parent.mainTag", "tags.items", "parent.parent",
    ]

    mutating func fetch() -> RandomFetch {
        if random.chance(0.03) { return wrongFetch() }
        let isTag = random.chance(0.12)
        var fetch = RandomFetch(isTag ? "Tag" : "Item")
        addPredicate(&fetch, isTag)
        if !isTag, random.chance(0.35) {
            addDictionaries(&fetch)
        } else {
            let attributes = isTag ? ["name", "weight", "cost"] : ValueModel.attributes.map(\.key)
            fetch.output = plainOutput(attributes)
            addOrder(&fetch) { writer in
                if !isTag { return writer.writer.descriptor() }
                return NSSortDescriptor(
                    key: writer.random.one(["name", "weight", "cost", "date", "items.@count"]),
                    ascending: writer.random.chance(0.5))
            }
        }
        addOptions(&fetch, sample, prefetching: isTag ? ["items", "mainItems", "items.parent"] : Self.paths)
        return fetch
    }

    // MARK: Predicates

    private mutating func addPredicate(_ fetch: inout RandomFetch, _ isTag: Bool) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: break
        case 2, 3:
            if isTag { return }
            let (format, arguments) = given()
            (fetch.format, fetch.arguments) = (format, arguments)
            if random.chance(0.3) {
                fetch.format = "(\(format)) \(random.one(["AND", "OR"])) (\(writer.predicate(.init(), depth: 1)))"
            } else if random.chance(0.2) {
                fetch.format = "NOT (\(format))"
            }
        default: fetch.format = writer.predicate(.init(isTag: isTag), depth: 2)
        }
    }

    /// A predicate with values and objects of the app.
    private mutating func given() -> (String, [RandomFetch.Argument]) {
        let sign = random.one(["==", "!=", "<", "<=", ">", ">="])
        let equality = random.one(["==", "!="])
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return ("key \(random.one(["==", "!=", "<"])) %@", [.value(uuid())])
        case 1: return ("key IN %@", [.value([uuid(), uuid()])])
        case 2: return ("\(random.one(["date", "until", "parent.date"])) \(sign) %@", [.value(date())])
        case 3: return ("date BETWEEN %@", [.value([date(), date()])])
        case 4: return ("bytes \(sign) %@", [.value(random.one([Data(), Data([0]), Data([255, 0, 1])]))])
        case 5: return ("page \(equality) %@", [.value(URL(string: "x:y") as Any)])
        case 6: return ("price \(sign) %@", [.value(NSDecimalNumber(string: random.one(["1.5", "-0.75", "0"])))])
        case 7: return ("\(random.one(["parent", "parent.parent"])) \(equality) %@", [object()])
        case 8: return ("\(random.one(["SELF", "parent", "objectID"])) IN %@", [.objects(serials(6))])
        case 9: return ("%@ IN \(random.one(["children", "tags", "parent.children"]))", [object()])
        case 10: return ("SELF \(equality) %@", [object()])
        default:
            return ("SUBQUERY(children, $c, $c.date \(sign) %@ AND $c != %@).@count > 0", [.value(date()), object()])
        }
    }

    private mutating func object() -> RandomFetch.Argument {
        let serial = serials(1)[0]
        return random.chance(0.7) ? .object(serial) : .id(serial)
    }

    private mutating func serials(_ count: Int) -> [Int] {
        (0..<count).map { _ in Int.random(in: 1...78, using: &random) }
    }

    private mutating func uuid() -> UUID {
        UUID(uuid: (UInt8.random(in: 0...3, using: &random), 200, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    }

    private mutating func date() -> Date {
        Date(timeIntervalSinceReferenceDate: random.one([-5.5, 0, 86_400.25, 0.000001, 90_000, -63_000_000_000]))
    }

    // MARK: Dictionaries

    private mutating func addDictionaries(_ fetch: inout RandomFetch) {
        var columns = FetchedColumns()
        switch Int.random(in: 0..<6, using: &random) {
        case 0: groups(&columns, &fetch)
        case 1: columns.expressions = (0..<3).map { writer.aggregate($0) }
        case 2:
            columns.expressions = (0..<Int.random(in: 1...2, using: &random)).map { writer.group($0) }
            columns.isDistinct = true
            addOrder(&fetch, byAll: columns.keys)
        case 3:
            columns.names = names(random.one([1, 2]))
            columns.isDistinct = true
            addOrder(&fetch, byAll: columns.names)
        case 4:
            columns.names = names(Int.random(in: 0...4, using: &random))
            addOrder(&fetch) { $0.writer.descriptor() }
        default:
            columns.names = ["serial"]
            columns.expressions = [
                StoreColumn("n", writer.number(.init(), depth: 2)), StoreColumn("t", writer.text(.init(), depth: 1)),
                StoreColumn("d", writer.date(.init(), depth: 1)),
            ]
            addOrder(&fetch) { $0.writer.descriptor() }
        }
        fetch.output = .dictionaries(columns)
    }

    private mutating func groups(_ columns: inout FetchedColumns, _ fetch: inout RandomFetch) {
        if random.chance(0.5) {
            columns.groups = names(Int.random(in: 1...2, using: &random))
            columns.names = columns.groups
        } else {
            columns.groupedExpressions = (0..<Int.random(in: 1...2, using: &random)).map { writer.group($0) }
        }
        let keys = columns.groups + columns.groupedExpressions.map(\.name)
        let aggregates = (0..<Int.random(in: 1...3, using: &random)).map { writer.aggregate($0) }
        columns.expressions = columns.groupedExpressions + aggregates
        if random.chance(0.3) { columns.having = "a0 != nil AND \(ValueExpressionWriter.having(aggregates[0]))" }
        addOrder(&fetch, byAll: keys)
    }

    private mutating func names(_ count: Int) -> [String] {
        let all = ["name", "small", "price", "date", "flag", "key", "bytes", "mainTag.name", "parent.small", "real"]
        return Array(all.shuffled(using: &random).prefix(count))
    }

    // MARK: Errors

    /// A fetch that can't be answered, or almost one.
    private mutating func wrongFetch() -> RandomFetch {
        var fetch = RandomFetch("Item")
        fetch.output = plainOutput(["name"])
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1: fetch.format = random.one(Self.wrongFormats)
        case 2:
            let key = random.one(["nothing", "tags", "tags.name", "parent.nothing", "name.length", "children.@nothing"])
            fetch.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        default: fetch.output = wrongOutput()
        }
        addOptions(&fetch, sample, prefetching: Self.paths + ["nothing", "parent.nothing", "name"])
        return fetch
    }

    private mutating func wrongOutput() -> RandomFetch.Output {
        var columns = FetchedColumns()
        switch Int.random(in: 0..<3, using: &random) {
        case 0: columns.names = [random.one(["nothing", "parent.nothing", "tags", "children.name"])]
        case 1: (columns.names, columns.groups) = (["name"], [random.one(["nothing", "tags", "parent.nothing"])])
        default: columns.expressions = [StoreColumn("n", "nothing + 1")]
        }
        return .dictionaries(columns)
    }

    private static let wrongFormats = [
        "nothing == 1", "parent.nothing == 1", "name MATCHES '['", "children.name == 'a'", "children == nil",
        "SUBQUERY(name, $x, TRUEPREDICATE).@count == 1", "parent == 5", "tags.@sum.name > 1", "ANY small == 1",
        "children.@nothing == 1", "name == parent", "parent.children.tags.name == 'a'", "ANY children.tags.name == 'a'",
        "name IN small", "small BETWEEN {1}", "SELF == 'a'", "tags CONTAINS 'a'", "ANY children.nothing == 1",
        "median:(children.small) > 1", "ALL tags == 5", "name BEGINSWITH 5", "small LIKE '1*'", "bytes CONTAINS 'a'",
    ]
}
