/// A piece of XML.
///
/// Values are turned into it to be written. It also keeps what a document says and no value stands for: see
/// ``ForeignContent``.
public indirect enum MarkupNode: Sendable, Hashable, Codable {
    /// An element with its attributes and what is between its tags.
    case element(name: String, attributes: [Attribute] = [], children: [MarkupNode] = [])

    /// A text, without escapes.
    case text(String)

    /// A comment, without `<!--` and `-->`.
    case comment(String)

    /// A processing instruction, without `<?` and `?>`.
    case instruction(String)

    /// One attribute of an element. The order of attributes counts.
    public struct Attribute: Sendable, Hashable, Codable {
        /// The attribute's name, such as `optional`.
        public var name: String

        /// The attribute's value, without escapes.
        public var value: String

        /// An attribute of a name and a value.
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
