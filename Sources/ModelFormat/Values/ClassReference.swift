/// The name of a class as a model spells it: with no module, with a module, or in the module that the model is built
/// into.
///
/// Xcode writes `Player` (the global, Objective-C name), `League.Player`, or `.Player` for "current product module".
public struct ClassReference: Sendable, Hashable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as the model spells it.
    public var spelling: String

    public init(_ spelling: String) {
        self.spelling = spelling
    }

    public init(stringLiteral value: String) {
        spelling = value
    }

    /// Whether the class lives in the module that the model is built into.
    public var isInCurrentModule: Bool { spelling.hasPrefix(".") }

    /// The module, where the model names one.
    public var moduleName: String? {
        guard let dot = spelling.firstIndex(of: "."), dot != spelling.startIndex else { return nil }
        return String(spelling[..<dot])
    }

    /// The class without its module.
    public var className: String {
        guard let dot = spelling.firstIndex(of: ".") else { return spelling }
        return String(spelling[spelling.index(after: dot)...])
    }

    /// The name for the runtime, `Module.Class` or `Class`, where `currentModule` is what the model is built into.
    public func runtimeName(currentModule: String?) -> String {
        guard isInCurrentModule else { return spelling }
        guard let currentModule else { return className }
        return "\(currentModule).\(className)"
    }

    public var description: String { spelling }
}
