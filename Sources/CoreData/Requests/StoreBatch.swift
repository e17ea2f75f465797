import FoundationGaps

/// A change of many rows that a store makes by itself, without objects.
package enum StoreBatch {
    case insert(StoreBatchInsertion)
    case update(StoreBatchUpdate)
    case delete(StoreBatchDeletion)
}

/// Rows to insert, which come one by one.
package struct StoreBatchInsertion {
    package let entity: EntityLayout
    /// What becomes of a row with values of a uniqueness constraint that another row has.
    package let conflict: Conflict
    /// Whether the references of the rows are wanted.
    package let wantsReferences: Bool
    /// The next row; nil at the end.
    package let next: () throws -> BatchRow?

    package enum Conflict: Sendable {
        case isAnError
        /// The row that is there stays as it is, and the new row is left out.
        case keepsTheOldRow
        /// The row that is there gets the values that were given.
        case setsGivenValues
        /// The row that is there gets all values, defaults included.
        case setsAllValues
    }
}

/// A row of a batch, as a store takes it.
package struct BatchRow {
    /// All values by slot. A transformable's value is already data.
    package let values: ChangeRecord
    /// The same values with only those that were given; the same record where all were given.
    package let given: ChangeRecord
}

/// A change of the values of all rows that a fetch finds.
package struct StoreBatchUpdate {
    /// Which rows. Its order, its window and its output have no meaning.
    package let fetch: StoreFetch
    package let settings: [BatchSetting]
    /// Whether the references of the rows are wanted.
    package let wantsReferences: Bool

    package init(fetch: StoreFetch, settings: [BatchSetting], wantsReferences: Bool) {
        (self.fetch, self.settings, self.wantsReferences) = (fetch, settings, wantsReferences)
    }
}

/// What a batch sets a property to.
package struct BatchSetting {
    package let slot: PropertySlot
    package let value: Content

    package enum Content {
        /// A value of the property's type, or nil.
        case constant(Any?)
        /// An expression over the row's own values.
        case expression(NSExpression)
    }
}

/// A deletion of all rows that a fetch finds, and of what delete rules ask for.
package struct StoreBatchDeletion {
    /// Which rows. Its window counts.
    package let fetch: StoreFetch
    /// Whether the references of the rows are wanted.
    package let wantsReferences: Bool
}

/// What a batch has changed.
package struct StoreBatchResult {
    package let count: Int
    /// The rows that were inserted, changed or deleted; empty where they are not wanted.
    package let references: [ObjectReference]

    package init(count: Int, references: [ObjectReference]) { (self.count, self.references) = (count, references) }
}
