/// The names of classes that Foundation on Linux has as husks, which can't be made, and CoreData whole.
///
/// In a file that imports both, such a name as a type is ambiguous; one that the target declares itself is not. So the target
/// gets aliases of those names that its sources mention.
enum AmbiguousNames {
    private static let all = ["NSComparisonPredicate", "NSExpression"]

    /// The names that a file mentions anywhere.
    static func mentioned(in bytes: [UInt8]) -> Set<String> {
        Set(all.filter { bytes.firstRange(of: Array($0.utf8)) != nil })
    }

    /// The names that need an alias in a target with these sources.
    static func aliases(for sources: [ScannedSource]) -> [String] {
        let using = sources.filter { source in source.imports.contains { $0.module == "CoreData" } }
        let own = sources.flatMap(\.scopes).filter { $0.kind != .extension && $0.parent == nil }.flatMap(\.path)
        return using.reduce(into: Set()) { $0.formUnion($1.ambiguousNames) }.subtracting(own).sorted()
    }
}
