/// The names of classes that Foundation on Linux has as husks, and CoreData whole.
///
/// In a file that imports both, such a name as a type is ambiguous; in one that imports Foundation alone, it is the
/// husk. One that the target declares itself is neither. So a target in which some file imports CoreData gets aliases
/// of those names that its sources mention.
///
/// `NSCompoundPredicate` is another case: Foundation's can be made, but prints, compares and copies wrongly. Its name
/// is nowhere ambiguous, and shall not become so in targets that depend on this one. So its alias is internal, and
/// there is none where that would not compile: where other modules see the name in a declaration, or a class inherits
/// from it.
package enum AmbiguousNames {
    private static let all = ["NSComparisonPredicate", "NSExpression"]
    /// The class that Foundation has nearly whole.
    package static let compound = "NSCompoundPredicate"

    /// A function that Foundation has, and that finds managed classes by their bare names here alone.
    package static let classLookup = "NSClassFromString"

    /// The names that a file mentions anywhere.
    static func mentioned(in bytes: [UInt8]) -> Set<String> {
        Set((all + [compound, classLookup]).filter { bytes.firstRange(of: Array($0.utf8)) != nil })
    }

    /// The names among those mentioned that other modules may see in a file's declarations.
    static func offered(in bytes: [UInt8], of mentioned: Set<String>) -> Set<String> {
        mentioned.contains(compound) ? PublicMentions(of: [compound], in: bytes).names : []
    }

    /// The names that need an alias in a target with these sources.
    ///
    /// - Parameter usesCoreData: Whether the target uses the framework, whatever its sources import: it has a model.
    package static func aliases(for sources: [ScannedSource], usesCoreData: Bool) -> [String] {
        guard usesCoreData || sources.contains(where: { $0.imports.contains { $0.module == "CoreData" } }) else {
            return []
        }
        let using = sources.filter { $0.imports.contains { ["CoreData", "Foundation"].contains($0.module) } }
        let own = sources.flatMap(\.scopes).filter { $0.kind != .extension && $0.parent == nil }.flatMap(\.path)
        var names = using.reduce(into: Set()) { $0.formUnion($1.ambiguousNames) }.subtracting(own)
        if sources.contains(where: staysFoundations) { names.remove(compound) }
        return names.sorted()
    }

    /// Whether a file keeps compound predicates what they are to Foundation.
    private static func staysFoundations(_ source: ScannedSource) -> Bool {
        source.offeredNames.contains(compound)
            || source.scopes.contains { $0.kind == .class && $0.inheritance.contains(.named(compound)) }
    }
}
