import FoundationGaps

extension NSManagedObjectContext {
    /// See ``fetch(_:)``.
    ///
    /// - Parameter monitor: What watches the stores' reads, if they are watched.
    func results<T>(_ request: NSFetchRequest<T>, _ monitor: ReadMonitor? = nil) throws -> [T] {
        checkQueue()
        return try Activity.fetches.measured { try measuredFetch(request, monitor) }
    }

    private func measuredFetch<T>(_ request: NSFetchRequest<T>, _ monitor: ReadMonitor?) throws -> [T] {
        switch request.resultType {
        case .countResultType:
            return try typed([NSNumber(value: try ContextFetch(request, in: self, monitor).count())], request)
        case .managedObjectIDResultType:
            let references = try ContextFetch(request, in: self, monitor).references()
            return try typed(references.compactMap { objectID(for: $0) }, request)
        case .dictionaryResultType:
            let dictionaries = try ContextFetch(request, in: self, monitor).dictionaries()
            // By way of Any the types of the arrays are compared: where they are the same, no dictionary is looked at.
            return try dictionaries as Any as? [T] ?? typed(dictionaries, request)
        default:
            let objects = try fetchObjects(request, monitor)
            guard let type = T.self as? NSManagedObject.Type, objects.allAre(type) else {
                return try typed(objects, request)
            }
            // Every object is a T, and arrays of references to objects look the same whatever their class. A cast would
            // ask the runtime for each, and take longer than all else that a fetch does for it.
            return unsafeBitCast(objects, to: [T].self)
        }
    }

    func typed<T>(_ results: [Any], _ request: NSFetchRequest<T>) throws -> [T] {
        try results.map { result in
            guard let typed = result as? T else {
                throw NSError.cocoa(
                    NSPersistentStoreOperationError,
                    "The request for \(request.entityName ?? "?") yields \(type(of: result)), not \(T.self); its result type and NSFetchRequest<\(T.self)> don't fit."
                )
            }
            return typed
        }
    }

    /// See ``execute(_:)``.
    func carryOut(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        guard let request = request as? any ExecutableRequest else {
            throw NSError.cocoa(
                NSPersistentStoreUnsupportedRequestTypeError, "A context can't execute a \(type(of: request)).")
        }
        return try request.execute(in: self)
    }

    /// See ``count(for:)``.
    func resultCount(for request: AnyFetchRequest) throws -> Int {
        checkQueue()
        return try Activity.fetches.measured { try ContextFetch(request, in: self).count() }
    }

    /// The results of a request, from rows that were found elsewhere.
    func fetch<T>(
        _ request: NSFetchRequest<T>, prepared fetch: ContextFetch, _ rows: StoredRows
    ) throws -> [T] {
        try typed(try finish(request, fetch.objects(of: rows)), request)
    }

    private func fetchObjects(_ request: AnyFetchRequest, _ monitor: ReadMonitor?) throws -> [NSManagedObject] {
        try finish(request, try ContextFetch(request, in: self, monitor).objects())
    }

    private func finish(_ request: AnyFetchRequest, _ objects: [NSManagedObject]) throws -> [NSManagedObject] {
        // Of pages, each brings its own.
        if request.isPaged { return objects }
        if let keyPaths = request.relationshipKeyPathsForPrefetching { try prefetch(keyPaths, of: objects) }
        if !request.returnsObjectsAsFaults { objects.forEach { $0.fireIfNeeded() } }
        return objects
    }
}

/// A request that a context can be told to execute.
package protocol ExecutableRequest: NSPersistentStoreRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension [NSManagedObject] {
    /// Whether every object is an instance of a class or of one of its subclasses.
    func allAre(_ type: NSManagedObject.Type) -> Bool {
        if type == NSManagedObject.self { return true }
        var last: ObjectIdentifier?
        return allSatisfy { object in
            let own = ObjectIdentifier(Swift.type(of: object))
            if own == last { return true }
            last = own
            return Swift.type(of: object).isSubclass(of: type)
        }
    }
}

extension NSManagedObject {
    fileprivate class func isSubclass(of other: NSManagedObject.Type) -> Bool {
        var current: AnyClass? = self
        while let type = current {
            if type == other { return true }
            current = _getSuperclass(type)
        }
        return false
    }
}

/// A request, checked against the model, on its way through one context.
struct ContextFetch {
    let context: NSManagedObjectContext
    /// Nil: a child asks.
    private let request: AnyFetchRequest?
    let storeFetch: StoreFetch
    let stores: [NSPersistentStore]

    init(_ request: AnyFetchRequest, in context: NSManagedObjectContext, _ monitor: ReadMonitor? = nil) throws {
        self.request = request
        self.context = context
        let coordinator = context.requiredCoordinator
        let layout = try coordinator.layout(of: request)
        var fetch = StoreFetch(entity: layout, output: .rows)
        fetch.includesSubentities = request.includesSubentities
        fetch.predicate = request.predicate
        fetch.sortDescriptors = request.sortDescriptors ?? []
        fetch.limit = request.fetchLimit
        fetch.offset = request.fetchOffset
        fetch.monitor = monitor
        fetch.request = request
        if request.resultType == .dictionaryResultType { fetch.output = try request.dictionaryOutput(for: layout) }
        stores = try coordinator.stores(for: layout, among: request.affectedStores)
        if request.resultType == .managedObjectResultType, let part = try request.part(for: layout),
            stores.count == 1 || fetch.sortDescriptors.isEmpty
        {
            // What is sorted here, over several stores, needs more of the rows.
            fetch.output = .parts(part)
        }
        storeFetch = fetch
        context.processPendingChanges()
        context.followPromotions()
    }

    /// What a child asks of its parent context. The parent's changes count.
    init(serving fetch: StoreFetch, in stores: [NSPersistentStore], by context: NSManagedObjectContext) {
        request = nil
        self.context = context
        storeFetch = fetch
        self.stores = stores
        context.processPendingChanges()
    }

    /// The objects that the request finds.
    func objects() throws -> [NSManagedObject] {
        let wantsRows =
            request.map { $0.includesPropertyValues && !$0.isPaged } ?? true
            && !stores.contains { $0.givesReferencesOnly }
        let pending = pending
        if wantsRows, pending == nil, let rows = try storedRows() { return objects(of: rows) }
        let references = try references(among: pending, loadingRows: wantsRows)
        let refreshes = request?.shouldRefreshRefetchedObjects ?? false
        let objects =
            wantsRows
            ? try context.loadRows(of: references, fresh: pending == nil, refreshes: refreshes)
            : context.objects(for: references)
        if let request, request.isPaged { try context.makePages(references, of: request, part) }
        return objects
    }

    /// Whether what the stores say is all that the result needs.
    var canBePreparedElsewhere: Bool {
        guard let request, context.parentContext == nil, stores.count == 1, pending == nil,
            !context.requiredCoordinator.servesAppStores.load(ordering: .relaxed)
        else { return false }
        if request.resultType != .managedObjectResultType { return true }
        return request.includesPropertyValues && !request.isPaged
    }

    /// What is read of the rows; nil: all.
    var part: RowPart? { if case .parts(let part) = storeFetch.output { part } else { nil } }

    /// What is wanted; a child wants objects.
    var resultType: NSFetchRequestResultType { request?.resultType ?? .managedObjectResultType }

    /// What the stores, or the parent, find; asks nothing of the context. Nil where there are only references to be
    /// had.
    func storedRows() throws -> StoredRows? { try context.source.storedRows(ofEachStore(storeFetch), in: stores) }

    /// The objects of rows that the stores found.
    func objects(of found: StoredRows) -> [NSManagedObject] {
        // The usual coordinator has one store. Its objects are the result as they are.
        if found.count == 1 { return register(found[0].1, from: found[0].0) }
        return arranged(found.flatMap { store, rows in register(rows, from: store) }, storeFetch)
    }

    private func register(_ rows: RowBatch, from store: NSPersistentStore) -> [NSManagedObject] {
        context.register(
            rows, store: store.token.number, refreshes: request?.shouldRefreshRefetchedObjects ?? false)
    }

    /// The references of what the request finds.
    func references() throws -> [ObjectReference] { try references(among: pending) }

    /// - Parameters:
    ///   - pending: The unsaved changes that take part, as ``pending`` has them.
    ///   - loadsRows: Whether the rows are wanted next.
    private func references(
        among pending: PendingFetch?, loadingRows loadsRows: Bool = false
    ) throws -> [ObjectReference] {
        if let pending { return try pending.references(loadingRows: loadsRows) }
        return try storedReferences(storeFetch)
    }

    /// How many objects the request finds.
    func count() throws -> Int {
        if let pending { return try pending.count() }
        var whole = storeFetch
        whole.output = .count
        return storeFetch.window(try context.source.count(whole, in: stores))
    }

    /// How this context's unsaved changes take part, if any can.
    var pending: PendingFetch? {
        guard request?.includesPendingChanges ?? true, context.hasUnsavedChanges else { return nil }
        let layout = storeFetch.entity
        // Those below an entity follow it.
        let entities =
            layout.number...layout.number + Int32(storeFetch.includesSubentities ? layout.descendantCount : 0)
        let relevant = context.unsaved.objects.filter { entities.contains($0.table.pointee.number) }
        return relevant.isEmpty ? nil : PendingFetch(fetch: self, changed: Array(relevant))
    }

    func storedReferences(_ fetch: StoreFetch) throws -> [ObjectReference] {
        var fetch = fetch
        fetch.output = .references
        let found = try context.source.references(ofEachStore(fetch), in: stores)
        guard stores.count > 1 else { return found }
        let objects = fetch.sortDescriptors.isEmpty ? context.objects(for: found) : try context.loadRows(of: found)
        return arranged(objects, fetch).map(\.reference)
    }

    func dictionaries() throws -> [NSDictionary] {
        try context.source.dictionaries(storeFetch, in: stores)
    }

    // MARK: Several stores

    /// What each of several stores is asked: none knows which of its objects come behind those of another.
    private func ofEachStore(_ fetch: StoreFetch) -> StoreFetch {
        stores.count > 1 ? fetch.wholeWindow() : fetch
    }

    /// The objects of several stores in the order that the fetch asks for, and the part of them.
    private func arranged(_ objects: [NSManagedObject], _ fetch: StoreFetch) -> [NSManagedObject] {
        if fetch.sortDescriptors.isEmpty { return fetch.window(objects) }
        return fetch.window(ObjectOrder<NSManagedObject>(fetch.sortDescriptors).sorted(objects).map(\.object))
    }
}

/// A fetch in a context with unsaved changes: the store's answer, corrected by what the context knows better.
struct PendingFetch {
    let fetch: ContextFetch
    let changed: [NSManagedObject]

    /// The references of the results, in the request's order.
    ///
    /// - Parameter loadsRows: Whether the store's rows are wanted next: they are then read as they are now.
    func references(loadingRows loadsRows: Bool) throws -> [ObjectReference] {
        let (stored, candidates) = try parts()
        guard !candidates.isEmpty, !fetch.storeFetch.sortDescriptors.isEmpty else {
            let references = fetch.storeFetch.window(stored + candidates.map(\.reference))
            if loadsRows { _ = try fetch.context.loadRows(of: references, fresh: true) }
            return references
        }
        // Better all rows together than one by one as comparisons ask for them.
        let held = loadsRows ? try fetch.context.loadRows(of: stored, fresh: true) : []
        return withExtendedLifetime(held) { fetch.storeFetch.window(merged(stored, candidates)) }
    }

    /// How many results there are; nothing has to be in order for that.
    func count() throws -> Int {
        let (stored, candidates) = try parts()
        return fetch.storeFetch.window(stored.count + candidates.count)
    }

    /// What the store finds of objects that have not changed here, and those that have and fulfil the predicate.
    private func parts() throws -> (stored: [ObjectReference], candidates: [NSManagedObject]) {
        // What the context changed may move in or out of the window, so the window is cut afterwards.
        let whole = fetch.storeFetch.wholeWindow(and: changed.count)
        let known = ReferenceSet(changed.map(\.reference))
        let stored = try fetch.storedReferences(whole).filter { !known.contains($0) }
        let candidates = try changed.filter {
            try !$0.state.contains(.deleted)
                && whole.predicate?.evaluateOrThrow(with: $0, reader: SlotReader.shared) ?? true
        }
        return (stored, candidates)
    }

    /// Both together, in the request's order.
    private func merged(_ stored: [ObjectReference], _ candidates: [NSManagedObject]) -> [ObjectReference] {
        let keys = ObjectOrder<NSManagedObject>(fetch.storeFetch.sortDescriptors)
        var result: [ObjectReference] = []
        result.reserveCapacity(stored.count + candidates.count)
        // The store's part is in order: what comes before a candidate is found from where the one before it went.
        var rest = stored[...]
        for candidate in keys.sorted(candidates) {
            let place = rest.nearbyPartitioningIndex { reference in
                keys.order(candidate, keys.row(fetch.context.object(for: reference))) == .orderedAscending
            }
            result += rest[..<place]
            result.append(candidate.object.reference)
            rest = rest[place...]
        }
        return result + rest
    }
}

extension [NSSortDescriptor] {
    /// How two objects are ordered by the first descriptor that tells them apart.
    func order(_ a: Any, _ b: Any) -> ComparisonResult {
        for descriptor in self {
            let result = descriptor.compare(a, to: b)
            if result != .orderedSame { return result }
        }
        return .orderedSame
    }
}

extension Array {
    /// The first index with an element that fulfils the predicate, as all behind it do.
    func partitioningIndex(where belongsToSecond: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
