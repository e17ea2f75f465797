import CoreData
import Foundation

/// A fetch as both sides are asked it.
struct RandomFetch {
    enum Output {
        /// - Parameter properties: The attributes that are read at once; nil for all.
        case objects(properties: [String]? = nil)
        case ids
        /// - Parameter isCall: Whether `count(for:)` asks, and not a request of that type.
        case count(isCall: Bool)
        case dictionaries(FetchedColumns)
    }

    /// The context that fetches.
    enum Place: String { case clean, dirty, child }

    /// A value of a format's argument.
    enum Argument: CustomStringConvertible {
        case value(Any)
        /// The object with a serial.
        case object(Int)
        case id(Int)
        case objects([Int])

        var description: String {
            switch self {
            case .value(let value): "\(value)"
            case .object(let serial): "object \(serial)"
            case .id(let serial): "ID of \(serial)"
            case .objects(let serials): "objects \(serials)"
            }
        }
    }

    let entity: String
    var format: String?
    var arguments: [Argument] = []
    var sortDescriptors: [NSSortDescriptor] = []
    /// Whether the order leaves nothing open.
    var isTotal = false
    var limit = 0
    var offset = 0
    var batchSize = 0
    var output = Output.objects()
    var place = Place.clean
    var includesSubentities = true
    var includesPendingChanges = true
    var includesPropertyValues = true
    var returnsFaults = true
    var refreshes = false
    var prefetched: [String] = []
    /// The numbers of the stores; nil for all.
    var stores: [Int]?

    init(_ entity: String) { self.entity = entity }

    var givesDictionaries: Bool { if case .dictionaries = output { true } else { false } }

    var description: String {
        let order = sortDescriptors.map { "\($0.key ?? "") \($0.ascending) \($0.selector?.description ?? "")" }
        return """
            \(entity)\(includesSubentities ? "" : " alone"): \(format ?? "all") \(arguments) by \(order), \
            \(limit) from \(offset), \(output), \(place), batch \(batchSize), stores \(stores ?? []), \
            pending \(includesPendingChanges), values \(includesPropertyValues), faults \(returnsFaults), \
            prefetched \(prefetched), refreshes \(refreshes)
            """
    }

    // MARK: The request

    func request(of side: StoreSide, in context: NSManagedObjectContext) throws -> NSFetchRequest<
        NSFetchRequestResult
    > {
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
        request.predicate = try format.map {
            try NSPredicate.parse($0, argumentArray: arguments.map { value(of: $0, side, context) })
        }
        if !sortDescriptors.isEmpty { request.sortDescriptors = sortDescriptors }
        (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (limit, offset, batchSize)
        request.includesSubentities = includesSubentities
        request.includesPendingChanges = includesPendingChanges
        request.includesPropertyValues = includesPropertyValues
        request.returnsObjectsAsFaults = returnsFaults
        request.shouldRefreshRefetchedObjects = refreshes
        if !prefetched.isEmpty { request.relationshipKeyPathsForPrefetching = prefetched }
        request.affectedStores = stores.map { $0.map { side.stores[$0] } }
        setOutput(of: request)
        return request
    }

    private func setOutput(of request: NSFetchRequest<NSFetchRequestResult>) {
        switch output {
        case .objects(let properties): request.propertiesToFetch = properties
        case .ids: request.resultType = .managedObjectIDResultType
        case .count(let isCall): if !isCall { request.resultType = .countResultType }
        case .dictionaries(let columns):
            request.resultType = .dictionaryResultType
            columns.set(request)
        }
    }

    private func value(of argument: Argument, _ side: StoreSide, _ context: NSManagedObjectContext) -> Any {
        func object(_ serial: Int) -> Any { side.ids[serial].map { context.object(with: $0) } ?? NSNull() }
        switch argument {
        case .value(let value): return value
        case .object(let serial): return object(serial)
        case .id(let serial): return side.ids[serial] ?? NSNull()
        case .objects(let serials): return serials.map(object)
        }
    }
}

/// What the dictionaries of a fetch have.
struct FetchedColumns: CustomStringConvertible {
    /// Attributes, relationships and key paths by their names.
    var names: [String] = []
    var expressions: [StoreColumn] = []
    /// The names that rows are grouped by.
    var groups: [String] = []
    var groupedExpressions: [StoreColumn] = []
    var having: String?
    var isDistinct = false

    /// The keys of a dictionary, in their order.
    var keys: [String] { names + expressions.map(\.name) }

    var description: String {
        """
        \(isDistinct ? "distinct " : "")\(names) \(expressions.map { "\($0.name) = \($0.expression)" }) grouped by \
        \(groups) \(groupedExpressions.map(\.name)) having \(having ?? "all")
        """
    }

    func set(_ request: NSFetchRequest<NSFetchRequestResult>) {
        // A column that is grouped by is the same description in both lists.
        let made = Dictionary(uniqueKeysWithValues: expressions.map { ($0.name, $0.property) })
        if !keys.isEmpty { request.propertiesToFetch = names as [Any] + expressions.compactMap { made[$0.name] } }
        let grouped = groups as [Any] + groupedExpressions.compactMap { made[$0.name] }
        if !grouped.isEmpty { request.propertiesToGroupBy = grouped }
        request.havingPredicate = having.map { NSPredicate(format: $0) }
        request.returnsDistinctResults = isDistinct
    }
}
