import Foundation

extension Model {
    /// The bytes of the `contents` file that Xcode would write for this model.
    ///
    /// They follow from the values alone. A document that Xcode wrote comes out byte for byte as it was when it is read
    /// and written; in one that was changed, only what was changed differs, so that version control shows just that.
    ///
    /// ```swift
    /// var model = try Model(contents: Data(contentsOf: file))
    /// model.entities[0].attributes.append(.init(name: "nickname", type: .string))
    /// try model.contents().write(to: file, options: .atomic)
    /// ```
    ///
    /// A model without `documentInfo`, such as a compiled one, is written as a new document.
    ///
    /// - Throws: `ModelDocumentError` `unwritableContent` for what a document cannot say: validation predicates, sort
    ///   keys and user info values of compiled models, and characters that XML cannot hold.
    public func contents() throws -> Data {
        var root = Root.blank
        root.model = self
        root.info = documentInfo ?? .newDocument()
        root.versionIdentifier = versionIdentifiers.first ?? (documentInfo == nil ? "" : nil)
        var writer = XMLWriter()
        writer.style.leavesGreaterThan = root.info.layout.leavesGreaterThan
        writer.line(#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#)
        for comment in leadingComments { try writer.write(.comment(comment)) }
        try writer.write(try root.node("model"))
        for comment in trailingComments { try writer.write(.comment(comment)) }
        return root.info.layout.data(of: writer.text)
    }
}

extension Model.DocumentInfo.Layout {
    /// Takes over what the parser saw.
    package mutating func take(_ layout: XMLLayout) {
        hasWindowsLineEnds = layout.hasWindowsLineEnds
        endsInNewline = layout.endsInNewline
        leavesGreaterThan = layout.hasPlainGreaterThan
    }

    /// The bytes of a text. All its lines end in a line feed.
    package func data(of text: String) -> Data {
        var text = text
        if !endsInNewline, text.hasSuffix("\n") { text.removeLast() }
        if hasWindowsLineEnds { text = text.replacing("\n", with: "\r\n") }
        return Data(text.utf8)
    }
}
