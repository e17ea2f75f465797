import FoundationGaps

/// A fetch as a store sees it: checked against the model, without contexts and pending changes.
package struct StoreFetch {
    package enum Output {
        /// Whole rows.
        case rows
        /// Parts of rows.
        case parts(RowPart)
        /// References only.
        case references
        case count
        /// Dictionaries with these columns, grouped and filtered.
        case dictionaries([StoreColumn], groupBy: [StoreColumn], having: NSPredicate?, distinct: Bool)
    }

    package var entity: EntityLayout
    package var includesSubentities = true
    /// Its variables are bound; its objects and object IDs belong to this coordinator.
    package var predicate: NSPredicate?
    package var sortDescriptors: [NSSortDescriptor] = []
    /// 0: no limit.
    package var limit = 0
    package var offset = 0
    package var output: Output
    /// Counts the rows as they are read, and breaks the read off; nil: the read is not watched.
    package var monitor: ReadMonitor?
    /// The app's request, for stores of an app's class; nil where the framework asks.
    var request: AnyFetchRequest?

    package init(entity: EntityLayout, output: Output) {
        self.entity = entity
        self.output = output
    }
}

/// A column of a dictionary result.
package struct StoreColumn {
    package let name: String
    package let expression: NSExpression
    /// What the value is delivered as; undefined: as the expression's own type.
    package let type: NSAttributeType

    package init(name: String, expression: NSExpression, type: NSAttributeType) {
        self.name = name
        self.expression = expression
        self.type = type
    }
}

package enum StoreFetchResult {
    case rows(RowBatch)
    case references([ObjectReference])
    case count(Int)
    case dictionaries([NSDictionary])
}

extension StoreFetch {
    /// The part of the results within offset and limit.
    func window<Results: Collection>(_ results: Results) -> [Results.Element] {
        let rest = results.dropFirst(offset)
        return Array(limit > 0 ? rest.prefix(limit) : rest)
    }

    /// How many of so many results lie within offset and limit.
    func window(_ count: Int) -> Int {
        let rest = max(0, count - offset)
        return limit > 0 ? min(rest, limit) : rest
    }

    /// The fetch of which this one's window is a part: no store knows which of its objects come behind those of another
    /// store, or behind unsaved ones.
    ///
    /// - Parameter more: How many results may leave the window.
    func wholeWindow(and more: Int = 0) -> StoreFetch {
        var whole = self
        if limit > 0 { whole.limit = limit + offset + more }
        whole.offset = 0
        return whole
    }

    /// The fetch without limit and offset.
    var unwindowed: StoreFetch {
        var whole = self
        (whole.limit, whole.offset) = (0, 0)
        return whole
    }
}
