public import Foundation

// `FoundationGaps` adds initialisers to `NSCompoundPredicate` that shadow Foundation's; a module that sees them can't
// call Foundation's designated initialiser from a subclass any more. So this class, which can, lives in a module of its
// own.

/// The superclass of the compound predicates that `FoundationGaps` makes.
///
/// Not meant for use in applications.
open class CompoundPredicateBase: NSCompoundPredicate {
    public init(_ type: LogicalType, of subpredicates: [NSPredicate]) {
        super.init(type: type, subpredicates: subpredicates)
    }
}
