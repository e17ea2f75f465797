import Foundation

extension Model {
    /// The document's root element.
    package func markup() throws -> MarkupNode {
        var root = root
        root.versionIdentifier = versionIdentifiers.first
        return try root.node("model")
    }

    /// Reads a root element.
    package init(markup: MarkupNode) throws {
        var writer = XMLWriter()
        try writer.write(markup)
        try self.init(contents: Data(writer.text.utf8))
    }

    /// The root element with everything that is said of the model.
    var root: Root {
        var root = Root.blank
        root.model = self
        root.info = documentInfo ?? root.info
        root.versionIdentifier = versionIdentifiers.isEmpty ? nil : versionIdentifiers.joined(separator: ", ")
        return root
    }
}
