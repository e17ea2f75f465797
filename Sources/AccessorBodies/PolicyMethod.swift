import SwiftSources

/// A method of a migration policy that value expressions may call, by the names that Objective-C would give it.
struct PolicyMethod: Equatable {
    /// `initialsOf:`, for example. Of a method with a labelled first parameter there are two.
    let selectors: [String]
    /// The closure's content that calls it.
    let call: String
    let conditions: [String]

    /// Nil for a method that an expression can't call, or whose class' table has it already.
    init?(_ function: ScannedFunction) {
        guard !function.isOverride, !function.isAsync, !function.isOutOfReach, function.result != nil,
            function.parameters.allSatisfy({ !$0.isUnusual && $0.type.isPlain })
        else { return nil }
        selectors = function.selector.map { [$0] } ?? Self.selectors(of: function)
        let arguments = function.parameters.enumerated().map { index, parameter in
            (parameter.label.map { "\(SwiftNames.escaped($0)): " } ?? "") + "try arguments[\(index)]"
        }
        let effect = function.hasEffects ? "try " : ""
        let parameters = arguments.isEmpty ? "policy, _" : "policy, arguments"
        call =
            "\(parameters) in \(effect)policy.\(SwiftNames.escaped(function.name))(\(arguments.joined(separator: ", ")))"
        conditions = function.conditions
    }

    /// The compiler puts `With` between a name and a label, unless one of them has a preposition there. A document may
    /// have either.
    private static func selectors(of function: ScannedFunction) -> [String] {
        guard let first = function.parameters.first else { return [function.name] }
        let rest = function.parameters.dropFirst().map { ($0.label ?? "") + ":" }.joined()
        guard let label = first.label else { return ["\(function.name):\(rest)"] }
        let capitalised = label.prefix(1).uppercased() + label.dropFirst()
        return ["With", ""].map { "\(function.name)\($0)\(capitalised):\(rest)" }
    }
}

extension TypeSyntax {
    /// Whether a value of the type can be made of what an expression gives.
    fileprivate var isPlain: Bool {
        switch self {
        case .named(let components): components.allSatisfy { $0.arguments.allSatisfy(\.isPlain) }
        case .optional(let type), .array(let type), .existential(let type): type.isPlain
        case .dictionary(let key, let value): key.isPlain && value.isPlain
        case .tuple, .other: false
        }
    }
}
