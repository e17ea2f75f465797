import Foundation

extension Model {
    /// Reads the text of a `contents` file.
    ///
    /// - Parameter contents: the file's bytes.
    /// - Throws: `ModelDocumentError`, with line and column where they are known.
    public init(contents: Data) throws {
        if contents.starts(with: "bplist".utf8) {
            throw ModelDocumentError(
                .binaryDocument,
                "The document is a binary archive, not XML: a compiled model, or a document of Xcode 3. Open and save the latter in Xcode 4 or later."
            )
        }
        let document = try XMLReader.document(contents)
        guard document.root.name == "model" else {
            throw ModelDocumentError(
                .notAModel,
                sentence: "The document's root element is <\(document.root.name)>, where a data model has <model>.",
                line: document.root.line)
        }
        let root = try Root(document.root)
        self = root.model
        documentInfo = root.info
        versionIdentifiers = root.versionIdentifier.map { [$0] } ?? []
        leadingComments = document.leadingComments
        trailingComments = document.trailingComments
        documentInfo?.layout.take(document.layout)
    }
}

extension XMLTree {
    /// The children of an element that is nothing but their wrapper.
    ///
    /// - Returns: `nil` if the wrapper says anything else or is empty: such a one is kept as it is.
    func values<Value: ElementValue>(_ type: Value.Type, named name: String) throws -> [Value]? {
        let all = elements
        guard attributes.isEmpty, !all.isEmpty, all.count == children.count, all.allSatisfy({ $0.name == name })
        else { return nil }
        return try all.map { try Value($0) }
    }
}
