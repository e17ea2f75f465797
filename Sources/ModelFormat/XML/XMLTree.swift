import PropertyLists

/// An element of a document as it was parsed, with its line for error messages.
final class XMLTree {
    let name: String
    let attributes: XMLAttributes
    let line: Int
    var children: [Content] = []

    enum Content {
        case element(XMLTree)
        case text(String)
        case comment(String)
        case instruction(String)
    }

    init(name: String, attributes: XMLAttributes, line: Int) {
        self.name = name
        self.attributes = attributes
        self.line = line
    }

    /// The elements among the children.
    var elements: [XMLTree] {
        children.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The text among the children, joined.
    var text: String {
        children.reduce(into: "") { if case .text(let run) = $1 { $0 += run } }
    }

    /// An error at this element.
    func invalid(_ message: Sentence) -> ModelDocumentError {
        ModelDocumentError(.invalidContent, sentence: message, line: line)
    }
}

/// The attributes of an element in the document's order, each name once.
struct XMLAttributes {
    private(set) var all: [(name: String, value: String)] = []

    var count: Int { all.count }
    var isEmpty: Bool { all.isEmpty }

    /// The value of an attribute. Elements have a handful of attributes: searching them is faster than hashing.
    subscript(name: String) -> String? {
        all.first { $0.name == name }?.value
    }

    mutating func append(_ name: String, _ value: String) {
        all.append((name, value))
    }
}

/// A whole document: its root element, what stands around it, and how it was laid out.
struct XMLDocument {
    /// `standalone` of the XML declaration.
    var standalone: Bool?
    var documentType: XMLDocumentType?
    /// Comments before the root element.
    var leadingComments: [String] = []
    var root: XMLTree
    /// Comments after the root element.
    var trailingComments: [String] = []
    var layout = XMLLayout()
}

/// The document type declaration, without an internal subset: that is never read.
struct XMLDocumentType: Hashable {
    var name: String
    var publicIdentifier: String?
    var systemIdentifier: String?
}

/// What the same document's text can look like in more than one way.
struct XMLLayout {
    /// Whether lines end in carriage return and line feed.
    var hasWindowsLineEnds = false
    /// Whether the text ends in a line end.
    var endsInNewline = false
    /// Whether `>` stands unescaped in an attribute's value.
    var hasPlainGreaterThan = false
}
