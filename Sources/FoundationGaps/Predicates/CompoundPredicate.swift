public import Foundation
public import PredicateBase

/// A compound predicate that prints, compares and copies as Apple's do.
///
/// Foundation's own compound predicates evaluate well. On Linux they print as `FALSEPREDICATE`, any two count as equal, and a copy is a
/// constant. So the parser of formats makes objects of this class, and files that import CoreData alone get them from the
/// initialisers of `NSCompoundPredicate`.
///
/// In a file that imports Foundation too, those initialisers are Foundation's. A target that uses the plug-in gets an alias, so that
/// the name means this class in all of its files. Elsewhere write the alias:
///
/// ```swift
/// typealias NSCompoundPredicate = CoreData.CompoundPredicate
/// ```
public final class CompoundPredicate: CompoundPredicateBase {
    // The initialisers for applications are convenient ones: where two modules offer a class for the name, the compiler then finds no
    // ambiguity.
    override init(_ type: LogicalType, of subpredicates: [NSPredicate]) { super.init(type, of: subpredicates) }

    /// Joins predicates.
    ///
    /// - Parameters:
    ///   - type: How; `.not` negates the first of the predicates and needs one.
    ///   - subpredicates: What is joined. `.and` of none is true, `.or` of none is false.
    public convenience init(type: LogicalType, subpredicates: [NSPredicate]) {
        precondition(type != .not || !subpredicates.isEmpty, "NOT needs a predicate to negate")
        self.init(type, of: subpredicates)
    }

    /// A predicate that holds when all of some predicates hold.
    public convenience init(andPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(.and, of: subpredicates)
    }

    /// A predicate that holds when one of some predicates holds.
    public convenience init(orPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(.or, of: subpredicates)
    }

    /// A predicate that holds when another one doesn't.
    public convenience init(notPredicateWithSubpredicate predicate: NSPredicate) { self.init(.not, of: [predicate]) }

    public override var predicateFormat: String { formatText }

    public override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        orTrap { try holds(in: EvaluationScope(object: object, variables: bindings ?? [:])) }
    }

    public override func copy(with zone: NSZone? = nil) -> Any {
        CompoundPredicate(compoundPredicateType, of: subpredicates)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPredicate).map(isEqualTree) ?? false
    }

    public override var hash: Int { treeHash }

    public override var description: String { formatText }

    public override var debugDescription: String { formatText }
}
