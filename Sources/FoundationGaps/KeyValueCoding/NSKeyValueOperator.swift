import Foundation

/// The collection operators of key paths. In a key path they are written with an at sign: `players.@avg.age`.
///
/// ```swift
/// let op = NSKeyValueOperator.maximumKeyValueOperator
/// team.value(forKeyPath: "players.@\(op.rawValue).salary")
/// ```
///
/// An operator works on the collection before it. The keys after it say what is taken of each member. In a fetch,
/// `@count`, `@sum`, `@avg`, `@min` and `@max` over a to-many relationship become SQL; the others work in memory only.
/// In memory an operator reads each member, which fires faults.
public struct NSKeyValueOperator: RawRepresentable, Hashable, Sendable {
    /// The operator's name without the at sign, such as `avg`.
    public var rawValue: String

    /// Makes an operator of a name without the at sign. Key paths know only the names below.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `@avg`: the mean as an `NSNumber`; nil counts as 0, and 0 if there are no members.
    ///
    /// Decimals give a decimal, other numbers a double. Traps for values that are no numbers. For the mean without nils
    /// use `average:(…)` in an expression.
    public static let averageKeyValueOperator = NSKeyValueOperator(rawValue: "avg")
    /// `@count`: the number of members. Keys after it are ignored.
    ///
    /// In a fetch, `players.@count > 0` asks for teams with players.
    public static let countKeyValueOperator = NSKeyValueOperator(rawValue: "count")
    /// `@distinctUnionOfArrays`: the values of the members of the members as an array, each once.
    ///
    /// For a collection of collections. Traps if a member is no collection. Nil is left out.
    public static let distinctUnionOfArraysKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfArrays")
    /// `@distinctUnionOfObjects`: the values of the members, each once; nil is left out.
    ///
    /// `players.@distinctUnionOfObjects.group` gives the groups that a team has. The result is of the same kind as the
    /// collection: an array, a set or an ordered set.
    public static let distinctUnionOfObjectsKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfObjects")
    /// `@distinctUnionOfSets`: the values of the members of the members, as a set.
    ///
    /// For a collection of collections. Traps if a member is no collection. Nil is left out.
    public static let distinctUnionOfSetsKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfSets")
    /// `@max`: the greatest value; nil is skipped, and the result is nil if there is no value.
    ///
    /// Traps for values that do not compare with each other, such as a text and a number.
    public static let maximumKeyValueOperator = NSKeyValueOperator(rawValue: "max")
    /// `@min`: the smallest value; nil is skipped, and the result is nil if there is no value.
    ///
    /// Traps for values that do not compare with each other, such as a text and a number.
    public static let minimumKeyValueOperator = NSKeyValueOperator(rawValue: "min")
    /// `@sum`: the sum as an `NSNumber`; nil counts as 0, and 0 if there are no members.
    ///
    /// Integers stay integers, decimals stay exact. Traps for values that are no numbers.
    public static let sumKeyValueOperator = NSKeyValueOperator(rawValue: "sum")
    /// `@unionOfArrays`: the values of the members of the members as an array, with duplicates.
    ///
    /// For a collection of collections. Traps if a member is no collection. Nil is left out.
    public static let unionOfArraysKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfArrays")
    /// `@unionOfObjects`: the values of the members as an array, with duplicates; nil is left out.
    ///
    /// Unlike `players.group` alone, it keeps equal values of a set.
    public static let unionOfObjectsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfObjects")
    /// `@unionOfSets`: the values of the members of the members, as a set. The same as `@distinctUnionOfSets`.
    public static let unionOfSetsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfSets")
}
