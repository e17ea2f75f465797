/// The comparisons of Cocoa's strings and values, for `NSSortDescriptor(key:ascending:selector:)`.
///
/// ```swift
/// request.sortDescriptors = [
///     NSSortDescriptor(key: "lastName", ascending: true, selector: .localizedStandardCompare)
/// ]
/// ```
///
/// Where Apple code writes `#selector(NSString.caseInsensitiveCompare(_:))`, which Swift without Objective-C rejects,
/// write `.caseInsensitiveCompare` or `Selector("caseInsensitiveCompare:")`. All but `compare` need texts: other values
/// trap in memory.
extension Selector {
    /// `compare:`, the order of values as they are. It is the default.
    ///
    /// Texts are ordered by their Unicode scalars: "Z" comes before "a". Numbers of all kinds compare with each other.
    /// Two values of different kinds, such as a text and a number, trap in memory.
    public static let compare = Selector("compare:")

    /// `caseInsensitiveCompare:`, the order of texts without case.
    ///
    /// "heat" and "Heat" are the same. The SQL is `ORDER BY t0.ZNAME COLLATE CoreDataCaseInsensitive`.
    public static let caseInsensitiveCompare = Selector("caseInsensitiveCompare:")

    /// `localizedCompare:`, the order of texts by the rules of the user's language.
    ///
    /// The SQL is `ORDER BY t0.ZNAME COLLATE CoreDataLocalized`. An index of the store does not help it.
    public static let localizedCompare = Selector("localizedCompare:")

    /// `localizedCaseInsensitiveCompare:`, by the rules of the user's language and without case.
    ///
    /// An index of the store does not help it.
    public static let localizedCaseInsensitiveCompare = Selector("localizedCaseInsensitiveCompare:")

    /// `localizedStandardCompare:`, as file managers sort names: "Heat 9" before "Heat 10".
    ///
    /// Use it for lists that users see. The SQL is `ORDER BY t0.ZNAME COLLATE CoreDataLocalizedStandard`.
    public static let localizedStandardCompare = Selector("localizedStandardCompare:")
}
