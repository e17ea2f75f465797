/// A type as it is written.
package indirect enum TypeSyntax: Equatable, Sendable {
    package struct Component: Equatable, Sendable {
        package var name: String
        package var arguments: [TypeSyntax] = []
    }

    package struct Element: Equatable, Sendable {
        package var label: String?
        package var type: TypeSyntax
    }

    /// `Outer.Inner<Argument>`, from the outside in.
    case named([Component])
    /// `T?`, and `T!`, which is the same but for code that reads it.
    case optional(TypeSyntax)
    case array(TypeSyntax)
    case dictionary(TypeSyntax, TypeSyntax)
    case tuple([Element])
    /// `any P`.
    case existential(TypeSyntax)
    /// A type that no managed property can have, and what it is: "a function type".
    case other(String)

    package static func named(_ name: String) -> TypeSyntax { .named([Component(name: name)]) }

    /// What stands at a place of a tuple in a tuple and so on, if that is what the type is.
    func part(at place: [Int]) -> TypeSyntax? {
        guard let first = place.first else { return self }
        guard case .tuple(let elements) = self, elements.indices.contains(first) else { return nil }
        return elements[first].type.part(at: Array(place.dropFirst()))
    }
}
