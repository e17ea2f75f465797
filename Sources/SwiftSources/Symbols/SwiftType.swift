/// A type that a managed property can have, with everything that its symbol says of it.
package indirect enum SwiftType: Equatable, Sendable {
    package struct Element: Equatable, Sendable {
        package var label: String?
        package var type: SwiftType

        package init(label: String?, type: SwiftType) {
            (self.label, self.type) = (label, type)
        }
    }

    case nominal(NominalType)
    case bound(NominalType, [SwiftType])
    case optional(SwiftType)
    case tuple([Element])
    /// `any P`.
    case existential(NominalType)
    case any
    case anyObject

    package static let void = SwiftType.tuple([])

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
    package var unwrapped: SwiftType { if case .optional(let type) = self { type } else { self } }

    package var isOptional: Bool { self != unwrapped }
}

/// A class, structure, enumeration or protocol, by its place in a module.
package struct NominalType: Equatable, Hashable, Sendable {
    package enum Kind: Character, Sendable {
        case `class` = "C"
        case `struct` = "V"
        case `enum` = "O"
        case `protocol` = "P"
    }

    package struct Step: Equatable, Hashable, Sendable {
        package var name: String
        package var kind: Kind
        /// What tells a private declaration from those of the same name in other files.
        package var discriminator: String?
        /// The module of the extension that declares the type inside another module's.
        package var extensionModule: String?
    }

    package var module: String
    /// From the outside in.
    package var path: [Step]

    init(module: String, path: [Step]) {
        self.module = module
        self.path = path
    }

    /// A type at the top of a module.
    init(_ module: String, _ name: String, _ kind: Kind) {
        self.init(module: module, path: [Step(name: name, kind: kind)])
    }

    package var key: String {
        module + "."
            + path.map { "\($0.extensionModule ?? "")\($0.name)\($0.kind.rawValue)\($0.discriminator ?? "")" }
            .joined(separator: ".")
    }

    package var kind: Kind { path[path.count - 1].kind }

    /// As code in its module spells it.
    package var spelling: String { path.map { SwiftNames.escaped($0.name) }.joined(separator: ".") }
}
