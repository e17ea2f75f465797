import CoreData
import StoreBrowsing

/// A window of a query's rows.
struct RowsRequest: Sendable, Decodable {
    var query: RowQuery
    /// The first row, from 0.
    var from: Int
    var count: Int
    /// The properties that are shown.
    var columns: [String]
    /// The attributes that make titles, by entity.
    var titles: [String: [String]]?
}

extension StoreSession {
    /// As many rows as a response has at most.
    static let mostRows = 200
    /// No store has as many rows.
    private static let farthestRow = 1 << 40
    /// How far from either end rows are read without the keys of all.
    private static let edge = 500

    /// The rows of a window, with the number of all rows as soon as it is known.
    func rows(_ request: RowsRequest) async throws -> JSON {
        guard (0...Self.farthestRow).contains(request.from), (1...Self.mostRows).contains(request.count),
            request.columns.count <= 500
        else {
            throw StudioError(.invalidRequest, "A window has 1 to \(Self.mostRows) rows, from 0 on.")
        }
        let (query, staged) = try await staged(request.query)
        var request = request
        request.query = query
        return try await rows(request, staged)
    }

    private func rows(_ request: RowsRequest, _ staged: StagedRows) async throws -> JSON {
        let (references, total) = try await window(request, staged)
        let changed = try await edits?.work { try $0.rows(references, request) } ?? [:]
        let stored = references.filter { changed[$0] == nil && !$0.isTemporary }
        let titles = ObjectTitles(chosen: request.titles ?? [:])
        let found = try await screen.read { session in
            let entity = try session.entity(named: request.query.entity)
            return try RowReader(session, entity, columns: request.columns, titles).rows(stored)
        }
        var rows = Dictionary(zip(stored, found)) { first, _ in first }
        rows.merge(changed) { $1 }
        return [
            "from": .integer(request.from), "total": .optional(total),
            "rows": .array(references.compactMap { rows[$0] }),
        ]
    }

    /// The objects of a window, new ones before those of the store, and the number of all as soon as it is known.
    private func window(
        _ request: RowsRequest, _ staged: StagedRows
    ) async throws -> (references: [ObjectReference], total: Int?) {
        if let whole = staged.whole {
            return (Array(whole.dropFirst(request.from).prefix(request.count)), whole.count)
        }
        let new = Array(staged.added.dropFirst(request.from).prefix(request.count))
        var rest = request
        rest.from = max(0, request.from - staged.added.count)
        rest.count = request.count - new.count
        let stored = rest.count > 0 ? try await references(rest) : []
        var total = await knownTotal(request.query)
        // Fewer rows than were asked for are the last ones.
        if total == nil, stored.count < rest.count, !stored.isEmpty || rest.from == 0 {
            total = rest.from + stored.count
        }
        return (new + stored, total.map { $0 + staged.added.count })
    }

    /// The number of a query's rows.
    func total(_ query: RowQuery) async throws -> JSON {
        let (query, staged) = try await staged(query)
        if let whole = staged.whole { return ["total": .integer(whole.count)] }
        let stored: Int
        if let known = await knownTotal(query) { stored = known } else { stored = try await list(query).count }
        return ["total": .integer(stored + staged.added.count)]
    }

    /// The query by what its objects are called now, with what the changes add to it.
    private func staged(_ query: RowQuery) async throws -> (RowQuery, StagedRows) {
        try await current(query) { ($1, try $0.rows(of: $1)) } ?? (query, StagedRows())
    }

    private func knownTotal(_ query: RowQuery) async -> Int? {
        if let total = lists.total(query) { return total }
        guard query.predicateText == nil, query.member == nil, query.object == nil, let count = counts?[query.entity]
        else { return nil }
        return query.includesSubentities ?? true ? count.all : count.own
    }

    // MARK: References

    private func references(_ request: RowsRequest) async throws -> [ObjectReference] {
        let (query, from, count) = (request.query, request.from, request.count)
        if let found = lists.entry(query)?.found { return Array(found.dropFirst(from).prefix(count)) }
        if from + count <= Self.edge {
            let first = try await screen.read { try RowFinder(query, $0).first(from + count) }
            // What is on the screen comes before what may be looked at next.
            begin(query)
            return Array(first.dropFirst(from))
        }
        if let total = await knownTotal(query), from < total, total - from <= Self.edge {
            let last = try await screen.read { try RowFinder(query, $0).last(total - from) }
            begin(query)
            return Array(last.prefix(count))
        }
        return Array(try await list(query).dropFirst(from).prefix(count))
    }

    /// All objects of a query.
    func list(_ query: RowQuery) async throws -> [ObjectReference] {
        if let found = lists.entry(query)?.found { return found }
        return try await begin(query).value
    }

    /// Has the keys of all objects of a query found in the background.
    @discardableResult
    private func begin(_ query: RowQuery) -> Task<[ObjectReference], any Error> {
        if let known = lists.entry(query) { return known.task }
        let monitor = ReadMonitor(FetchProgress(parent: nil, userInfo: nil))
        let task = Task { [background, age] in
            do {
                let found = try await background.read { try RowFinder(query, $0).all(monitor) }
                // What the store had before is of no use to others.
                if age == self.age { lists.finish(query, found) }
                return found
            } catch {
                if age == self.age { lists.remove(query) }
                throw error
            }
        }
        lists.add(RowLists.Entry(query: query, task: task, monitor: monitor))
        return task
    }
}
