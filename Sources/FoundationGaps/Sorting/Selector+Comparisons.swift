/// The comparisons of Cocoa's strings and values, for `NSSortDescriptor(key:ascending:selector:)`.
///
/// Where Apple code writes `#selector(NSString.caseInsensitiveCompare(_:))`, which Swift without Objective-C rejects,
/// write `.caseInsensitiveCompare` or `Selector("caseInsensitiveCompare:")`.
extension Selector {
    /// `compare:`, the order of values as they are; strings by their Unicode scalars.
    public static let compare = Selector("compare:")
    /// `caseInsensitiveCompare:`
    public static let caseInsensitiveCompare = Selector("caseInsensitiveCompare:")
    /// `localizedCompare:`, by the rules of the user's language.
    public static let localizedCompare = Selector("localizedCompare:")
    /// `localizedCaseInsensitiveCompare:`
    public static let localizedCaseInsensitiveCompare = Selector("localizedCaseInsensitiveCompare:")
    /// `localizedStandardCompare:`, as file managers sort names: numbers in them by their value.
    public static let localizedStandardCompare = Selector("localizedStandardCompare:")
}
