/// A value that stands for an element of a document.
protocol ElementValue {
    /// The element's attributes, in the order in which Xcode writes them.
    static var attributeCodings: [AttributeCoding<Self>] { get }
    /// The attributes without which the element says nothing.
    static var requiredAttributes: [String] { get }
    /// A value as it is before any attribute is read.
    static var blank: Self { get }
    var foreign: ForeignContent { get set }

    /// Takes up a child element; `false` if the value has no property for it.
    mutating func readChild(_ child: XMLTree) throws -> Bool
}

extension ElementValue {
    static var requiredAttributes: [String] { ["name"] }
    mutating func readChild(_ child: XMLTree) throws -> Bool { false }

    /// Reads an element with everything in it.
    ///
    /// - Throws: `ModelDocumentError` `invalidContent` for a missing or impossible attribute.
    init(_ element: XMLTree) throws {
        self = .blank
        try readAttributes(of: element)
        try readChildren(of: element)
    }

    private mutating func readAttributes(of element: XMLTree) throws {
        for name in Self.requiredAttributes where element.attributes[name] == nil {
            throw element.invalid("The element <\(element.name)> needs the attribute '\(name)'.")
        }
        for coding in Self.attributeCodings {
            guard let text = element.attributes[coding.name] else { continue }
            guard coding.read(text, &self) else {
                throw element.invalid(
                    "'\(text)' is no value for the attribute '\(coding.name)' of <\(element.name)>\(element.nameSuffix)."
                )
            }
        }
        noteSpellings(in: element.attributes)
    }

    private mutating func noteSpellings(in attributes: [String: String]) {
        var unknown = attributes
        for coding in Self.attributeCodings {
            let spelled = unknown.removeValue(forKey: coding.name)
            let usual = coding.write(self)
            guard spelled != usual else { continue }
            if let spelled {
                foreign.spellings[coding.name] = spelled
            } else {
                foreign.omissions.insert(coding.name)
            }
        }
        foreign.attributes = unknown
    }

    private mutating func readChildren(of element: XMLTree) throws {
        for (position, content) in element.children.enumerated() {
            if case .element(let child) = content, try readChild(child) { continue }
            foreign.children.append(.init(position: position, node: ForeignNode(content)))
        }
    }
}

extension ElementValue {
    /// The attributes as they are written for this value: Xcode's spellings, or the document's own where they still
    /// mean the same.
    ///
    /// Known attributes come in Xcode's order, unknown ones after them by name.
    var spelledAttributes: [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        for coding in Self.attributeCodings {
            guard let text = spelling(for: coding) else { continue }
            result.append((coding.name, text))
        }
        result += foreign.attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return result
    }

    private func spelling(for coding: AttributeCoding<Self>) -> String? {
        let usual = coding.write(self)
        if let own = foreign.spellings[coding.name] {
            var copy = self
            if coding.read(own, &copy), coding.write(copy) == usual { return own }
        }
        return foreign.omissions.contains(coding.name) ? nil : usual
    }
}

extension XMLTree {
    func invalid(_ message: String) -> ModelDocumentError {
        ModelDocumentError(.invalidContent, message, line: line)
    }

    fileprivate var nameSuffix: String {
        attributes["name"].map { " '\($0)'" } ?? ""
    }

    var elements: [XMLTree] {
        children.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }
}

extension ForeignNode {
    init(_ content: XMLTree.Content) {
        switch content {
        case .element(let element):
            self = .element(
                name: element.name, attributes: element.attributes, children: element.children.map(ForeignNode.init))
        case .text(let text): self = .text(text)
        case .comment(let comment): self = .comment(comment)
        }
    }
}
