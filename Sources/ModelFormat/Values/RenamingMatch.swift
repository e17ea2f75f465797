/// Finds the former elements of a model's elements, by names and renaming identifiers.
///
/// An identifier is the name that the element had in an older version, or the one that it has kept ever since.
package struct RenamingMatch {
    /// What an element is called.
    package struct Name: Equatable {
        package let name: String
        /// The renaming identifier; nil where it is the name itself.
        package let identifier: String?

        package init(_ name: String, identifier: String?) {
            self.name = name
            self.identifier = identifier == name ? nil : identifier
        }

        /// What the element is known by in all versions.
        fileprivate var canonical: String { identifier ?? name }
    }

    /// For each new element, the position of its former one; nil where it is new.
    package private(set) var sources: [Int?]
    private let new: [Name]
    private let old: [Name]
    private var taken: Set<Int> = []

    package init(of new: [Name], in old: [Name]) {
        (self.new, self.old) = (new, old)
        sources = new.map { _ in nil }
        // What carries the same identifier in both versions has not been renamed since.
        pair { $0.identifier != nil && $0 == $1 }
        let isRename = { Self.isRename($0, $1, of: new, in: old) }
        pair { $0.identifier != nil && ($1.canonical == $0.identifier || $1.name == $0.identifier) && isRename($0, $1) }
        pair { $0.name == $1.name }
        pair { $0.canonical == $1.canonical }
    }

    private mutating func pair(where matches: (Name, Name) -> Bool) {
        for (place, name) in new.enumerated() where sources[place] == nil {
            let found = old.indices.first { !taken.contains($0) && matches(name, old[$0]) }
            guard let found else { continue }
            sources[place] = found
            taken.insert(found)
        }
    }

    /// Whether an identifier tells of a new name. It tells nothing where both names are in both versions, unless the
    /// other one has been renamed, too: two elements may swap their names.
    private static func isRename(_ name: Name, _ former: Name, of new: [Name], in old: [Name]) -> Bool {
        guard old.contains(where: { $0.name == name.name }), let other = new.first(where: { $0.name == former.name })
        else { return true }
        return other.identifier != nil
    }
}
