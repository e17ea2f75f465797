import FoundationGaps

/// Answers a fetch from rows, where no database does: predicate, order, window and output are computed here.
struct RowFetch {
    let fetch: StoreFetch
    let graph: RowGraph

    /// - Parameter rows: All rows of the fetch's entity, and of those below it if they are wanted, in the order of
    ///   their keys.
    /// - Throws: 134091 where the request can't be answered; what reading throws; `NSUserCancelledError` for a fetch
    ///   that was cancelled.
    func result(of rows: [RowSnapshot]) throws -> StoreFetchResult {
        try fetch.checkForRows()
        let found = try objects(in: rows)
        switch fetch.output {
        case .dictionaries(let columns, let groups, let having, let isDistinct):
            let dictionaries = RowDictionaries(
                columns: columns, groups: groups, having: having, isDistinct: isDistinct, fetch: fetch)
            return .dictionaries(try checked(try dictionaries.of(found)))
        case .count: return .count(try checked(fetch.window(found.count)))
        case .references: return .references(try checked(arranged(found)).map(\.reference))
        case .rows, .parts: return .rows(RowBatch(try checked(arranged(found)).map(\.row)))
        }
    }

    /// The objects for which the predicate holds.
    private func objects(in rows: [RowSnapshot]) throws -> [RowObject] {
        var found: [RowObject] = []
        for row in rows {
            fetch.monitor?.noteRow()
            try fetch.monitor?.checkCancellation()
            let object = RowObject(row, in: graph)
            if try holds(of: object) { found.append(object) }
        }
        return found
    }

    private func holds(of object: RowObject) throws -> Bool {
        do { return try fetch.predicate?.evaluateOrThrow(with: object, reader: graph) ?? true } catch let error
            as PredicateEvaluationError
        {
            throw StoreRequestFailure.unsupported("\(error)")
        }
    }

    private func arranged(_ objects: [RowObject]) -> [RowObject] {
        if fetch.sortDescriptors.isEmpty { return fetch.window(objects) }
        return fetch.window(ObjectOrder(fetch.sortDescriptors).sorted(objects).map(\.object))
    }

    private func checked<Value>(_ value: Value) throws -> Value {
        if let failure = graph.failure { throw failure }
        return value
    }
}

extension StoreFetch {
    /// Refuses what an app's code would have to judge by managed objects.
    ///
    /// - Throws: 134091 for a block and for a comparator.
    func checkForRows() throws {
        if sortDescriptors.contains(where: { $0.usesComparatorBlock || $0.key == nil }) {
            throw StoreRequestFailure.unsupported(
                "a sort descriptor has a comparator block or no key, and can only sort managed objects")
        }
        if predicate?.hasBlock ?? false {
            throw StoreRequestFailure.unsupported(
                "a predicate is a block or a class of its own, which judges managed objects only")
        }
    }
}

extension NSPredicate {
    /// Whether a part of the predicate is a block, or of an app's own class.
    fileprivate var hasBlock: Bool {
        if let compound = plainCompound { return compound.subpredicates.contains { $0.hasBlock } }
        return !(self is NSComparisonPredicate) && constantTruth == nil
    }
}
