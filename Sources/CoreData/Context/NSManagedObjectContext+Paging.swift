import CSwiftRuntime
import FoundationGaps

extension NSManagedObjectContext {
    /// Cuts the result of a fetch into pages. Pages of earlier results go once nothing holds their objects.
    ///
    /// - Throws: What the store reports of the first page, where that has to be loaded to see whether its relationships
    ///   can be prefetched.
    func makePages(_ references: [ObjectReference], of request: AnyFetchRequest, _ part: RowPart?) throws {
        let inUse = held.pagedFetches.filter { $0.isInUse { registeredObject(for: $0) != nil } }
        held.pagedFetches = inUse
        guard let first = references.first else { return }
        let root = requiredCoordinator.layouts[first.entity].rootNumber
        let pages = FetchPages(references, root: root, request: request, part)
        held.pagedFetches.append(pages)
        if !pages.prefetched.isEmpty { try load(0, of: pages) }
    }

    /// Loads the rows of the page that a fault is on, if it is on one.
    func loadPage(of fault: NSManagedObject) throws {
        for pages in held.pagedFetches.reversed() {
            guard let page = pages.page(of: fault.reference, root: fault.layout.rootNumber) else { continue }
            return try load(page, of: pages)
        }
    }

    private func load(_ page: Int, of pages: FetchPages) throws {
        try pages.load(page) { references in
            let objects = registeredObjects(for: references).compactMap { $0 }
            let areInParts = pages.part != nil
            let missing = objects.filter { object in
                let hasRow = areInParts ? object.row != nil : object.snapshot != nil
                return object.isUnfired && !hasRow && !object.reference.isTemporary
            }
            try loadRows(of: missing, pages.part)
            if !pages.prefetched.isEmpty { try prefetch(pages.prefetched, of: objects) }
            for cold in pages.touch(page) { pages.references(on: cold).forEach { letRowGo(of: $0) } }
        }
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
