public import Foundation

// Foundation's `predicateFormat` is an open property that knows no format language. `FoundationGaps` shadows it with an
// extension for those who import it, and a module that sees the shadowing extension can't override the original any more.
// A file that imports Foundation as well sees the original. These two classes live in a module of their own so that both
// lead to the same text.

/// A predicate that states its own format text; the superclass of `NSComparisonPredicate` in `FoundationGaps`.
///
/// Not meant for use in applications.
open class TextualPredicate: NSPredicate {
    public init() {
        super.init(value: false)
    }

    /// The predicate in the format language.
    open var formatText: String {
        fatalError("\(type(of: self)) has to state its format text")
    }

    @available(*, deprecated, message: "import FoundationGaps or CoreData alone, they bring Foundation with them")
    open override var predicateFormat: String { formatText }
}

/// A compound predicate that states its own format text.
///
/// Not meant for use in applications.
open class TextualCompoundPredicate: NSCompoundPredicate {
    public override init(type: LogicalType, subpredicates: [NSPredicate]) {
        super.init(type: type, subpredicates: subpredicates)
    }

    /// The predicate in the format language.
    open var formatText: String {
        fatalError("\(type(of: self)) has to state its format text")
    }

    @available(*, deprecated, message: "import FoundationGaps or CoreData alone, they bring Foundation with them")
    open override var predicateFormat: String { formatText }
}
