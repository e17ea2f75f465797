/// The name of a class as a model spells it.
///
/// | spelling | meaning |
/// |---|---|
/// | `Player` | the global name, which Objective-C uses |
/// | `League.Player` | the class of the module `League` |
/// | `.Player` | the class of the module that the model is built into ("current product module") |
///
/// A string literal is a reference:
///
/// ```swift
/// entity.representedClass = ".Player"
/// print(entity.representedClass?.runtimeName(currentModule: "League") ?? "")      // League.Player
/// ```
public struct ClassReference: Sendable, Hashable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as the model spells it, with the dot and the module.
    public var spelling: String

    /// A reference of a spelling. It is not checked.
    public init(_ spelling: String) {
        self.spelling = spelling
    }

    /// The reference of a string literal.
    public init(stringLiteral value: String) {
        spelling = value
    }

    /// Whether the class is in the module that the model is built into: whether the spelling begins with a dot.
    public var isInCurrentModule: Bool { spelling.hasPrefix(".") }

    /// The module, where the spelling names one; otherwise `nil`.
    ///
    /// A spelling that begins with a dot names none.
    public var moduleName: String? {
        guard let dot = spelling.firstIndex(of: "."), dot != spelling.startIndex else { return nil }
        return String(spelling[..<dot])
    }

    /// The class without its module: `Player` for all three spellings.
    public var className: String {
        guard let dot = spelling.firstIndex(of: ".") else { return spelling }
        return String(spelling[spelling.index(after: dot)...])
    }

    /// The name for the runtime: `Module.Class`, or `Class` for a spelling without a module.
    ///
    /// - Parameter currentModule: The module that the model is built into; `nil` if it is unknown.
    public func runtimeName(currentModule: String?) -> String {
        guard isInCurrentModule else { return spelling }
        guard let currentModule else { return className }
        return "\(currentModule).\(className)"
    }

    /// The spelling.
    public var description: String { spelling }
}
