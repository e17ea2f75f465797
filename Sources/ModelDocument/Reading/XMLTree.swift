import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An element of a document as it was parsed, with its line for error messages.
final class XMLTree {
    let name: String
    let attributes: [String: String]
    let line: Int
    var children: [Content] = []

    enum Content {
        case element(XMLTree)
        case text(String)
        case comment(String)
    }

    init(name: String, attributes: [String: String], line: Int) {
        self.name = name
        self.attributes = attributes
        self.line = line
    }

    /// A root element and the comments before it.
    struct Document {
        var root: XMLTree
        var leadingComments: [String]
    }

    /// Parses a whole document.
    ///
    /// - Throws: `ModelDocumentError` `damagedXML`, with the place.
    static func parse(_ data: Data) throws -> Document {
        try checkText(data)
        let builder = XMLTreeBuilder()
        let parser = XMLParser(data: data)
        parser.delegate = builder
        parser.shouldResolveExternalEntities = false
        // On Linux the result is true for a truncated document, so the errors that were reported decide.
        _ = parser.parse()
        guard builder.damage == nil, builder.isClosed, let root = builder.root else {
            throw damage(in: data, at: builder.damage)
        }
        return Document(root: root, leadingComments: builder.leadingComments)
    }

    /// Refuses what is not UTF-8, which is all that Xcode writes: Foundation's parser on Linux traps on names that are
    /// not.
    private static func checkText(_ data: Data) throws {
        guard String(validating: data, as: UTF8.self) == nil else { return }
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
        throw ModelDocumentError(
            .damagedXML, "The document is damaged: this is not UTF-8 text.", line: line.map { $0 + 1 })
    }

    private static func damage(in data: Data, at place: XMLTreeBuilder.Place?) -> ModelDocumentError {
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if let marker = lines.firstIndex(where: { $0.starts(with: "<<<<<<< ".utf8) }) {
            return ModelDocumentError(
                .damagedXML, "The document holds an unresolved merge conflict.", line: marker + 1, column: 1)
        }
        if data.isEmpty { return ModelDocumentError(.damagedXML, "The document is empty.") }
        return ModelDocumentError(
            .damagedXML, "The document is damaged: its XML is not well-formed from here on.",
            line: place?.line, column: place?.column)
    }
}

/// Builds the tree from the parser's events; runs of text are joined, white space between elements is dropped.
private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
    private(set) var root: XMLTree?
    private(set) var leadingComments: [String] = []
    /// Where the first error was.
    private(set) var damage: Place?
    /// Whether every element that began has ended.
    var isClosed: Bool { open.isEmpty }

    struct Place {
        var line: Int
        var column: Int
    }

    private var open: [XMLTree] = []
    private var text = ""

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        flushText()
        let element = XMLTree(name: name, attributes: attributes, line: parser.lineNumber)
        if let parent = open.last {
            parent.children.append(.element(element))
        } else {
            root = element
        }
        open.append(element)
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        flushText()
        _ = open.popLast()
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        text += string
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        text += String(decoding: block, as: UTF8.self)
    }

    func parser(_ parser: XMLParser, foundComment comment: String) {
        flushText()
        if let parent = open.last {
            parent.children.append(.comment(comment))
        } else if root == nil {
            leadingComments.append(comment)
        }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        if damage == nil { damage = Place(line: parser.lineNumber, column: parser.columnNumber) }
    }

    private func flushText() {
        let run = text.trimmingCharacters(in: .whitespacesAndNewlines)
        text = ""
        if !run.isEmpty { open.last?.children.append(.text(run)) }
    }
}
