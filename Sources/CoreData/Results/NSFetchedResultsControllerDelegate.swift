import FoundationGaps

/// What happened to an object or a section of a controller's results.
///
/// Sections have ``insert`` and ``delete`` alone. An object has one change of one type each time.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// The object or the section is new in the results.
    ///
    /// An object that existed before is inserted, too, if an edit makes it fit the predicate.
    case insert = 1

    /// The object or the section is no longer in the results.
    ///
    /// The object was deleted, or it does not fit the predicate any longer. It need not be a deleted object: see
    /// ``NSManagedObject/isDeleted``.
    case delete = 2

    /// The object has another place, or a property that it is sorted by was set.
    ///
    /// Both index paths are there; they can be equal. A move may include edits, so show the object's values again.
    case move = 3

    /// The object changed and stays where it is among its neighbours.
    ///
    /// Both index paths are there. They differ if objects before it came or went.
    case update = 4
}

/// The methods that a controller calls when its results change.
///
/// ```swift
/// func controller(
///     _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
///     at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
/// ) {
///     guard let player = anObject as? Player else { return }
///     switch type {
///     case .insert: print("new:", player.lastName ?? "")
///     case .delete: print("gone:", player.lastName ?? "")
///     case .move, .update: print("changed:", player.lastName ?? "")
///     }
/// }
/// ```
///
/// Implement one of three kinds of methods. A controller calls the first kind that its delegate has:
///
/// 1. `controller(_:didChangeContentWith:)` with a snapshot. It is called after each fetch and each change, and nothing
///    else is.
/// 2. `controller(_:didChangeContentWith:)` with a difference, for controllers without sections. It is called after
///    each change, and nothing else is.
/// 3. `controllerWillChangeContent(_:)`, the methods for sections and objects, `controllerDidChangeContent(_:)`.
///
/// The calls of the third kind come in this order:
///
/// 1. ``controllerWillChangeContent(_:)``. The controller has its old content until this returns, and its new content
///    from then on.
/// 2. Sections that go, the last first. Then sections that come, the first first.
/// 3. Objects that go, the last first. Then objects that come, moves, and updates, the first first.
/// 4. ``controllerDidChangeContent(_:)``.
///
/// Index paths count as in the updates of table views. What goes has its place in the old content, what comes its place
/// in the new content. Moves and updates have both. Each object of a section that goes has its own delete or move.
///
/// A delegate may change objects in these methods. The controller tells what follows from it after the present change.
///
/// Unlike at Apple, the methods are not optional ones of Objective-C: they have default implementations. A method
/// counts as implemented if the class that declares the conformance has it, or inherits it. A method that only a
/// subclass adds is not called.
///
/// `controller` is an `NSFetchedResultsController<any NSFetchRequestResult>` as at Apple, but generic classes are
/// unrelated types here. Unless the controller was made with this very type, the delegate gets one that stands for it.
/// The two are equal (`==`, `===`) and have the same content. A cast to the original's type fails, and the request is a
/// copy of the original's.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
    /// The content is going to change, and the methods for sections and objects follow.
    ///
    /// During this call the controller still has its old content. A delegate that gets snapshots or differences does
    /// not get this call.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// A section came or went.
    ///
    /// ```swift
    /// func controller(
    ///     _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    ///     didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    ///     for type: NSFetchedResultsChangeType
    /// ) {
    ///     print(type == .insert ? "new section" : "section gone", sectionInfo.name, sectionIndex)
    /// }
    /// ```
    ///
    /// All calls for sections come before those for objects. A section whose name changes is one that goes and one that
    /// comes.
    ///
    /// - Parameters:
    ///   - controller: The controller, or one that stands for it.
    ///   - sectionInfo: The section. A section that went has its name and no objects.
    ///   - sectionIndex: The place of the section: in the old content if it went, in the new content if it came.
    ///   - type: `.insert` or `.delete`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    /// An object came into the results, went, moved, or changed.
    ///
    /// It is called once for each object that changed, after all calls for sections. The controller has its new content
    /// already, so look up a deleted object by `anObject`, not by its old index path.
    ///
    /// - Parameters:
    ///   - controller: The controller, or one that stands for it.
    ///   - anObject: The object, an `NSManagedObject`.
    ///   - indexPath: Its place in the old content; nil for an object that came.
    ///   - type: What happened.
    ///   - newIndexPath: Its place in the new content; nil for an object that went. Unlike at Apple, an update always
    ///     has it.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// The content has changed, and all changes were told.
    ///
    /// A delegate that shows the whole list again needs no other method:
    ///
    /// ```swift
    /// func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    ///     show(controller.fetchedObjects as? [Player] ?? [])
    /// }
    /// ```
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// The content has changed, and this is all of it, by section names and object IDs.
    ///
    /// ```swift
    /// func controller(
    ///     _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    ///     didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    /// ) {
    ///     let list = snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>
    ///     for name in list.sectionIdentifiers { print(name, list.numberOfItems(inSection: name)) }
    /// }
    /// ```
    ///
    /// It is also called after each `performFetch()`, and when a save makes temporary IDs permanent. Objects that
    /// changed and stay where they are count as reloaded items. A delegate with this method gets no other calls about
    /// changes.
    ///
    /// - Parameters:
    ///   - controller: The controller, or one that stands for it.
    ///   - snapshot: The content. `snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>` is the same as
    ///     a value.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

    /// The content of a controller without sections has changed, by this difference of object IDs.
    ///
    /// ```swift
    /// func controller(
    ///     _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    ///     didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    /// ) {
    ///     for change in diff {
    ///         guard case .insert(let offset, let id, let origin) = change else { continue }
    ///         print(origin == nil ? "new" : "moved", id, "to", offset)
    ///     }
    /// }
    /// ```
    ///
    /// An object that changed and stays is removed and inserted, and the two changes are associated. When a save makes
    /// a temporary ID permanent, the difference removes the old ID and inserts the new one. It is not called after
    /// `performFetch()`, and never for a controller with a section key path.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// The title of a section in an index; nil: the section has none.
    ///
    /// ```swift
    /// func controller(
    ///     _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    ///     sectionIndexTitleForSectionName name: String
    /// ) -> String? {
    ///     name.isEmpty ? "?" : String(name.prefix(2))
    /// }
    /// ```
    ///
    /// The default implementation gives the first letter of the name, as a capital. It works beside each of the three
    /// kinds of methods.
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
