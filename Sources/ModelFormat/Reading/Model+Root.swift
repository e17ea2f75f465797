extension Model {
    /// The root element of a document: the model, and what the document says of itself.
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
            versionIdentifierCoding,
        ]

        private static let versionIdentifierCoding = AttributeCoding<Root>.text(
            "userDefinedModelVersionIdentifier", \.versionIdentifier)

        /// Since Xcode 8, which brought the source language, the version identifier comes last; before it, it came
        /// after the name.
        var orderedCodings: [AttributeCoding<Root>] {
            guard info.sourceLanguage == nil else { return Self.attributeCodings }
            let codings = Self.attributeCodings
            return [codings[0], Self.versionIdentifierCoding] + codings.dropFirst().dropLast()
        }

        mutating func readChild(_ child: XMLTree) throws -> Bool {
            switch child.name {
            case "entity": model.entities.append(try Entity(child))
            case "fetchRequest": model.fetchRequests.append(try FetchRequest(child))
            case "configuration": model.configurations.append(try Configuration(child))
            case "composite": model.composites.append(try Composite(child))
            case "elements": return try readDiagram(child)
            default: return false
            }
            return true
        }

        private mutating func readDiagram(_ child: XMLTree) throws -> Bool {
            guard model.diagramElements.isEmpty, !info.layout.hasEmptyDiagram else { return false }
            if child.attributes.isEmpty, child.children.isEmpty {
                info.layout.hasEmptyDiagram = true
                return true
            }
            guard let elements = try child.values(DiagramElement.self, named: "element") else { return false }
            model.diagramElements = elements
            return true
        }

        func writeChildren() throws -> [MarkupNode] {
            var nodes = try model.entities.map { try $0.node("entity") }
            nodes += try model.fetchRequests.map { try $0.node("fetchRequest") }
            nodes += try model.configurations.map { try $0.node("configuration") }
            nodes += try model.composites.map { try $0.node("composite") }
            if !model.diagramElements.isEmpty || info.layout.hasEmptyDiagram {
                let elements = try model.diagramElements.map { try $0.node("element") }
                nodes.append(.element(name: "elements", children: elements))
            }
            return nodes
        }

        var unwritableProperty: String? {
            if model.versionIdentifiers.count > 1 { return "more than one version identifier" }
            return model.localizationDictionary == nil ? nil : "localization dictionary"
        }
    }
}
