import Foundation
import PropertyLists

/// A parser for the XML that Apple's tools write: UTF-8, without entities of its own.
///
/// It is strict about being well-formed, says the line and the column of what is not, keeps attributes in order, and
/// bounds what a hostile document can cost: time and memory grow with the document's size and never faster, because
/// document types with declarations are refused instead of expanded, and `XMLLimits` holds for everything else.
/// Elements are kept on a stack of its own, so that nesting costs no stack of the process.
package struct XMLReader {
    let bytes: [UInt8]
    var position = 0
    let limits: XMLLimits
    /// Whether the text of elements that hold nothing else is kept with all its white space; other text is trimmed, and
    /// left out where nothing remains.
    private let keepsWhiteSpace: Bool

    var layout = XMLLayout()
    private var open: [XMLTree] = []
    private var run: [UInt8] = []
    private var nodeCount = 0
    private var attributeCount = 0
    private var lineMark = (position: 0, line: 1)

    /// Parses a whole document.
    ///
    /// - Parameters:
    ///   - data: the document's bytes.
    ///   - keepsWhiteSpace: whether the text of an element that holds nothing else counts to the last blank.
    ///   - limits: what the document may cost.
    /// - Throws: `ModelDocumentError` `damagedXML` or `excessiveContent`, with the place.
    package static func document(
        _ data: Data, keepsWhiteSpace: Bool = false, limits: XMLLimits = .documents
    ) throws -> XMLDocument {
        guard data.count <= limits.byteCount else {
            throw ModelDocumentError(
                .excessiveContent, sentence: "The document has \(data.count) bytes; up to \(limits.byteCount) are read."
            )
        }
        if data.isEmpty { throw ModelDocumentError(.damagedXML, "The document is empty.") }
        do {
            let text = try XMLSource(data)
            var reader = XMLReader(text, keepsWhiteSpace: keepsWhiteSpace, limits: limits)
            return try reader.document()
        } catch let error as ModelDocumentError where error.code == .damagedXML {
            throw mergeConflict(in: data) ?? error
        }
    }

    private init(_ source: XMLSource, keepsWhiteSpace: Bool, limits: XMLLimits) {
        bytes = source.bytes
        layout.hasWindowsLineEnds = source.hasWindowsLineEnds
        layout.endsInNewline = source.bytes.last == UInt8(ascii: "\n")
        self.keepsWhiteSpace = keepsWhiteSpace
        self.limits = limits
    }

    /// What a document that version control could not merge is really about.
    private static func mergeConflict(in data: Data) -> ModelDocumentError? {
        let bytes = [UInt8](data)
        let mark = Array("<<<<<<< ".utf8)
        let line = bytes.firstLine { $0.starts(with: mark) }
        return line.map {
            ModelDocumentError(.damagedXML, "The document holds an unresolved merge conflict.", line: $0, column: 1)
        }
    }
}

/// What one document may cost to read.
package struct XMLLimits {
    var byteCount: Int
    /// How deep elements may be nested.
    var depth: Int
    /// How many elements, texts and comments there may be.
    var nodeCount: Int
    /// How many attributes one element may have.
    var attributesPerElement: Int
    /// How many attributes all elements may have together.
    var attributeCount: Int

    /// Far beyond any model: the largest known has 500 elements, nested four deep, in 80 KB.
    package static let documents = XMLLimits(
        byteCount: 32 << 20, depth: 64, nodeCount: 300_000, attributesPerElement: 256, attributeCount: 2_000_000)

    /// For stores, which may have any number of objects.
    package static let stores = XMLLimits(
        byteCount: .max, depth: 64, nodeCount: .max, attributesPerElement: 256, attributeCount: .max)
}

// MARK: - Elements

extension XMLReader {
    private mutating func document() throws -> XMLDocument {
        let standalone = try declaration()
        var (documentType, leadingComments) = (XMLDocumentType?.none, [String]())
        try prolog(documentType: &documentType, comments: &leadingComments)
        let root = try startTag()
        while !open.isEmpty { try content() }
        var trailingComments: [String] = []
        try epilog(comments: &trailingComments)
        return XMLDocument(
            standalone: standalone, documentType: documentType, leadingComments: leadingComments, root: root,
            trailingComments: trailingComments, layout: layout)
    }

    /// Reads the next piece of what is inside the innermost open element.
    private mutating func content() throws {
        guard let byte = peek else { throw unclosedElement() }
        guard byte == UInt8(ascii: "<") else { return try appendText() }
        if take("<![CDATA[") {
            run += try through("]]>", of: "CDATA section")
        } else if take("<!--") {
            try append(.comment(text(of: through("-->", of: "comment"))))
        } else if take("<?") {
            try append(.instruction(text(of: through("?>", of: "processing instruction"))))
        } else if take("</") {
            try endTag()
        } else {
            try startTag()
        }
    }

    private func unclosedElement() -> ModelDocumentError {
        let element = open[open.count - 1]
        return damage("The document ends before the element <\(element.name)> of line \(element.line) does.")
    }

    /// Reads a start tag, or an element that is nothing but a tag.
    @discardableResult
    private mutating func startTag() throws -> XMLTree {
        let line = line(at: position)
        guard take("<") else { throw damage("An element should begin here.") }
        let name = try name(of: "element")
        let attributes = try attributes(of: name)
        let element = XMLTree(name: name, attributes: attributes, line: line)
        if open.isEmpty { try count() } else { try append(.element(element)) }
        if take("/>") { return element }
        guard take(">") else { throw damage("The tag <\(name)> is not closed here.") }
        open.append(element)
        guard open.count <= limits.depth else {
            throw excess("Elements are nested deeper than \(limits.depth) here.")
        }
        return element
    }

    private mutating func endTag() throws {
        let begin = position
        let name = try name(of: "end tag")
        let element = open[open.count - 1]
        guard name == element.name else {
            throw damage("</\(name)> closes the element <\(element.name)> of line \(element.line).", at: begin)
        }
        skipSpace()
        guard take(">") else { throw damage("The tag </\(name)> is not closed here.") }
        try flushText(trimmed: !keepsWhiteSpace || !element.children.isEmpty)
        open.removeLast()
    }

    private mutating func attributes(of element: String) throws -> XMLAttributes {
        var attributes = XMLAttributes()
        var names: Set<String> = []
        while skipSpace(), let byte = peek, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") {
            let begin = position
            let name = try name(of: "attribute of <\(element)>")
            guard names.insert(name).inserted else {
                throw damage("The attribute '\(name)' of <\(element)> is there twice.", at: begin)
            }
            attributeCount += 1
            guard names.count <= limits.attributesPerElement, attributeCount <= limits.attributeCount else {
                throw excess("There are more attributes here than the \(limits.attributesPerElement) that are read.")
            }
            attributes.append(name, try attributeValue(of: name))
        }
        return attributes
    }
}

// MARK: - The tree

extension XMLReader {
    private mutating func append(_ content: XMLTree.Content) throws {
        try flushText()
        try count()
        open[open.count - 1].children.append(content)
    }

    private mutating func count() throws {
        nodeCount += 1
        guard nodeCount <= limits.nodeCount else {
            throw excess("There are more than \(limits.nodeCount) elements, texts and comments.")
        }
    }

    /// Adds the run of text that ends here.
    private mutating func flushText(trimmed: Bool = true) throws {
        guard !run.isEmpty else { return }
        defer { run.removeAll(keepingCapacity: run.count < 1 << 16) }
        let kept = trimmed ? run.trimmed : run[...]
        guard !kept.isEmpty else { return }
        try count()
        open[open.count - 1].children.append(.text(text(of: kept)))
    }

    private mutating func appendText() throws {
        while let byte = peek, byte != UInt8(ascii: "<") {
            if byte == UInt8(ascii: "&") {
                run += try reference()
            } else {
                run.append(byte)
                position += 1
            }
        }
    }
}

// MARK: - Places

extension XMLReader {
    /// The line of a place; lines before it are counted once in all.
    private mutating func line(at place: Int) -> Int {
        lineMark.line += bytes[lineMark.position..<place].count { $0 == UInt8(ascii: "\n") }
        lineMark.position = place
        return lineMark.line
    }

    func damage(_ message: Sentence, at place: Int? = nil) -> ModelDocumentError {
        error(.damagedXML, "The document is damaged: \(whole: message)", at: place ?? position)
    }

    func excess(_ message: Sentence) -> ModelDocumentError {
        error(.excessiveContent, message, at: position)
    }

    private func error(_ code: ModelDocumentError.Code, _ message: Sentence, at place: Int) -> ModelDocumentError {
        let before = bytes[..<place]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = String(decoding: bytes[lineStart..<place], as: UTF8.self).unicodeScalars.count + 1
        return ModelDocumentError(
            code, sentence: message, line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: column)
    }
}

extension [UInt8] {
    /// The bytes without white space at both ends.
    fileprivate var trimmed: ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !$0.isXMLSpace }), let last = lastIndex(where: { !$0.isXMLSpace })
        else { return [] }
        return self[first...last]
    }
}
