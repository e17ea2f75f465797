import FoundationGaps

/// Any results controller, whatever the type of its results.
///
/// Controllers of different types are unrelated classes. What a delegate gets is one that stands for the app's own;
/// both are the same as far as `==` and `===` can tell.
open class AnyFetchedResultsController: NSObject {
    let core: ResultsCore

    init(_ core: ResultsCore) {
        self.core = core
        super.init()
    }

    open override func isEqual(_ object: Any?) -> Bool { (object as? AnyFetchedResultsController)?.core === core }

    open override var hash: Int { ObjectIdentifier(core).hashValue }
}

/// Whether two controllers are one, or one stands for the other before a delegate.
public func === (a: AnyFetchedResultsController?, b: AnyFetchedResultsController?) -> Bool { a?.core === b?.core }

/// Whether two controllers are different, and neither stands for the other before a delegate.
public func !== (a: AnyFetchedResultsController?, b: AnyFetchedResultsController?) -> Bool { !(a === b) }
