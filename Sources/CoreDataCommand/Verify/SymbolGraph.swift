import Foundation

/// A compiler's symbol graph, as far as `@NSManaged` members need it.
struct SymbolGraph: Decodable {
    private let module: Module
    private let symbols: [Symbol]

    /// The members that leave their bodies to Core Data.
    var managedMembers: [ManagedMember.Declaration] {
        let places = Dictionary(symbols.map { ($0.pathComponents, $0.place) }) { first, _ in first }
        return symbols.compactMap { symbol in
            // The compiler doesn't tell where a private member is; then its class has to do.
            let place = symbol.place ?? places[symbol.pathComponents.dropLast()] ?? nil
            return symbol.managedMember(at: place ?? module.name)
        }
    }

    private struct Module: Decodable {
        let name: String
    }

    private struct Symbol: Decodable {
        let identifier: Identifier
        let pathComponents: [String]
        let declarationFragments: [Fragment]?
        let location: Location?

        struct Identifier: Decodable {
            let precise: String
        }

        struct Fragment: Decodable {
            let spelling: String
        }

        struct Location: Decodable {
            let uri: String
            let position: Position
        }

        /// Counted from 0.
        struct Position: Decodable {
            let line: Int
            let character: Int
        }

        var place: String? {
            location.map { location in
                let path = URL(string: location.uri)?.path ?? location.uri
                return "\(path):\(location.position.line + 1):\(location.position.character + 1)"
            }
        }

        func managedMember(at place: String) -> ManagedMember.Declaration? {
            guard let spellings = declarationFragments?.map(\.spelling), spellings.contains("@NSManaged"),
                identifier.precise.hasPrefix("s:")
            else { return nil }
            let name = "$s" + identifier.precise.dropFirst(2)
            return ManagedMember.Declaration(
                title: pathComponents.joined(separator: "."), place: place,
                symbols: Self.symbols(of: name, isSettable: spellings.contains("set")))
        }

        /// A property is got and set by functions of their own; a method is its own.
        private static func symbols(of name: String, isSettable: Bool) -> Set<String> {
            guard name.hasSuffix("vp") else { return [name] }
            let property = name.dropLast()
            return isSettable ? [property + "g", property + "s"] : [property + "g"]
        }
    }
}

/// An `@NSManaged` member that nothing defines.
struct ManagedMember {
    struct Declaration {
        /// Class and name, as in `Person.name`.
        let title: String
        /// File, line and column, or as much as is known.
        let place: String
        /// The symbols that have to be defined.
        let symbols: Set<String>
    }

    let title: String
    let place: String
    /// The first symbol that is missing.
    let symbol: String

    init(_ declaration: Declaration, missing symbol: String) {
        (title, place, self.symbol) = (declaration.title, declaration.place, symbol)
    }
}
