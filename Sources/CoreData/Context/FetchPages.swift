import FoundationGaps

/// The result of a fetch with a batch size, cut into pages: the row of any of a page's faults brings those of all of
/// them.
///
/// The rows of pages that were not touched for long are let go, so that a walk through a long result takes the memory
/// of some pages and not of all. Used on the context's queue.
final class FetchPages {
    /// The rows that stay at hand, if the pages are not so large that two of them are more.
    private static let warmRows = 1000

    private let references: [ObjectReference]
    /// The tree of the results' entities.
    private let root: Int32
    private let size: Int
    /// What is read of the rows; nil: all.
    let part: RowPart?
    /// Relationships whose destinations come with a page.
    let prefetched: [String]
    /// Where each object stands in the result, by store and key; made when the first fault asks.
    private lazy var places = ResultPlaces(references)
    /// The pages that have their rows at hand, the last one touched at the end.
    private var warm: [Int] = []
    /// The pages whose rows are being read.
    private var loading: Set<Int> = []

    init(_ references: [ObjectReference], root: Int32, request: AnyFetchRequest, _ part: RowPart?) {
        self.references = references
        self.root = root
        size = request.fetchBatchSize
        self.part = part
        prefetched = request.relationshipKeyPathsForPrefetching ?? []
    }

    /// The page that an object is on, if it is on one.
    ///
    /// - Parameter root: The tree of the object's entity.
    func page(of reference: ObjectReference, root: Int32) -> Int? {
        guard root == self.root, let place = places[reference] else { return nil }
        return place / size
    }

    func references(on page: Int) -> ArraySlice<ObjectReference> {
        references[page * size..<min((page + 1) * size, references.count)]
    }

    /// Runs what reads the rows of a page. A fault that is fired meanwhile does not begin that anew: a page may have
    /// faults whose rows come one by one, or are gone.
    func load(_ page: Int, _ read: (ArraySlice<ObjectReference>) throws -> Void) rethrows {
        guard loading.insert(page).inserted else { return }
        defer { loading.remove(page) }
        try read(references(on: page))
    }

    /// Notes that a page is touched.
    ///
    /// - Returns: The pages that have not been for long.
    func touch(_ page: Int) -> [Int] {
        warm.removeAll { $0 == page }
        warm.append(page)
        let cold = warm.dropLast(max(2, Self.warmRows / size))
        warm.removeFirst(cold.count)
        return Array(cold)
    }

    /// Whether any object of the result is registered.
    func isInUse(_ isRegistered: (ObjectReference) -> Bool) -> Bool { references.contains(where: isRegistered) }
}

/// Where each object stands in a result, by store and key.
private struct ResultPlaces {
    private enum Table {
        /// The places of successive keys, -1 for those that are not in the result: a quarter of a hash table's memory.
        case dense(first: Int64, places: [Int32])
        case sparse(KeyTable<Int32>)
    }

    private var tables: [Int32: Table] = [:]

    init(_ references: [ObjectReference]) {
        var last: Int32?
        for reference in references where reference.store != last {
            last = reference.store
            if tables[reference.store] == nil { tables[reference.store] = Self.table(of: reference.store, references) }
        }
    }

    private static func table(of store: Int32, _ references: [ObjectReference]) -> Table {
        var (low, high, count) = (Int64.max, Int64.min, 0)
        for reference in references where reference.store == store {
            (low, high, count) = (min(low, reference.key), max(high, reference.key), count + 1)
        }
        let (span, overflows) = high.subtractingReportingOverflow(low)
        guard !overflows, span < 4 * count else {
            let table = KeyTable<Int32>(minimumCapacity: count)
            for (place, reference) in references.enumerated() where reference.store == store {
                table.set(reference.key, Int32(place))
            }
            return .sparse(table)
        }
        var places = [Int32](repeating: -1, count: Int(span) + 1)
        for (place, reference) in references.enumerated() where reference.store == store {
            places[Int(reference.key - low)] = Int32(place)
        }
        return .dense(first: low, places: places)
    }

    subscript(reference: ObjectReference) -> Int? {
        switch tables[reference.store] {
        case .dense(let first, let places):
            let (index, overflows) = reference.key.subtractingReportingOverflow(first)
            guard !overflows, index >= 0, index < places.count, places[Int(index)] >= 0 else { return nil }
            return Int(places[Int(index)])
        case .sparse(let table): return table[reference.key].map { Int($0) }
        case nil: return nil
        }
    }
}
