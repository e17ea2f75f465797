import ModelDocument

/// The document that is being edited, as a value with an identifier for each of its elements: what undo keeps.
struct EditedDocument: Sendable {
    private(set) var document: VersionedModel
    /// The trees of the versions, in the order of `document.versions`.
    private(set) var trees: [VersionTree]

    init(_ document: VersionedModel, _ source: inout IDSource) {
        self.document = document
        trees = Self.trees(of: document, formerly: nil, &source)
    }

    /// The document after a change; what is still there keeps its identifier.
    func changed(to document: VersionedModel, _ source: inout IDSource) -> EditedDocument {
        var copy = self
        copy.document = document
        copy.trees = Self.trees(of: document, formerly: self, &source)
        return copy
    }

    private static func trees(
        of document: VersionedModel, formerly former: EditedDocument?, _ source: inout IDSource
    ) -> [VersionTree] {
        // Versions are told apart without what is in them, so that those that did not change cost nothing.
        let versions = document.versions.map { OutlineNode(kind: .version, key: $0.name) }
        let formerVersions = (former?.trees ?? []).map(\.node)
        let nodes = IdentifiedNode.identified(versions, formerly: formerVersions, &source)
        return zip(nodes, document.versions).map { node, version in
            let place = former?.trees.firstIndex { $0.id == node.id }
            let old = place.flatMap { former?.trees[$0] }
            if let old, let place, former?.document.versions[place] == version { return old }
            let children = IdentifiedNode.identified(
                version.model.outline, formerly: old?.node.children ?? [], &source)
            return VersionTree(IdentifiedNode(id: node.id, kind: .version, key: version.name, children: children))
        }
    }
}

// MARK: - Finding

extension EditedDocument {
    /// An element by version and place.
    struct Location: Sendable {
        /// The version's place among the versions.
        var version: Int
        var place: ElementPlace
    }

    var currentVersion: ElementID {
        let index = document.versions.firstIndex { $0.name == document.currentVersionName } ?? 0
        return trees[index].id
    }

    /// Where an element is.
    ///
    /// - Throws: `unknownElement`.
    func location(of id: ElementID) throws -> Location {
        for (version, tree) in trees.enumerated() {
            if let place = tree.places[id] { return Location(version: version, place: place) }
        }
        throw StudioError(.unknownElement, "There is no element ‘\(id)’ in the document, or not any more.")
    }

    /// Where an element is that has to be of one of these kinds.
    func location(of id: ElementID, _ kinds: ElementKind...) throws -> Location {
        let location = try location(of: id)
        guard kinds.contains(location.place.kind) else {
            let titles = kinds.map { $0.title.lowercased() }.joined(separator: " or ")
            throw StudioError(.invalidRequest, "‘\(id)’ is no \(titles).")
        }
        return location
    }

    func model(_ location: Location) -> Model { document.versions[location.version].model }

    /// The name of a named element in quotes, as titles of steps use it.
    func title(of id: ElementID) -> String {
        guard let location = try? location(of: id) else { return id.rawValue }
        if location.place.kind == .version { return "“\(document.versions[location.version].name)”" }
        return model(location).name(at: location.place).map { "“\($0)”" } ?? location.place.kind.title
    }
}
