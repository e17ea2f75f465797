import FoundationGaps

/// A store, or a state of it, with the identity that its objects' IDs have.
struct StoreSource {
    let reader: any StoreReader
    let token: StoreToken
}

extension StoreFetch {
    /// The dictionaries of several stores: those that one store with all their objects would give.
    ///
    /// Stores of one kind may have a way of their own. Else each gives its rows, and the dictionaries are computed of
    /// these.
    ///
    /// - Parameter objectIDAt: The ID of the object that a URI means.
    /// - Throws: What the stores throw; 134091 where the request can't be answered.
    func mergedDictionaries(
        of sources: [StoreSource], _ layouts: ModelLayout, objectIDAt: @escaping (String) -> NSManagedObjectID?
    ) throws -> [NSDictionary] {
        let readers = sources.map(\.reader)
        if let first = readers.first,
            let found = try first.mergedDictionaries(self, of: readers, layouts, objectIDAt: objectIDAt)
        {
            return found
        }
        guard case .dictionaries(let columns, let groups, let having, let isDistinct) = output else { return [] }
        var rows = unwindowed
        rows.output = .rows
        rows.sortDescriptors = []
        var objects: [RowObject] = []
        var graphs: [RowGraph] = []
        for source in sources {
            let graph = RowGraph(source.reader, layouts, token: source.token, objectIDAt: objectIDAt)
            graphs.append(graph)
            guard case .rows(let found) = try source.reader.fetch(rows) else { continue }
            objects += found.drained().map { RowObject($0, in: graph) }
        }
        let dictionaries = try RowDictionaries(
            columns: columns, groups: groups, having: having, isDistinct: isDistinct, fetch: self
        ).of(objects)
        if let failure = graphs.lazy.compactMap(\.failure).first { throw failure }
        return dictionaries
    }
}
