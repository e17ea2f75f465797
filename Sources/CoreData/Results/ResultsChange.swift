import FoundationGaps

/// What leads from one state of a controller's results to the next.
///
/// Indexes are those of table views: what goes has its place before the change, what comes its place after it.
struct ResultsChange {
    struct Place: Comparable {
        let section: Int
        let item: Int

        static func < (a: Place, b: Place) -> Bool { (a.section, a.item) < (b.section, b.item) }
    }

    struct Section {
        let type: NSFetchedResultsChangeType
        let name: String
        let index: Int
    }

    struct Object {
        let object: NSManagedObject
        var type: NSFetchedResultsChangeType
        var old: Place?
        var new: Place?
        /// The ID that was told before; nil where no delegate wants IDs.
        var oldID: NSManagedObjectID?
        /// The ID that the object has now.
        var newID: NSManagedObjectID?
    }

    var sections: [Section] = []
    var objects: [Object] = []
    /// Whether nothing happened but that IDs became permanent.
    var isPromotion = false

    var isEmpty: Bool { sections.isEmpty && objects.isEmpty }

    /// Puts everything in the order in which it is told: sections that go, from the last; sections that come, from the
    /// first; objects that go, from the last; objects that come, moves and updates, from the first.
    mutating func arrange() {
        sections.sort { a, b in
            a.type != b.type ? a.type == .delete : a.type == .delete ? a.index > b.index : a.index < b.index
        }
        objects.sort { a, b in
            if a.type != b.type { return a.type.rank < b.type.rank }
            if a.type == .delete, let a = a.old, let b = b.old { return a > b }
            if let a = a.new, let b = b.new { return a < b }
            return false
        }
    }
}

extension NSFetchedResultsChangeType {
    /// Where changes of the type stand among those of others.
    fileprivate var rank: Int {
        switch self {
        case .delete: 0
        case .insert: 1
        case .move: 2
        case .update: 3
        }
    }
}

extension ResultsChange.Place {
    var indexPath: IndexPath { IndexPath(item: item, section: section) }
}

extension ResultsChange {
    /// The change of a list without sections, by IDs. An update is an object that moves to where it is.
    var difference: CollectionDifference<NSManagedObjectID>? {
        var changes: [CollectionDifference<NSManagedObjectID>.Change] = []
        for change in objects {
            if let old = change.old?.item {
                changes.append(
                    .remove(
                        offset: old, element: change.oldID ?? change.object.ownID, associatedWith: change.new?.item))
            }
            if let new = change.new?.item {
                changes.append(
                    .insert(
                        offset: new, element: change.newID ?? change.object.ownID, associatedWith: change.old?.item))
            }
        }
        return CollectionDifference(changes)
    }
}
