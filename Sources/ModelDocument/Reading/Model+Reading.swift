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
        let document = try XMLTree.parse(contents)
        guard document.root.name == "model" else {
            throw ModelDocumentError(
                .notAModel, "The document's root element is <\(document.root.name)>, where a data model has <model>.",
                line: document.root.line)
        }
        let root = try Root(document.root)
        self = root.model
        documentInfo = root.info
        versionIdentifiers = root.versionIdentifier.map { [$0] } ?? []
        leadingComments = document.leadingComments
    }

    /// The root element, while it is read.
    struct Root: ElementValue {
        var model = Model()
        var info = DocumentInfo()
        var versionIdentifier: String?

        var foreign: ForeignContent {
            get { model.foreign }
            set { model.foreign = newValue }
        }

        static var blank: Root {
            var root = Root()
            root.info.type = nil
            root.info.documentVersion = nil
            return root
        }

        static let requiredAttributes: [String] = []

        static let attributeCodings: [AttributeCoding<Root>] = [
            .text("name", \.info.name),
            .text("type", \.info.type),
            .text("documentVersion", \.info.documentVersion),
            .text("lastSavedToolsVersion", \.info.lastSavedToolsVersion),
            .text("systemVersion", \.info.systemVersion),
            .text("minimumToolsVersion", \.info.minimumToolsVersion),
            .text("macOSVersion", \.info.macOSVersion),
            .text("iOSVersion", \.info.iOSVersion),
            .text("sourceLanguage", \.info.sourceLanguage),
            .flag("usedWithCloudKit", \.info.isUsedWithCloudKit),
            .flag("usedWithSwiftData", \.info.isUsedWithSwiftData),
            .text("userDefinedModelVersionIdentifier", \.versionIdentifier),
        ]

        mutating func readChild(_ child: XMLTree) throws -> Bool {
            switch child.name {
            case "entity": model.entities.append(try Entity(child))
            case "fetchRequest": model.fetchRequests.append(try FetchRequest(child))
            case "configuration": model.configurations.append(try Configuration(child))
            case "composite": model.composites.append(try Composite(child))
            case "elements":
                guard model.diagramElements.isEmpty,
                    let elements = try child.values(DiagramElement.self, named: "element")
                else { return false }
                model.diagramElements = elements
            default: return false
            }
            return true
        }
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
