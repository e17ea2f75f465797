import FoundationGaps

/// What a request finds, as a collection that makes its objects when they are read.
///
/// ```swift
/// let request = NSFetchRequest<Player>(entityName: "Player")
/// request.sortDescriptors = [NSSortDescriptor(key: "lastName", ascending: true)]
/// for player in try context.results(of: request) { print(player.lastName ?? "") }
/// ```
///
/// An array has an object for each result, even if it is only a fault. Here a result takes sixteen bytes until its page
/// is read. Then one query reads the rows of the page, and its objects are made. Pages that were not used for long are
/// released, with the objects that nothing else holds. So a walk through a million results takes the memory of some
/// pages.
///
/// The results and their order are fixed when the collection is made. Unsaved changes of the context count. The values
/// are those of the moment in which the page is read. An object that is deleted later stays an element, as in an array.
/// Use the collection, like the objects, on its context's queue.
public struct FetchResults<Object: NSManagedObject>: RandomAccessCollection {
    private let pages: ResultPages

    init(_ pages: ResultPages) { self.pages = pages }

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of results. It is known without a query.
    public var endIndex: Int { pages.count }

    /// The object at a place. Its page is read if it is not in memory.
    ///
    /// ```swift
    /// let players = try context.results(of: request)
    /// if players.count > 1000 { print(players[1000].lastName ?? "") }     // reads one page
    /// ```
    ///
    /// A place outside the results traps. A store that can't be read traps too, as the fault of an array would.
    public subscript(position: Int) -> Object {
        // The code that made the collection saw to it that every result is an Object.
        unsafeDowncast(pages[position], to: Object.self)
    }

    /// The IDs of all results, in their order. No row is read.
    ///
    /// ```swift
    /// let ids = Array(try context.results(of: request).objectIDs)
    /// await background.perform { print(ids.count, background.registeredObjects.count) }
    /// ```
    ///
    /// If all results are saved, no object is made either. IDs of objects that were never saved are temporary.
    public var objectIDs: some RandomAccessCollection<NSManagedObjectID> {
        (0..<pages.count).lazy.map { [pages] in pages.objectID($0) }
    }
}

/// The context is of one queue, and so is what it found.
@available(*, unavailable, message: "Results belong to their context's queue; hand over objectIDs instead.")
extension FetchResults: Sendable {}

/// The results of a fetch, cut into pages of which some are at hand.
///
/// Used on the context's queue.
final class ResultPages {
    /// How many results a page has where the request does not say.
    private static let standardSize = 128
    /// About how many objects are held at a time.
    private static let warmObjects = 1024

    private let context: NSManagedObjectContext
    private let references: [ObjectReference]
    /// The results that no store has yet, by their place: a save gives them other references.
    private let unsaved: [Int: NSManagedObject]
    private let size: Int
    private let prefetched: [String]
    /// What is read of the rows; nil: all.
    private let part: RowPart?
    private let fires: Bool
    private let limit: Int
    /// The pages at hand, the last one looked at in front.
    private var warm: [Page] = []

    private struct Page {
        let number: Int
        let objects: [NSManagedObject]
    }

    init(
        _ references: [ObjectReference], of request: AnyFetchRequest, _ part: RowPart?,
        in context: NSManagedObjectContext
    ) {
        self.context = context
        self.references = references
        var unsaved: [Int: NSManagedObject] = [:]
        for (place, reference) in references.enumerated() where reference.isTemporary {
            unsaved[place] = context.object(for: reference)
        }
        self.unsaved = unsaved
        size = request.fetchBatchSize > 0 ? request.fetchBatchSize : Self.standardSize
        self.part = part
        prefetched = request.relationshipKeyPathsForPrefetching ?? []
        fires = !request.returnsObjectsAsFaults
        limit = Swift.max(2, Self.warmObjects / size)
    }

    var count: Int { references.count }

    subscript(position: Int) -> NSManagedObject {
        require(
            references.indices.contains(position),
            "There is no result \(position): the fetch found \(references.count). Use an index of its indices.")
        let number = position / size
        if let page = warm.first, page.number == number { return page.objects[position - number * size] }
        return page(number).objects[position - number * size]
    }

    func objectID(_ place: Int) -> NSManagedObjectID {
        if unsaved.isEmpty, let id = context.objectID(for: references[place]) { return id }
        return object(place).ownID
    }

    /// The object at a place, whether its row is at hand or not.
    private func object(_ place: Int) -> NSManagedObject { unsaved[place] ?? context.object(for: references[place]) }

    private func objects(_ places: Range<Int>) -> [NSManagedObject] {
        unsaved.isEmpty ? context.objects(for: references[places]) : places.map { object($0) }
    }

    private func page(_ number: Int) -> Page {
        context.checkQueue()
        if let place = warm.firstIndex(where: { $0.number == number }) {
            warm.insert(warm.remove(at: place), at: 0)
            return warm[0]
        }
        let page = Page(number: number, objects: load(number))
        // What is let go is gone before the next page comes.
        if warm.count >= limit { warm.removeLast() }
        warm.insert(page, at: 0)
        return page
    }

    private func load(_ number: Int) -> [NSManagedObject] {
        let places = number * size..<Swift.min((number + 1) * size, references.count)
        do {
            let rows = try context.loadMissingRows(of: references[places], part)
            let objects = withExtendedLifetime(rows) { self.objects(places) }
            if !prefetched.isEmpty { try context.prefetch(prefetched, of: objects) }
            if fires { objects.forEach { $0.fireIfNeeded() } }
            return objects
        } catch {
            guard let handler = context.unreadableFaultHandler else {
                programmerError(
                    "CoreData could not load the results \(places): \(error). Keep the store attached and readable as long as its objects are used."
                )
            }
            handler(error)
            return objects(places)
        }
    }
}

extension NSManagedObjectContext {
    /// What a request finds, as a collection that makes objects page by page: see ``FetchResults``.
    ///
    /// ```swift
    /// let players = try context.results(of: request)
    /// for player in players.prefix(10) { print(player.lastName ?? "") }
    /// ```
    ///
    /// A page has ``AnyFetchRequest/fetchBatchSize`` results, or 128 if that is 0.
    ///
    /// - Parameter request: A request for objects. Its limit, offset and order count, and its relationships for
    ///   prefetching come with each page.
    /// - Throws: What ``fetch(_:)`` throws. `NSPersistentStoreOperationError` (134070) if the request is for IDs,
    ///   dictionaries or a count. The same if a class that it may find is no `Object`, and for a relationship to
    ///   prefetch that does not exist.
    public func results<Object: NSManagedObject>(of request: NSFetchRequest<Object>) throws -> FetchResults<Object> {
        checkQueue()
        let fetch = try ContextFetch(request, in: self)
        guard request.resultType == .managedObjectResultType else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "results(of:) walks objects; fetch(_:) has IDs, dictionaries and counts of \(request.entityName ?? "?")."
            )
        }
        let entity = fetch.storeFetch.entity
        let entities = request.includesSubentities ? entity.selfAndDescendants : [entity]
        if let other = entities.first(where: { !$0.isAbstract && !($0.managedClass is Object.Type) }) {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "The request for \(entity.name) may find a \(other.managedClass), which is no \(Object.self).")
        }
        try request.relationshipKeyPathsForPrefetching?.forEach { try entity.checkPrefetching($0) }
        return FetchResults(ResultPages(try fetch.references(), of: request, fetch.part, in: self))
    }

    /// Reads the rows that the objects of a page don't have, as the store has them now.
    ///
    /// - Returns: The objects that took them, which are to be held until the page has them: registered ones are held
    ///   weakly.
    fileprivate func loadMissingRows(
        of references: some Collection<ObjectReference>, _ part: RowPart?
    ) throws -> [NSManagedObject] {
        let known = registeredObjects(for: references)
        let missing = zip(references, known).filter { !$0.isTemporary && $1?.snapshot == nil }.map(\.0)
        return try groupedByTree(missing).flatMap { group in
            let rows = try part.map { try source.parts($0, of: group) } ?? source.freshRows(for: group)
            return register(RowBatch(rows), store: group[0].store)
        }
    }
}
