import FoundationGaps

/// What a request finds, as a collection that makes its objects when they are asked for.
///
/// An array has to hold an object for each result, be it only a fault. Here a result is sixteen bytes until its page is
/// looked at: then the rows of the page are read in one query, and its objects are made. Pages that were not looked at
/// for long are let go, with the objects that nothing else holds, so a walk through a million results takes the memory
/// of some pages.
///
/// ```swift
/// let request = NSFetchRequest<Player>(entityName: "Player")
/// request.sortDescriptors = [NSSortDescriptor(key: "lastName", ascending: true)]
/// for player in try context.results(of: request) { print(player.lastName ?? "") }
/// ```
///
/// Which objects are found, and in which order, is settled when the collection is made, unsaved changes of the context
/// included; their values are those of the moment in which their page is loaded. An object that was deleted since is
/// still an element, as it is one of an array. Use the collection, like the objects, on its context's queue.
public struct FetchResults<Object: NSManagedObject>: RandomAccessCollection {
    private let pages: ResultPages

    init(_ pages: ResultPages) { self.pages = pages }

    public var startIndex: Int { 0 }
    public var endIndex: Int { pages.count }

    /// The object at a place; its page is loaded if it is not at hand.
    ///
    /// A store that can't be read traps, as the fault of an array would.
    public subscript(position: Int) -> Object {
        // The code that made the collection saw to it that every result is an Object.
        unsafeDowncast(pages[position], to: Object.self)
    }

    /// The IDs of all results, in their order. No object is made, and no row is read.
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
        precondition(
            references.indices.contains(position),
            "There is no result \(position): the fetch found \(references.count).")
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
                preconditionFailure("CoreData could not load the results \(places): \(error)")
            }
            handler(error)
            return objects(places)
        }
    }
}

extension NSManagedObjectContext {
    /// What a request finds, to be walked without an object for each result: see ``FetchResults``.
    ///
    /// - Parameter request: A request for objects. Its ``AnyFetchRequest/fetchBatchSize`` is the size of a page, where
    ///   it is not 0.
    /// - Throws: A predicate or sort descriptor that the store can't answer; what the store reports;
    ///   `NSPersistentStoreOperationError` (134070) for a request for something else than objects, or for an entity
    ///   with a class that is no `Object`, and for a relationship to prefetch that does not exist.
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
