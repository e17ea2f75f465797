import FoundationGaps

extension NSPredicate {
    /// A predicate for objects whose texts have the words of a query. An extension; Apple has none.
    ///
    /// ```swift
    /// request.predicate = NSPredicate(matchingText: "larry bir*")
    /// request.predicate = NSPredicate(matchingText: "\"larry bird\"", in: "lastName")
    /// ```
    ///
    /// It is `SELF matchesText: "…"`, or `lastName matchesText: "…"`, in the format language. All words must be there.
    /// `dat*` stands for words that begin so, and `"core data"` in quotes for words side by side. Any text is a query;
    /// one without a word finds nothing. See <doc:FullTextSearch>.
    ///
    /// - Parameters:
    ///   - text: What to search for, as a user types it.
    ///   - key: The attribute to search, or a key path to one or to an object. Nil: the object itself, with all
    ///     attributes that are marked.
    public convenience init(matchingText text: String, in key: String? = nil) {
        _ = TextSearch.isRegistered
        self.init(
            format: (key == nil ? "SELF" : "%K") + " matchesText: %@", argumentArray: (key.map { [$0] } ?? []) + [text])
    }
}

extension NSManagedObjectContext {
    /// The objects that a full-text search finds, the best first, each with its rank and a snippet. An extension.
    ///
    /// ```swift
    /// let request = Player.fetchRequest()
    /// request.predicate = NSPredicate(format: "age >= 20")
    /// request.fetchLimit = 20
    /// for match in try context.matches(for: "swift data*", in: request) {
    ///     print(match.object.lastName ?? "", match.snippet)
    /// }
    /// ```
    ///
    /// The results are what the store has, as those of a fetch for dictionaries: unsaved changes do not count. Objects
    /// that the context has deleted are left out. For results with unsaved changes fetch with
    /// `NSPredicate(matchingText:)`, which has no rank.
    ///
    /// - Parameters:
    ///   - text: What to search for, as a user types it.
    ///   - request: Which objects to search. Its sort descriptors, if it has any, take the place of the rank's order.
    ///     Limit and offset are those of the matches.
    ///   - key: The attribute to search; nil: all attributes that are marked.
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` (134091) if a store has no index for full-text search,
    ///   or the attribute is not in it; what ``fetch(_:)`` throws.
    public func matches<Object: NSManagedObject>(
        for text: String, in request: NSFetchRequest<Object>, attribute key: String? = nil
    ) throws -> [NSFullTextMatch<Object>] {
        let stores = try requiredCoordinator.stores(
            for: requiredCoordinator.layout(of: request), among: request.affectedStores)
        if stores.count == 1 { return try matches(Self.search(for: text, in: request, key), request) }
        return try stores.matches(request) { part in try matches(Self.search(for: text, in: part, key), part) }
    }

    /// The objects that a search's rows name.
    private func matches<Object: NSManagedObject>(
        _ search: NSFetchRequest<NSDictionary>, _ request: NSFetchRequest<Object>
    ) throws -> [NSFullTextMatch<Object>] {
        let found = try fetch(search)
        let ids = found.compactMap { $0[SearchColumn.object] as? NSManagedObjectID }
        let objects = try self.objects(ids, as: request)
        return found.compactMap { row in
            guard let id = row[SearchColumn.object] as? NSManagedObjectID, let object = objects[id] else { return nil }
            return NSFullTextMatch(
                object, rank: (row[SearchColumn.rank] as? NSNumber)?.doubleValue ?? 0,
                marked: row[SearchColumn.snippet] as? String ?? "")
        }
    }

    /// The attributes of an entity that are marked for full-text search, and how they are split into words.
    package func searchedAttributes(
        of entity: NSEntityDescription
    ) throws -> (names: [String], tokenizer: TextTokenizer) {
        guard let layout = requiredCoordinator.layouts.layout(named: entity.name ?? "") else { return ([], .words) }
        let marks = try layout.textMarks()
        return (marks.slots(of: layout).map(\.name), marks.tokenizer)
    }

    /// Whether the stores have an index for full-text search of an entity and its subentities.
    package func hasSearchIndex(of entity: NSEntityDescription) throws -> Bool {
        guard let layout = requiredCoordinator.layouts.layout(named: entity.name ?? "") else { return false }
        return try requiredCoordinator.stores(for: layout, among: nil).allSatisfy { store in
            try (store as? any SearchedStore)?.hasSearchIndex(of: layout) ?? false
        }
    }

    /// The request for the rows of a search.
    private static func search<Object>(
        for text: String, in request: NSFetchRequest<Object>, _ key: String?
    ) -> NSFetchRequest<NSDictionary> {
        let search = NSFetchRequest<NSDictionary>(copying: request)
        let place = key.map { NSExpression(forKeyPath: $0) } ?? NSExpression.expressionForEvaluatedObject()
        func column(_ name: String, _ expression: NSExpression, _ type: NSAttributeType) -> NSExpressionDescription {
            let column = NSExpressionDescription()
            (column.name, column.expression, column.expressionResultType) = (name, expression, type)
            return column
        }
        func value(_ function: TextFunction) -> NSExpression {
            NSExpression(
                forFunction: place, selectorName: function.rawValue,
                arguments: [NSExpression(forConstantValue: text)])
        }
        search.resultType = .dictionaryResultType
        (search.propertiesToGroupBy, search.havingPredicate, search.returnsDistinctResults) = (nil, nil, false)
        search.propertiesToFetch = [
            column(SearchColumn.object, .expressionForEvaluatedObject(), .objectIDAttributeType),
            column(SearchColumn.rank, value(.rank), .doubleAttributeType),
            column(SearchColumn.snippet, value(.snippet), .stringAttributeType),
        ]
        if (request.sortDescriptors ?? []).isEmpty {
            search.sortDescriptors = [NSSortDescriptor(key: SearchColumn.rank, ascending: true)]
        }
        return search
    }

    /// The objects with some IDs, fetched as a request asks for it.
    private func objects<Object: NSManagedObject>(
        _ ids: [NSManagedObjectID], as request: NSFetchRequest<Object>
    ) throws -> [NSManagedObjectID: Object] {
        if ids.isEmpty { return [:] }
        let fetch = NSFetchRequest<Object>(copying: request)
        fetch.predicate = NSPredicate(format: "SELF IN %@", ids as NSArray)
        (fetch.fetchLimit, fetch.fetchOffset, fetch.fetchBatchSize) = (0, 0, 0)
        (fetch.sortDescriptors, fetch.resultType) = (nil, .managedObjectResultType)
        return Dictionary(try self.fetch(fetch).map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension [NSPersistentStore] {
    /// The matches of all stores together, of which each knows its own.
    fileprivate func matches<Object: NSManagedObject>(
        _ request: NSFetchRequest<Object>,
        _ search: (NSFetchRequest<Object>) throws -> [NSFullTextMatch<Object>]
    ) rethrows -> [NSFullTextMatch<Object>] {
        let all = try flatMap { store in
            let part = NSFetchRequest<Object>(copying: request)
            part.affectedStores = [store]
            if request.fetchLimit > 0 { part.fetchLimit = request.fetchLimit + request.fetchOffset }
            part.fetchOffset = 0
            return try search(part)
        }
        let descriptors = request.sortDescriptors ?? []
        let sorted = all.sorted { a, b in
            descriptors.isEmpty
                ? a.rank < b.rank : descriptors.order(a.object, b.object) == .orderedAscending
        }
        let rest = sorted.dropFirst(request.fetchOffset)
        return [NSFullTextMatch<Object>](request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
    }
}

/// The columns of a search's rows. No property of a model has such a name.
private enum SearchColumn {
    static let object = "search object"
    static let rank = "search rank"
    static let snippet = "search snippet"
}
