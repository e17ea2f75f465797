import Foundation

/// The collection operators of key paths. In a key path they are written with an at sign: `players.@avg.age`.
public struct NSKeyValueOperator: RawRepresentable, Hashable, Sendable {
    /// The operator's name without the at sign.
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// `@avg`: the mean; nil counts as 0.
    public static let averageKeyValueOperator = NSKeyValueOperator(rawValue: "avg")
    /// `@count`: the number of members.
    public static let countKeyValueOperator = NSKeyValueOperator(rawValue: "count")
    /// `@distinctUnionOfArrays`: the values of the members of the members, each once.
    public static let distinctUnionOfArraysKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfArrays")
    /// `@distinctUnionOfObjects`: the values of the members, each once.
    public static let distinctUnionOfObjectsKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfObjects")
    /// `@distinctUnionOfSets`: the values of the members of the members, as a set.
    public static let distinctUnionOfSetsKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfSets")
    /// `@max`: the greatest value; nil is skipped.
    public static let maximumKeyValueOperator = NSKeyValueOperator(rawValue: "max")
    /// `@min`: the smallest value; nil is skipped.
    public static let minimumKeyValueOperator = NSKeyValueOperator(rawValue: "min")
    /// `@sum`: the sum; nil counts as 0.
    public static let sumKeyValueOperator = NSKeyValueOperator(rawValue: "sum")
    /// `@unionOfArrays`: the values of the members of the members.
    public static let unionOfArraysKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfArrays")
    /// `@unionOfObjects`: the values of the members.
    public static let unionOfObjectsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfObjects")
    /// `@unionOfSets`: the values of the members of the members, as a set.
    public static let unionOfSetsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfSets")
}
