import CoreData
import StoreBrowsing

// Predicates of the page name objects by variables: `team == $Team_p3` is true for the players of `Team/p3`.

extension QuerySession {
    /// Reads a predicate, with object IDs in place of the variables that name objects. Other variables stay.
    ///
    /// - Throws: `ToolFailure` for a text that can't be read.
    func predicate(naming text: String) throws -> NSPredicate {
        try Self.predicate(text).withSubstitutionVariables(namedObjects(in: text))
    }

    /// The object IDs that a text names, by the variables that stand for them.
    private func namedObjects(in text: String) -> [String: Any] {
        text.matches(of: /\$([\p{L}_][\p{L}\p{N}_]*)_p([0-9]+)/).reduce(into: [:]) { objects, match in
            let (_, entity, key) = match.output
            objects["\(entity)_p\(key)"] = try? objectID("\(entity)/p\(key)")
        }
    }
}
