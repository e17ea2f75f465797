import Foundation

/// The name of a method, as Objective-C writes it: `compare:`.
///
/// Linux has no Objective-C runtime and no `#selector`; here a selector is a name that sort descriptors know and custom
/// predicate operators look up.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name with its colons.
    package let name: String

    public init(_ name: String) {
        self.name = name
    }

    public init(stringLiteral name: String) {
        self.name = name
    }

    public var description: String { name }
}

extension NSObject {
    /// The class that archives name an object of this class by: itself.
    ///
    /// Books write `NSStringFromClass(Person.classForCoder())` for a class's name.
    public class func classForCoder() -> AnyClass { self }
}

/// The selector of a name.
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }

/// The name of a selector.
public func NSStringFromSelector(_ selector: Selector) -> String { selector.description }
