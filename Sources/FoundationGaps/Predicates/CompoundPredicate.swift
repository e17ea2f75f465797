public import Foundation
public import PredicateBase

/// A compound predicate that prints, compares and copies as Apple's do.
///
/// ```swift
/// let parts = [NSPredicate(format: "age > 30"), NSPredicate(format: "team.name == 'Heat'")]
/// request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
/// // age > 30 AND team.name == "Heat"
/// ```
///
/// Foundation's own compound predicates evaluate well. But on Linux they print as `FALSEPREDICATE`, any two count as
/// equal, and a copy is a constant. So the parser of formats makes objects of this class. Files that import CoreData
/// alone get them from the initialisers of `NSCompoundPredicate`, as in the example.
///
/// In a file that imports Foundation too, those initialisers are Foundation's. A target that uses the plug-in gets an
/// alias, so that the name means this class in all of its files. Elsewhere write the alias:
///
/// ```swift
/// typealias NSCompoundPredicate = CoreData.CompoundPredicate
/// ```
public final class CompoundPredicate: CompoundPredicateBase {
    // The initialisers for applications are convenient ones: where two modules offer a class for the name, the compiler
    // then finds no ambiguity.
    override init(_ type: LogicalType, of subpredicates: [NSPredicate]) { super.init(type, of: subpredicates) }

    /// Joins predicates by and, or and not.
    ///
    /// The subpredicates are evaluated in their order, and only as far as needed. Put the cheap ones first. Traps for
    /// `.not` without a predicate.
    ///
    /// - Parameters:
    ///   - type: How; `.not` negates the first of the predicates and needs one.
    ///   - subpredicates: What is joined. `.and` of none is true, `.or` of none is false.
    public convenience init(type: LogicalType, subpredicates: [NSPredicate]) {
        precondition(type != .not || !subpredicates.isEmpty, "NOT needs a predicate to negate")
        self.init(type, of: subpredicates)
    }

    /// A predicate that holds if all of some predicates hold. Without predicates it is true.
    ///
    /// ```swift
    /// var conditions = [NSPredicate(format: "team == %@", team)]
    /// if let name = player.name { conditions.append(NSPredicate(format: "name CONTAINS[cd] %@", name)) }
    /// request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
    /// ```
    public convenience init(andPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(.and, of: subpredicates)
    }

    /// A predicate that holds if at least one of some predicates holds. Without predicates it is false.
    ///
    /// For one property and many values, `IN` is shorter and faster: `name IN {"a", "b"}`.
    public convenience init(orPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(.or, of: subpredicates)
    }

    /// A predicate that holds if another one does not hold.
    ///
    /// In memory, `NOT (name == "x")` holds for a nil name. In a store it does not, as in SQL.
    public convenience init(notPredicateWithSubpredicate predicate: NSPredicate) { self.init(.not, of: [predicate]) }

    /// The predicate in the format language, such as `age > 30 AND team.name == "Heat"`.
    ///
    /// The text parses back to an equal predicate, if the tree holds neither blocks nor objects without a form in the
    /// language.
    public override var predicateFormat: String { formatText }

    /// Whether the predicate holds for an object. Stops at the first subpredicate that decides.
    ///
    /// Traps with a sentence for what `NSComparisonPredicate` traps for: an unknown key, values that cannot be
    /// compared, a variable without a value.
    ///
    /// - Parameters:
    ///   - object: What `SELF` and key paths refer to.
    ///   - bindings: Values of the variables, by their names without `$`.
    public override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        orTrap { try holds(in: EvaluationScope(object: object, variables: bindings ?? [:])) }
    }

    /// A new compound predicate with the same subpredicates.
    public override func copy(with zone: NSZone? = nil) -> Any {
        CompoundPredicate(compoundPredicateType, of: subpredicates)
    }

    /// Whether another predicate has an equal tree. Foundation's compound predicates with equal parts are equal, too.
    ///
    /// The order of the subpredicates counts: `a AND b` and `b AND a` are not equal.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPredicate).map(isEqualTree) ?? false
    }

    /// A hash that equal predicates share.
    public override var hash: Int { treeHash }

    /// The same text as ``predicateFormat``.
    public override var description: String { formatText }

    /// The same text as ``predicateFormat``.
    public override var debugDescription: String { formatText }
}
