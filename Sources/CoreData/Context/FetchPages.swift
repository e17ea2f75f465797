import CSwiftRuntime
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
    /// Relationships that have their destinations loaded with a page.
    fileprivate let prefetched: [String]
    /// Where each object stands in the result, by store and key; made when the first fault asks.
    private lazy var places = ResultPlaces(references)
    /// The pages that have their rows at hand, the last one touched at the end.
    private var warm: [Int] = []

    init(_ references: [ObjectReference], root: Int32, request: AnyFetchRequest, _ part: RowPart?) {
        self.references = references
        self.root = root
        size = request.fetchBatchSize
        self.part = part
        prefetched = request.relationshipKeyPathsForPrefetching ?? []
    }

    /// The page that an object is on, if it is on one.
    fileprivate func page(of object: NSManagedObject) -> Int? {
        guard object.layout.rootNumber == root, let place = places[object.reference] else { return nil }
        return place / size
    }

    fileprivate func references(on page: Int) -> ArraySlice<ObjectReference> {
        references[page * size..<min((page + 1) * size, references.count)]
    }

    /// Notes that a page is touched.
    ///
    /// - Returns: The pages that have not been for long.
    fileprivate func touch(_ page: Int) -> [Int] {
        warm.removeAll { $0 == page }
        warm.append(page)
        let cold = warm.dropLast(max(2, Self.warmRows / size))
        warm.removeFirst(cold.count)
        return Array(cold)
    }

    fileprivate func isInUse(in context: NSManagedObjectContext) -> Bool {
        references.contains { context.registeredObject(for: $0) != nil }
    }
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

extension NSManagedObjectContext {
    /// Cuts the result of a fetch into pages. Pages of earlier results go once nothing holds their objects.
    ///
    /// - Throws: What the store reports of the first page, where that has to be loaded to see whether its relationships
    ///   can be prefetched.
    func enterPages(_ references: [ObjectReference], of request: AnyFetchRequest, _ part: RowPart?) throws {
        held.pagedFetches.removeAll { !$0.isInUse(in: self) }
        guard let first = references.first else { return }
        let root = requiredCoordinator.layouts[first.entity].rootNumber
        let pages = FetchPages(references, root: root, request: request, part)
        held.pagedFetches.append(pages)
        if !pages.prefetched.isEmpty { try load(0, of: pages) }
    }

    /// Loads the rows of the page that a fault is on, if it is on one.
    func loadPage(of fault: NSManagedObject) throws {
        for pages in held.pagedFetches.reversed() {
            guard let page = pages.page(of: fault) else { continue }
            return try load(page, of: pages)
        }
    }

    private func load(_ page: Int, of pages: FetchPages) throws {
        let objects = registeredObjects(for: pages.references(on: page)).compactMap { $0 }
        let areInParts = pages.part != nil
        let missing = objects.filter { object in
            let hasRow = areInParts ? object.row != nil : object.snapshot != nil
            return object.isUnfired && !hasRow && !object.reference.isTemporary
        }
        try loadRows(of: missing, pages.part)
        if !pages.prefetched.isEmpty { try prefetch(pages.prefetched, of: objects) }
        for cold in pages.touch(page) { pages.references(on: cold).forEach { letRowGo(of: $0) } }
    }

    /// Reads the rows of faults from their stores, as a fetch without pages would have.
    private func loadRows(of faults: [NSManagedObject], _ part: RowPart?) throws {
        for (store, faults) in Dictionary(grouping: faults, by: \.store) {
            let references = faults.map(\.reference)
            let rows = try part.map { try source.parts($0, of: references) } ?? source.freshRows(for: references)
            _ = register(RowBatch(rows), store: store)
        }
    }

    /// Lets go of the row of an unchanged object that only the result holds. One that the app holds beside it keeps its
    /// values, as every object does.
    private func letRowGo(of reference: ObjectReference) {
        guard let object = registeredObject(for: reference), object.row != nil, !object.isChanged else { return }
        let count = coredata_retain_count(Unmanaged.passUnretained(object).toOpaque())
        // The result's reference and the one just made.
        guard count <= 2 else { return }
        if object.isUnfired { object.snapshot = nil } else { object.turnIntoFault() }
    }
}
