import FoundationGaps

/// What happened to an object or a section of a controller's results.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// It is new in the results.
    case insert = 1
    /// It is no result any longer.
    case delete = 2
    /// It has another place, or what it is sorted by was set. That it was updated goes without saying.
    case move = 3
    /// It changed where it is.
    case update = 4
}

/// Hears of changes of a controller's results.
///
/// Implement one of three kinds of methods; a controller with a delegate calls the first kind that is there:
///
/// 1. `controller(_:didChangeContentWith:)` with a snapshot, which is all that is called then: after each fetch and
///    each change;
/// 2. `controller(_:didChangeContentWith:)` with a difference, for controllers without sections, which is all that is
///    called;
/// 3. `controllerWillChangeContent(_:)`, the methods for sections and objects, `controllerDidChangeContent(_:)`.
///    Meanwhile the controller has its old content until `controllerWillChangeContent(_:)` returns, and its new content
///    from then on.
///
/// The third kind's calls come in this order: sections that go, the last first; sections that come; objects that go,
/// the last first; objects that come; moves; updates. Index paths are those of table views' updates: what goes is told
/// by its place in the old content, what comes by its place in the new one, and moves and updates have both. All
/// objects of a section that goes are told to go or to move.
///
/// Unlike at Apple the methods are no optional ones of Objective-C. They have default implementations; what counts as
/// implemented is what the class itself that conforms has, so a method that only a subclass of it adds is not called.
/// `controller` is an `NSFetchedResultsController<any NSFetchRequestResult>` as at Apple, though generic classes are
/// unrelated types here: unless the controller was made with this very type, it is one that stands for it, equal (`==`,
/// `===`) to it, with the same content. A cast to the original's type fails; its request is a copy of the original's.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
    /// The content is going to change.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// A section is new, or gone.
    ///
    /// - Parameters:
    ///   - controller: The controller, or what stands for it.
    ///   - sectionInfo: The section; one that is gone has no objects.
    ///   - sectionIndex: Where it is, or was.
    ///   - type: `.insert` or `.delete`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    /// An object is new in the results, gone from them, somewhere else, or changed.
    ///
    /// - Parameters:
    ///   - controller: The controller, or what stands for it.
    ///   - anObject: The object.
    ///   - indexPath: Where it was before all changes; nil for one that is new.
    ///   - type: What happened.
    ///   - newIndexPath: Where it is after all changes; nil for one that is gone.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// The content has changed.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// The content has changed, to this.
    ///
    /// Also called after each `performFetch()`. Objects that changed where they are count as reloaded items.
    ///
    /// - Parameters:
    ///   - controller: The controller, or what stands for it.
    ///   - snapshot: Sections by name and objects by ID.
    ///     `snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>` is the same as a value.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

    /// The content of a controller without sections has changed, in this way.
    ///
    /// An object that changed where it is is one that is removed and inserted there.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// The title of a section in an index; nil: it has none. As it is, the capital first letter of the name.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

// A method's default implementation is the way to find out that a delegate has none of its own: it says so.

extension NSFetchedResultsControllerDelegate {
    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {}

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {}

    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        controller.core.delegateLacks.insert(.snapshots)
    }

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.core.delegateLacks.insert(.differences)
    }

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        ResultsCore.standardIndexTitle(sectionName)
    }
}

/// Kinds of delegate methods, each of which makes the others superfluous.
struct DelegateMethods: OptionSet {
    let rawValue: UInt8

    static let snapshots = DelegateMethods(rawValue: 1 << 0)
    static let differences = DelegateMethods(rawValue: 1 << 1)
}
