import FoundationGaps

/// Any results controller, whatever the type of its results.
///
/// ```swift
/// func controllerDidChangeContent(_ changed: NSFetchedResultsController<any NSFetchRequestResult>) {
///     if changed === controller { print("the list of players changed") }
/// }
/// ```
///
/// `NSFetchedResultsController<Player>` and `NSFetchedResultsController<Team>` are unrelated classes. A delegate gets a
/// controller of one fixed type, which may stand for the app's own. The operators `==`, `===` and `!==` of this class
/// say that the two are the same.
open class AnyFetchedResultsController: NSObject {
    let core: ResultsCore

    init(_ core: ResultsCore) {
        self.core = core
        super.init()
    }

    /// Whether two controllers are the same, or one stands for the other before a delegate. `==` calls it.
    open override func isEqual(_ object: Any?) -> Bool { (object as? AnyFetchedResultsController)?.core === core }

    /// A hash that a controller and the one that stands for it share, so that both find the same entry of a dictionary.
    open override var hash: Int { ObjectIdentifier(core).hashValue }
}

/// Whether two controllers are the same, or one stands for the other before a delegate.
///
/// For controllers Swift takes this operator instead of the one for all objects. Two nils are the same.
public func === (a: AnyFetchedResultsController?, b: AnyFetchedResultsController?) -> Bool { a?.core === b?.core }

/// Whether two controllers are different, and neither stands for the other before a delegate. The opposite of `===`.
public func !== (a: AnyFetchedResultsController?, b: AnyFetchedResultsController?) -> Bool { !(a === b) }
