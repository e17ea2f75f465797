extension Model {
    /// Something about a model that is wrong, or works otherwise than one expects.
    public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
        public var code: DiagnosticCode
        /// Where the element is in the model and its document.
        public var path: ElementPath
        /// The entity that it is about, if it is about one.
        public var entityName: String?
        /// The property, if it is about one; the element of a composite for those.
        public var propertyName: String?
        /// What is the matter, as a sentence that names the place.
        public var message: String

        public init(
            _ code: DiagnosticCode, _ message: String, at path: ElementPath, entity: String? = nil,
            property: String? = nil
        ) {
            self.code = code
            self.path = path
            self.message = message
            entityName = entity
            propertyName = property
        }

        public var severity: DiagnosticCode.Severity { code.severity }

        /// `warning: Player.team has no inverse … [no-inverse]`
        public var description: String { "\(severity.rawValue): \(message) [\(code.rawValue)]" }
    }

    /// What is wrong with this model, and what Xcode and experience would warn of, in the document's order.
    ///
    /// These are the checks that need no predicate parser. Each code is explained at ``DiagnosticCode``.
    public var diagnostics: [Diagnostic] {
        ModelChecker.diagnostics(of: self)
    }
}

extension Model.Diagnostic {
    /// Whether this stands before another in the document; of two about one element the graver one does.
    package static func precedes(_ left: Self, _ right: Self) -> Bool {
        if left.path != right.path {
            return left.path.steps.lexicographicallyPrecedes(right.path.steps) { $0.precedes($1) }
        }
        return left.severity < right.severity
    }
}

extension Model.ElementPath.Step {
    /// The order in which Xcode writes the kinds of elements.
    private static let order = [
        "entity", "attribute", "relationship", "fetchedProperty", "fetchIndex", "compoundIndexes",
        "uniquenessConstraints", "fetchRequest", "configuration", "composite",
    ]

    fileprivate func precedes(_ other: Self) -> Bool {
        guard name != other.name else { return index < other.index }
        let places = (Self.order.firstIndex(of: name) ?? .max, Self.order.firstIndex(of: other.name) ?? .max)
        return places.0 == places.1 ? name < other.name : places.0 < places.1
    }
}

extension Model {
    /// The entity of that name and its parents, from the bottom up; a circle of parents is walked once.
    package func lineage(of name: String) -> [Entity] {
        // One look through all entities, and not one for each parent.
        let known = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        var result: [Entity] = []
        var names: Set<String> = []
        var next: String? = name
        while let name = next, let entity = known[name], names.insert(name).inserted {
            result.append(entity)
            next = entity.parentName
        }
        return result
    }
}
