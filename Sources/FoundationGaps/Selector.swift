import Foundation

/// The name of a method, as Objective-C writes it: `compare:`.
///
/// ```swift
/// let byName = NSSortDescriptor(
///     key: "name", ascending: true, selector: Selector("localizedStandardCompare:"))
/// ```
///
/// Linux has no Objective-C runtime and no `#selector`. Here a selector is a name. Sort descriptors know some names
/// (`Selector.caseInsensitiveCompare` and others), and custom predicate operators look their method up by name.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name with its colons.
    package let name: String

    /// The selector of a name, with its colons. Any text is allowed.
    ///
    /// A sort descriptor traps when it compares by a name that it does not know.
    public init(_ name: String) {
        self.name = name
    }

    /// The selector of a string literal: `let selector: Selector = "compare:"`.
    public init(stringLiteral name: String) {
        self.name = name
    }

    /// The name, with its colons.
    public var description: String { name }
}

extension NSObject {
    /// The class that archives name an object of this class by: the class itself.
    ///
    /// ```swift
    /// print(NSStringFromClass(Player.classForCoder()))
    /// ```
    ///
    /// Books write it for a class's name.
    public class func classForCoder() -> AnyClass { self }
}

/// The selector of a name, with its colons.
///
/// It is the same as `Selector(name)`. Unlike at Apple it registers nothing.
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }

/// The name of a selector, with its colons: `compare:`.
///
/// It is the same as the selector's `description`.
public func NSStringFromSelector(_ selector: Selector) -> String { selector.description }
