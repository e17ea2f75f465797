extension ElementValue {
    /// The element that stands for this value.
    ///
    /// - Parameter name: the element's name.
    /// - Throws: `ModelDocumentError` `unwritableContent` for what a document cannot say.
    @_semantics("optimize.sil.specialize.generic.never")
    package func node(_ name: String) throws -> MarkupNode {
        let attributes = spelledAttributes
        if let property = unwritableProperty {
            let subject = attributes.first { $0.name == "name" }.map { "'\($0.value)'" } ?? "<\(name)>"
            throw ModelDocumentError(
                .unwritableContent,
                sentence: "A document cannot say the \(property) of \(subject): only compiled models can.")
        }
        return .element(name: name, attributes: attributes, children: try foreign.merged(into: writeChildren()))
    }

    /// The attributes as they are written for this value: Xcode's spellings, or the document's own where they still
    /// mean the same.
    ///
    /// Known attributes come in Xcode's order, unknown ones in the places that they were read from.
    var spelledAttributes: [MarkupNode.Attribute] {
        var result = orderedCodings.compactMap { coding in
            spelling(for: coding).map { MarkupNode.Attribute(coding.name, $0) }
        }
        for attribute in foreign.attributes {
            let place = min(max(attribute.position, 0), result.count)
            result.insert(MarkupNode.Attribute(attribute.name, attribute.value), at: place)
        }
        return result
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private func spelling(for coding: AttributeCoding<Self>) -> String? {
        let usual = coding.write(self)
        if let own = foreign.spellings[coding.name], stillMeansTheSame(coding, own) { return own }
        return foreign.omissions.contains(coding.name) ? nil : usual
    }

    /// Whether an attribute read as `text`, and the attributes that the table has behind it read over it, gives this
    /// value again: `maxCount="1"` overrules `toMany="YES"`.
    @_semantics("optimize.sil.specialize.generic.never")
    private func stillMeansTheSame(_ coding: AttributeCoding<Self>, _ text: String) -> Bool {
        var copy = self
        guard coding.read(text, &copy) else { return false }
        for later in Self.attributeCodings.drop(while: { $0.name != coding.name }).dropFirst() {
            if let text = later.write(self) { _ = later.read(text, &copy) }
        }
        return coding.write(copy) == coding.write(self)
    }
}

extension ForeignContent {
    /// The children that properties stand for, with the unknown ones in their places.
    func merged(into known: [MarkupNode]) -> [MarkupNode] {
        guard !children.isEmpty else { return known }
        var result: [MarkupNode] = []
        var rest = known[...]
        for child in children {
            let gap = max(child.position - result.count, 0)
            result += rest.prefix(gap)
            rest = rest.dropFirst(gap)
            result.append(child.node)
        }
        return result + rest
    }
}
