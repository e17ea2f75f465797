import Foundation
import ModelFormat

extension XMLStoreDocument {
    /// Reads the text of a store.
    ///
    /// - Parameter data: the file's bytes.
    /// - Throws: `ModelDocumentError`, with line and column where they are known.
    public init(data: Data) throws { try self.init(data: data, limits: .documents) }

    /// Reads the text of a store.
    ///
    /// - Parameter limits: What the text may cost.
    package init(data: Data, limits: XMLLimits) throws {
        let document = try XMLReader.document(data, keepsWhiteSpace: true, limits: limits)
        guard document.root.name == "database" else {
            throw ModelDocumentError(
                .notAModel,
                sentence:
                    "The document's root element is <\(document.root.name)>, where a store has <database>.",
                line: document.root.line)
        }
        try self.init(document.root)
        isStandalone = document.standalone
        layout.take(document.layout)
    }

    /// The bytes of the file that Apple's framework would write.
    ///
    /// - Throws: `ModelDocumentError` `unwritableContent` for a character that XML cannot hold.
    public func data() throws -> Data {
        var writer = XMLWriter()
        writer.style.joinsEmptyTags = false
        writer.style.leavesGreaterThan = layout.leavesGreaterThan
        let standalone = isStandalone.map { " standalone=\"\($0 ? "yes" : "no")\"" } ?? ""
        writer.line("<?xml version=\"1.0\"\(standalone)?>")
        writer.line(#"<!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">"#)
        writer.line("")
        try writer.write(try node("database"))
        return layout.data(of: writer.text)
    }
}

extension XMLStoreDocument: ElementValue {
    package static let attributeCodings: [AttributeCoding<XMLStoreDocument>] = []
    package static let requiredAttributes: [String] = []
    package static let blank: XMLStoreDocument = {
        var document = XMLStoreDocument()
        document.identifier = ""
        return document
    }()

    package mutating func readChild(_ child: XMLTree) throws -> Bool {
        switch child.name {
        case "databaseInfo": try readInfo(child)
        case "object": objects.append(try Object(child))
        default: return false
        }
        return true
    }

    private mutating func readInfo(_ info: XMLTree) throws {
        for field in info.elements {
            switch field.name {
            case "version": version = field.text
            case "UUID": identifier = field.text
            case "nextObjectID": nextObjectID = try field.parsed { Int($0) }
            case "metadata": metadata = try Self.metadata(field)
            default: throw field.invalid("<\(field.name)> is nothing that the information on a store has.")
            }
        }
    }

    private static func metadata(_ element: XMLTree) throws -> [String: Model.UserInfoValue] {
        // As the first releases of Apple's framework wrote it.
        if element.elements.isEmpty { return [:] }
        guard let list = element.elements.first, element.elements.count == 1,
            case .dictionary(let entries) = try Model.UserInfoValue(propertyList: list)
        else { throw element.invalid("The metadata of a store is a property list with a dictionary.") }
        return entries
    }

    package func writeChildren() throws -> [MarkupNode] {
        let list = MarkupNode.element(
            name: "plist", attributes: [.init("version", "1.0")],
            children: [Model.UserInfoValue.dictionary(metadata).propertyListNode()])
        let info = MarkupNode.element(
            name: "databaseInfo",
            children: [
                .element(name: "version", children: [.text(version)]),
                .element(name: "UUID", children: [.text(identifier)]),
                .element(name: "nextObjectID", children: [.text(String(nextObjectID))]),
                .element(name: "metadata", children: [list]),
            ])
        return [info] + (try objects.map { try $0.node("object") })
    }
}

extension XMLStoreDocument.Object: ElementValue {
    package static let blank = XMLStoreDocument.Object(entityName: "", id: "")
    package static let requiredAttributes = ["type", "id"]
    package static let attributeCodings: [AttributeCoding<XMLStoreDocument.Object>] = [
        .text("type", \.entityName),
        .text("id", \.id),
    ]

    package mutating func readChild(_ child: XMLTree) throws -> Bool {
        switch child.name {
        case "attribute":
            guard let attribute = try XMLStoreDocument.Attribute(child) else { return false }
            attributes.append(attribute)
        case "relationship": relationships.append(try XMLStoreDocument.Relationship(child))
        default: return false
        }
        return true
    }

    package func writeChildren() throws -> [MarkupNode] {
        attributes.map(\.node) + (try relationships.map { try $0.node("relationship") })
    }
}

extension XMLStoreDocument.Attribute {
    /// Reads a value; `nil` if the element is more than name, type and text.
    fileprivate init?(_ element: XMLTree) throws {
        guard let name = element.attributes["name"], let type = element.attributes["type"],
            element.attributes.count == 2, element.elements.isEmpty
        else { return nil }
        let value =
            type == "binary"
            ? XMLStoreDocument.Value.data(try element.parsed(Data.init(wrappedBase64:))) : .text(element.text)
        self.init(name: name, type: type, value: value)
    }

    fileprivate var node: MarkupNode {
        let text =
            switch value {
            case .text(let text): text
            case .data(let data): Self.text(of: data)
            }
        return .element(
            name: "attribute", attributes: [.init("name", name), .init("type", type)],
            children: text.isEmpty ? [] : [.text(text)])
    }

    /// Apple's framework breaks Base64 after 76 letters, once: all the rest is one line.
    private static func text(of data: Data) -> String {
        let letters = data.base64EncodedString()
        let (first, rest) = (letters.prefix(76), letters.dropFirst(76))
        return [first, rest].filter { !$0.isEmpty }.map { $0 + "\n" }.joined()
    }
}

extension XMLStoreDocument.Relationship: ElementValue {
    package static let blank = XMLStoreDocument.Relationship(name: "", counts: "", destination: "")
    package static let requiredAttributes = ["name", "type", "destination"]
    package static let attributeCodings: [AttributeCoding<XMLStoreDocument.Relationship>] = [
        .text("name", \.name),
        .text("type", \.counts),
        .text("destination", \.destination),
        AttributeCoding(name: "idrefs") { text, relationship in
            relationship.objectIDs = text.split(separator: " ").map(String.init)
            return true
        } write: {
            $0.objectIDs.isEmpty ? nil : $0.objectIDs.joined(separator: " ")
        },
    ]
}
