import FoundationGaps

extension NSPredicate {
    /// A predicate for objects whose texts have the words of a query. An extension; Apple has none.
    ///
    /// ```swift
    /// request.predicate = NSPredicate(matchingText: searchField.text)
    /// request.predicate = NSPredicate(matchingText: "core dat*", in: "title")
    /// ```
    ///
    /// It is `SELF matchesText: "…"`, or `title matchesText: "…"`, in the format language. All words must be there.
    /// `dat*` stands for words that begin so, and `"core data"` in quotes for words side by side. Any text is a query;
    /// one without a word finds nothing. See <doc:FullTextSearch>.
    ///
    /// - Parameters:
    ///   - text: What to search for, as a user types it.
    ///   - key: The attribute to search, or a key path to one or to an object. Nil: the object itself, with all
    ///     attributes that are marked.
    public convenience init(matchingText text: String, in key: String? = nil) {
        _ = TextSearch.isRegistered
        self.init(format: (key == nil ? "SELF" : "%K") + " matchesText: %@", argumentArray: (key.map { [$0] } ?? []) + [text])
    }
}

extension NSManagedObjectContext {
    /// The objects that a full-text search finds, the best first, each with its rank and a snippet. An extension.
    ///
    /// ```swift
    /// let request = Article.fetchRequest()
    /// request.predicate = NSPredicate(format: "year >= 2020")
    /// request.fetchLimit = 20
    /// for match in try context.matches(for: "swift data*", in: request) {
    ///     print(match.object.title ?? "", match.snippet)
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
        let found = try fetch(Self.search(for: text, in: request, key))
        let ids = found.compactMap { $0[SearchColumn.object] as? NSManagedObjectID }
        let objects = try self.objects(ids, as: request)
        return found.compactMap { row in
            guard let id = row[SearchColumn.object] as? NSManagedObjectID, let object = objects[id] else { return nil }
            return NSFullTextMatch(
                object, rank: row[SearchColumn.rank] as? Double ?? 0,
                marked: row[SearchColumn.snippet] as? String ?? "")
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

/// The columns of a search's rows. No property of a model has such a name.
private enum SearchColumn {
    static let object = "search object"
    static let rank = "search rank"
    static let snippet = "search snippet"
}
