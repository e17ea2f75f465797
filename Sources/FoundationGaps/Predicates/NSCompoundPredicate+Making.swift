public import Foundation

// `NSCompoundPredicate` stays Foundation's class, so that it is one type whatever a file imports. A file that imports
// only this module (or CoreData) finds the initialisers below. Their objects copy, compare and print as Apple's do. In
// a file that also imports Foundation itself, the attribute lets Foundation's initialisers win: without it the call
// would be ambiguous. Their objects evaluate, translate and nest the same, but copy, compare and print wrongly. An
// alias of the name to `CompoundPredicate` prevents that; the plug-in writes it.

extension NSCompoundPredicate {
    /// Joins predicates by and, or and not. The result is a ``CompoundPredicate``.
    ///
    /// The subpredicates are evaluated in their order, and only as far as needed. Traps for `.not` without a predicate.
    ///
    /// - Parameters:
    ///   - type: How; `.not` negates the first of the predicates and needs one.
    ///   - subpredicates: What is joined. `.and` of none is true, `.or` of none is false.
    @_disfavoredOverload
    public convenience init(type: LogicalType, subpredicates: [NSPredicate]) {
        self.init(made: CompoundPredicate(type: type, subpredicates: subpredicates))
    }

    /// A predicate that holds if all of some predicates hold. Without predicates it is true.
    ///
    /// ```swift
    /// request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
    ///     NSPredicate(format: "team == %@", team), NSPredicate(format: "age > 30"),
    /// ])
    /// ```
    @_disfavoredOverload
    public convenience init(andPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(made: CompoundPredicate(.and, of: subpredicates))
    }

    /// A predicate that holds if at least one of some predicates holds. Without predicates it is false.
    ///
    /// For one property and many values, `IN` is shorter and faster: `name IN {"a", "b"}`.
    @_disfavoredOverload
    public convenience init(orPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(made: CompoundPredicate(.or, of: subpredicates))
    }

    /// A predicate that holds if another one does not hold.
    ///
    /// In memory, `NOT (name == "x")` holds for a nil name. In a store it does not, as in SQL.
    @_disfavoredOverload
    public convenience init(notPredicateWithSubpredicate predicate: NSPredicate) {
        self.init(made: CompoundPredicate(.not, of: [predicate]))
    }
}

/// Lets an initialiser that an extension adds to a class return an object that is made already, of a subclass: only the
/// initialisers of a protocol may assign `self`.
public protocol _PredicateFactory {}

extension _PredicateFactory where Self: NSPredicate {
    init(made predicate: NSPredicate) {
        guard let predicate = predicate as? Self else {
            fatalError(
                """
                the format makes a predicate of the class \(type(of: predicate)), not \(Self.self): \
                use NSPredicate(format:) and cast its result
                """)
        }
        self = predicate
    }
}

extension NSPredicate: _PredicateFactory {}
