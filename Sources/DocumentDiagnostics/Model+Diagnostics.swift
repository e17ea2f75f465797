extension Model {
    /// Something in a model that is wrong, or works otherwise than one expects.
    ///
    /// ```swift
    /// let lines = try Model.DocumentLines(contents: data)
    /// for finding in try Model(contents: data).diagnostics where finding.severity == .error {
    ///     print("\(lines.line(of: finding.path)): \(finding.message)")
    /// }
    /// ```
    public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
        /// The kind of the finding.
        public var code: DiagnosticCode

        /// The place of the element in the model and in its document. `DocumentLines` knows its line.
        public var path: ElementPath

        /// The entity that the finding is about, if it is about one.
        public var entityName: String?

        /// The property that the finding is about, if it is about one.
        ///
        /// For an element of a composite it is `Composite.element`.
        public var propertyName: String?

        /// What is the matter, as a sentence that names the place.
        public var message: String

        /// A finding, for tools with checks of their own.
        ///
        /// - Parameters:
        ///   - code: The kind of the finding.
        ///   - message: A sentence that names the place.
        ///   - path: The place of the element.
        ///   - entity: The entity that it is about.
        ///   - property: The property that it is about.
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

        /// How much the finding matters: the severity of its ``code``.
        public var severity: DiagnosticCode.Severity { code.severity }

        /// One line for output: `warning: Player.team has no inverse … [no-inverse]`.
        public var description: String { "\(severity.rawValue): \(message) [\(code.rawValue)]" }
    }

    /// What is wrong with this model, and what Xcode and experience would warn of, in the document's order.
    ///
    /// ```swift
    /// for finding in model.diagnostics.sorted(by: { $0.severity < $1.severity }) { print(finding) }
    /// ```
    ///
    /// These are the checks that need no predicate parser: formats of predicates are checked by `coredata model lint`.
    /// Each kind is explained at ``DiagnosticCode``.
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
