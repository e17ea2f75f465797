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
    /// How far from either end rows are read without the keys of all.
    private static let edge = 500

    /// The rows of a window, with the number of all rows as soon as it is known.
    func rows(_ request: RowsRequest) async throws -> JSON {
        guard request.from >= 0, (1...Self.mostRows).contains(request.count), request.columns.count <= 500 else {
            throw StudioError(.invalidRequest, "A window has 1 to \(Self.mostRows) rows, from 0 on.")
        }
        let references = try await references(request)
        let titles = ObjectTitles(chosen: request.titles ?? [:])
        let rows = try await screen.read { session in
            let entity = try session.entity(named: request.query.entity)
            return try RowReader(session, entity, columns: request.columns, titles).rows(references)
        }
        var total = await knownTotal(request.query)
        // Fewer rows than were asked for are the last ones.
        if total == nil, rows.count < request.count, !rows.isEmpty || request.from == 0 {
            total = request.from + rows.count
        }
        return ["from": .integer(request.from), "total": .optional(total), "rows": .array(rows)]
    }

    /// The number of a query's rows.
    func total(_ query: RowQuery) async throws -> JSON {
        if let known = await knownTotal(query) { return ["total": .integer(known)] }
        return ["total": .integer(try await list(query).count)]
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
        let task = Task { [background] in
            do {
                let found = try await background.read { try RowFinder(query, $0).all(monitor) }
                lists.finish(query, found)
                return found
            } catch {
                lists.remove(query)
                throw error
            }
        }
        lists.add(RowLists.Entry(query: query, task: task, monitor: monitor))
        return task
    }
}
