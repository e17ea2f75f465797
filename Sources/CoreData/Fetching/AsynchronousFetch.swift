import Dispatch
import FoundationGaps

/// An asynchronous fetch on its way: the stores are asked in the background, objects are made on the context's queue.
struct AsynchronousFetch<ResultType>: @unchecked Sendable {
    // Unchecked: result and request are used on the context's queue only, but for what the stores are asked, which does
    // not change meanwhile; rows are immutable.

    private let result: NSAsynchronousFetchResult<ResultType>
    private let monitor: ReadMonitor
    private var context: NSManagedObjectContext { result.managedObjectContext }
    private var request: NSFetchRequest<ResultType> { result.fetchRequest.fetchRequest }

    init(_ result: NSAsynchronousFetchResult<ResultType>) {
        self.result = result
        monitor = ReadMonitor(result.fetchProgress)
    }

    func start() throws {
        context.requireQueue()
        let fetch = try ContextFetch(request, in: context, monitor)
        // What depends on unsaved changes, the context's or its parent's, is found on its queue.
        guard fetch.canBePreparedElsewhere else {
            return context.perform { result.finish { try context.results(request, monitor) } }
        }
        let prepared = UncheckedTransfer(PreparedFetch(fetch))
        DispatchQueue.global(qos: .userInitiated).async {
            let answer = UncheckedTransfer(Result { try prepared.value.ask() })
            context.perform {
                let answer = answer.value.map { prepared.value.finish($0) }
                result.finish { try results(answer.get(), prepared.value.fetch) }
            }
        }
    }

    private func results(_ answer: PreparedFetch.Answer, _ fetch: ContextFetch) throws -> [ResultType] {
        // What changed here meanwhile counts.
        guard fetch.pending == nil else { return try context.fetch(request) }
        switch answer {
        case .overtaken, .ahead: return try context.fetch(request)
        case .rows(let rows): return try context.fetch(request, prepared: fetch, rows)
        case .references(let found): return try context.typed(found.compactMap { context.objectID(for: $0) }, request)
        case .count(let count): return try context.typed([NSNumber(value: count)], request)
        case .dictionaries(let found):
            return try context.typed(found, request)
        }
    }
}

/// A fetch that the stores are asked away from the context's queue.
private struct PreparedFetch {
    enum Answer {
        /// Rows that are still to be compared with what was written since they were read.
        case ahead(RowsAhead)
        case rows(StoredRows)
        case references([ObjectReference])
        case count(Int)
        case dictionaries([NSDictionary])
        /// What was found is out of date.
        case overtaken
    }

    let fetch: ContextFetch
    private let generation: QueryGeneration?
    private let source: any ObjectSource
    private let coordinator: NSPersistentStoreCoordinator
    private let type: NSFetchRequestResultType

    init(_ fetch: ContextFetch) {
        self.fetch = fetch
        source = fetch.context.source
        generation = fetch.context.pinned.generation
        coordinator = fetch.context.requiredCoordinator
        type = fetch.resultType
    }

    /// What the stores answer.
    func ask() throws -> Answer {
        var asked = fetch.storeFetch
        switch type {
        case .countResultType:
            asked.output = .count
            return .count(fetch.storeFetch.window(try source.count(asked, in: fetch.stores)))
        case .dictionaryResultType: return .dictionaries(try source.dictionaries(asked, in: fetch.stores))
        case .managedObjectIDResultType:
            asked.output = .references
            return .references(try source.references(asked, in: fetch.stores))
        default:
            // A generation's rows are never out of date.
            if generation != nil { return .rows(try source.storedRows(asked, in: fetch.stores) ?? []) }
            return .ahead(try coordinator.readAhead(asked, in: fetch.stores))
        }
    }

    /// On the context's queue: what is still true.
    func finish(_ answer: Answer) -> Answer {
        var current = answer
        // In any case, for the read ends with it.
        if case .ahead(let ahead) = answer { current = coordinator.finishRead(ahead).map { .rows($0) } ?? .overtaken }
        return generation === fetch.context.pinned.generation ? current : .overtaken
    }
}
