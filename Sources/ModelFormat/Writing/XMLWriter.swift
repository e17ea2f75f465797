/// Writes XML as Apple's tools do: a tag a line, four blanks for each level.
package struct XMLWriter {
    /// How text is laid out that can be laid out in more than one way.
    package struct Style {
        /// Whether an element without content is one tag (`<a/>`) or two (`<a></a>`).
        package var joinsEmptyTags = true
        /// Whether `>` stays unescaped in attributes.
        package var leavesGreaterThan = false
        /// What one level is indented by.
        package var indentation = "    "
        static let xcode = Style()
    }

    package private(set) var text = ""
    package var style = Style.xcode

    package init() {}

    /// Adds a line as it is.
    package mutating func line(_ line: String) {
        text += line
        text += "\n"
    }

    /// Adds a node on lines of its own.
    ///
    /// - Throws: `ModelDocumentError` `unwritableContent` for what XML cannot say.
    package mutating func write(_ node: MarkupNode, depth: Int = 0) throws {
        for _ in 0..<depth { text += style.indentation }
        switch node {
        case .element(let name, let attributes, let children):
            try write(element: name, attributes, children, depth: depth)
        case .text(let run): text += try XMLEscaping.text(run)
        case .comment(let comment):
            guard !comment.contains("--"), !comment.hasSuffix("-") else {
                throw ModelDocumentError(.unwritableContent, sentence: "A comment cannot hold '--': \(comment)")
            }
            text += "<!--\(try XMLEscaping.checked(comment))-->"
        case .instruction(let instruction):
            guard !instruction.contains("?>") else {
                throw ModelDocumentError(.unwritableContent, "A processing instruction cannot hold '?>'.")
            }
            text += "<?\(try XMLEscaping.checked(instruction))?>"
        }
        text += "\n"
    }

    private mutating func write(
        element name: String, _ attributes: [MarkupNode.Attribute], _ children: [MarkupNode], depth: Int
    ) throws {
        text += "<\(try XMLEscaping.name(name))"
        for attribute in attributes {
            let value = try XMLEscaping.attribute(attribute.value, leavesGreaterThan: style.leavesGreaterThan)
            text += " \(try XMLEscaping.name(attribute.name))=\"\(value)\""
        }
        if children.isEmpty, style.joinsEmptyTags {
            text += "/>"
            return
        }
        text += ">"
        try write(children: children, depth: depth)
        text += "</\(name)>"
    }

    private mutating func write(children: [MarkupNode], depth: Int) throws {
        if case .text(let run)? = children.first, children.count == 1 {
            text += try XMLEscaping.text(run)
            return
        }
        guard !children.isEmpty else { return }
        text += "\n"
        for child in children { try write(child, depth: depth + 1) }
        for _ in 0..<depth { text += style.indentation }
    }
}
