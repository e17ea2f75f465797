import PropertyLists

/// An element of a document as it was parsed, with its line for error messages.
package final class XMLTree {
    package let name: String
    package let attributes: XMLAttributes
    package let line: Int
    package var children: [Content] = []

    package enum Content {
        case element(XMLTree)
        case text(String)
        case comment(String)
        case instruction(String)
    }

    package init(name: String, attributes: XMLAttributes, line: Int) {
        self.name = name
        self.attributes = attributes
        self.line = line
    }

    /// The elements among the children.
    package var elements: [XMLTree] {
        children.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The text among the children, joined.
    package var text: String {
        children.reduce(into: "") { if case .text(let run) = $1 { $0 += run } }
    }

    /// An error at this element.
    package func invalid(_ message: Sentence) -> ModelDocumentError {
        ModelDocumentError(.invalidContent, sentence: message, line: line)
    }
}

/// The attributes of an element in the document's order, each name once.
package struct XMLAttributes {
    package private(set) var all: [(name: String, value: String)] = []

    package var count: Int { all.count }
    package var isEmpty: Bool { all.isEmpty }

    /// The value of an attribute. Elements have a handful of attributes: searching them is faster than hashing.
    package subscript(name: String) -> String? {
        all.first { $0.name == name }?.value
    }

    package mutating func append(_ name: String, _ value: String) {
        all.append((name, value))
    }
}

/// A whole document: its root element, what stands around it, and how it was laid out.
package struct XMLDocument {
    /// `standalone` of the XML declaration.
    package var standalone: Bool?
    package var documentType: XMLDocumentType?
    /// Comments before the root element.
    package var leadingComments: [String] = []
    package var root: XMLTree
    /// Comments after the root element.
    package var trailingComments: [String] = []
    package var layout = XMLLayout()
}

/// The document type declaration, without an internal subset: that is never read.
package struct XMLDocumentType: Hashable {
    package var name: String
    package var publicIdentifier: String?
    package var systemIdentifier: String?
}

/// What the same document's text can look like in more than one way.
package struct XMLLayout {
    /// Whether lines end in carriage return and line feed.
    package var hasWindowsLineEnds = false
    /// Whether the text ends in a line end.
    package var endsInNewline = false
    /// Whether `>` stands unescaped in an attribute's value.
    package var hasPlainGreaterThan = false
}
