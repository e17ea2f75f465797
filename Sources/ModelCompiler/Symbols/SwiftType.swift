/// A type that a managed property can have, with everything that its symbol says of it.
indirect enum SwiftType: Equatable, Sendable {
    struct Element: Equatable, Sendable {
        var label: String?
        var type: SwiftType
    }

    case nominal(NominalType)
    case bound(NominalType, [SwiftType])
    case optional(SwiftType)
    case tuple([Element])
    /// `any P`.
    case existential(NominalType)
    case any
    case anyObject

    static let void = SwiftType.tuple([])

    /// A name that two types share only if they are the same.
    var key: String {
        switch self {
        case .nominal(let type): type.key
        case .bound(let type, let arguments): "\(type.key)<\(arguments.map(\.key).joined(separator: ","))>"
        case .optional(let type): type.key + "?"
        case .tuple(let elements):
            "(" + elements.map { ($0.label ?? "_") + ":" + $0.type.key }.joined(separator: ",") + ")"
        case .existential(let type): "any " + type.key
        case .any: "Any"
        case .anyObject: "AnyObject"
        }
    }

    /// The type without the optional around it.
    var unwrapped: SwiftType { if case .optional(let type) = self { type } else { self } }

    var isOptional: Bool { self != unwrapped }
}

/// A class, structure, enumeration or protocol, by its place in a module.
struct NominalType: Equatable, Hashable, Sendable {
    enum Kind: Character, Sendable {
        case `class` = "C"
        case `struct` = "V"
        case `enum` = "O"
        case `protocol` = "P"
    }

    struct Step: Equatable, Hashable, Sendable {
        var name: String
        var kind: Kind
        /// What tells a private declaration from those of the same name in other files.
        var discriminator: String?
        /// The module of the extension that declares the type inside another module's.
        var extensionModule: String?
    }

    var module: String
    /// From the outside in.
    var path: [Step]

    init(module: String, path: [Step]) {
        self.module = module
        self.path = path
    }

    /// A type at the top of a module.
    init(_ module: String, _ name: String, _ kind: Kind) {
        self.init(module: module, path: [Step(name: name, kind: kind)])
    }

    var key: String {
        module + "."
            + path.map { "\($0.extensionModule ?? "")\($0.name)\($0.kind.rawValue)\($0.discriminator ?? "")" }
            .joined(separator: ".")
    }

    var kind: Kind { path[path.count - 1].kind }

    /// As code in its module spells it.
    var spelling: String { path.map { SwiftNames.escaped($0.name) }.joined(separator: ".") }
}
