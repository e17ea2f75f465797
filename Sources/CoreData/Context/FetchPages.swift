import CSwiftRuntime
import FoundationGaps

/// The result of a fetch with a batch size, cut into pages: the row of any of a page's faults brings those of all of them.
///
/// The rows of pages that were not touched for long are let go, so that a walk through a long result takes the memory of
/// some pages and not of all. Used on the context's queue.
final class FetchPages {
    /// The rows that stay at hand, if the pages are not so large that two of them are more.
    private static let warmRows = 1000

    private let references: [ObjectReference]
    /// The tree of the results' entities.
    private let root: Int32
    private let size: Int
    /// Relationships whose destinations come with a page.
    fileprivate let prefetched: [String]
    /// Where each object stands in the result, by store and key; made when the first fault asks.
    private lazy var places = makePlaces()
    /// The pages whose rows are at hand, the last one touched at the end.
    private var warm: [Int] = []

    init(_ references: [ObjectReference], root: Int32, request: AnyFetchRequest) {
        self.references = references
        self.root = root
        size = request.fetchBatchSize
        prefetched = request.relationshipKeyPathsForPrefetching ?? []
    }

    /// The page that an object is on, if it is on one.
    fileprivate func page(of object: NSManagedObject) -> Int? {
        guard object.layout.rootNumber == root, let place = places[object.store]?[object.key] else { return nil }
        return Int(place) / size
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

    private func makePlaces() -> [Int32: KeyTable<Int32>] {
        var tables: [Int32: KeyTable<Int32>] = [:]
        for (place, reference) in references.enumerated() {
            let table = tables[reference.store] ?? KeyTable(minimumCapacity: references.count)
            tables[reference.store] = table
            table.set(reference.key, Int32(place))
        }
        return tables
    }
}

extension NSManagedObjectContext {
    /// Cuts the result of a fetch into pages. Those of earlier results go once nobody has their objects.
    ///
    /// - Throws: What the store reports of the first page, where that has to be loaded to see whether its relationships can
    ///   be prefetched.
    func enterPages(_ references: [ObjectReference], of request: AnyFetchRequest) throws {
        pagedFetches.removeAll { !$0.isInUse(in: self) }
        guard let first = references.first else { return }
        let pages = FetchPages(references, root: requiredCoordinator.layouts[first.entity].rootNumber, request: request)
        pagedFetches.append(pages)
        if !pages.prefetched.isEmpty { try load(0, of: pages) }
    }

    /// Loads the rows of the page that a fault is on, if it is on one.
    func loadPage(of fault: NSManagedObject) throws {
        for pages in pagedFetches.reversed() {
            guard let page = pages.page(of: fault) else { continue }
            return try load(page, of: pages)
        }
    }

    private func load(_ page: Int, of pages: FetchPages) throws {
        let objects = pages.references(on: page).compactMap { registeredObject(for: $0) }
        try loadRows(of: objects.filter { $0.isFault && $0.row == nil && !$0.reference.isTemporary })
        if !pages.prefetched.isEmpty { try prefetch(pages.prefetched, of: objects) }
        for cold in pages.touch(page) { pages.references(on: cold).forEach { letRowGo(of: $0) } }
    }

    /// Reads the rows of faults from their stores, as a fetch without pages would have.
    private func loadRows(of faults: [NSManagedObject]) throws {
        for (store, faults) in Dictionary(grouping: faults, by: \.store) {
            _ = register(RowBatch(try source.freshRows(for: faults.map(\.reference))), store: store)
        }
    }

    /// Lets go of the row of an unchanged object that only the result holds. One that the app holds beside it keeps its
    /// values, as every object does.
    private func letRowGo(of reference: ObjectReference) {
        guard let object = registeredObject(for: reference), object.row != nil, !object.hasChanges else { return }
        let count = coredata_retain_count(Unmanaged.passUnretained(object).toOpaque())
        // The result's reference and the one just made.
        guard count <= 2 else { return }
        if object.isFault { object.snapshot = nil } else { object.turnIntoFault() }
    }
}
