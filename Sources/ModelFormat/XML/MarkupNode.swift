/// A piece of XML: what the values are turned into to be written, and what is kept of a document that no value stands
/// for.
public indirect enum MarkupNode: Sendable, Hashable, Codable {
    case element(name: String, attributes: [Attribute] = [], children: [MarkupNode] = [])
    case text(String)
    case comment(String)
    case instruction(String)

    /// One attribute of an element; their order counts.
    public struct Attribute: Sendable, Hashable, Codable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension MarkupNode {
    init(_ content: XMLTree.Content) {
        switch content {
        case .element(let element):
            self = .element(
                name: element.name, attributes: element.attributes.all.map { Attribute($0.name, $0.value) },
                children: element.children.map(MarkupNode.init))
        case .text(let text): self = .text(text)
        case .comment(let comment): self = .comment(comment)
        case .instruction(let instruction): self = .instruction(instruction)
        }
    }
}
