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
    var monitor: ReadMonitor?

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
