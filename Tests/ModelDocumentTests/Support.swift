import Foundation
import Testing

@testable import ModelDocument

/// Where the sample documents are.
enum Samples {
    static let committed = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    /// The whole collection beside the package, where it is at hand.
    static let collection = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/fixtures/models")

    static let collections: [URL] = [committed, collection].filter { FileManager.default.fileExists(atPath: $0.path) }

    static func document(_ path: String) throws -> ModelDocumentFolder {
        try ModelDocumentFolder(contentsOf: committed.appending(path: path))
    }

    /// Every document folder below a folder.
    static func documents(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent != "README.md" }
            .flatMap { try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil) }
            .filter { $0.pathExtension == "xcdatamodeld" || $0.pathExtension == "xcdatamodel" }
            .sorted { $0.path < $1.path }
    }
}

/// A start tag: its name, and its attributes as they are spelled.
struct Tag: Hashable, CustomStringConvertible {
    var name: String
    var attributes: [String]

    var description: String { ([name] + attributes).joined(separator: " ") }

    /// The start tags of a document in order, found without an XML parser.
    static func scan(_ contents: Data) -> [Tag] {
        let text = String(decoding: contents, as: UTF8.self).replacing(#/<!--(.|\n)*?-->/#, with: "")
        return text.matches(of: #/<(\w+)((?:\s+[\w:]+="[^"]*")*)\s*/?>/#).map { match in
            let attributes = match.output.2.matches(of: #/([\w:]+)="([^"]*)"/#).map {
                "\($0.output.1)=\(unescape($0.output.2))"
            }
            return Tag(name: String(match.output.1), attributes: attributes)
        }
    }

    private static func unescape(_ text: Substring) -> String {
        String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#10;", with: "\n").replacing("&amp;", with: "&")
    }

    init(name: String, attributes: [String]) {
        self.name = name
        self.attributes = attributes
    }

    init<Value: ElementValue>(_ name: String, _ value: Value) {
        self.init(name: name, attributes: value.spelledAttributes.map { "\($0.name)=\($0.value)" })
    }
}

/// The start tags that a model's values stand for, in Xcode's order of elements.
struct TagList {
    var tags: [Tag] = []

    init(_ model: Model) {
        for entity in model.entities { add(entity) }
        for request in model.fetchRequests { tags.append(Tag("fetchRequest", request)) }
        for configuration in model.configurations {
            tags.append(Tag("configuration", configuration))
            tags += configuration.entityNames.map { Tag(name: "memberEntity", attributes: ["name=\($0)"]) }
        }
        for composite in model.composites {
            tags.append(Tag("composite", composite))
            for element in composite.elements { add("attribute", element, element.userInfo) }
        }
        if !model.diagramElements.isEmpty { tags.append(Tag(name: "elements", attributes: [])) }
        tags += model.diagramElements.map { Tag("element", $0) }
        add(model.foreign)
    }

    private mutating func add(_ entity: Model.Entity) {
        tags.append(Tag("entity", entity))
        for attribute in entity.attributes { add("attribute", attribute, attribute.userInfo) }
        for relationship in entity.relationships { add("relationship", relationship, relationship.userInfo) }
        for property in entity.fetchedProperties {
            tags.append(Tag("fetchedProperty", property))
            if let request = property.fetchRequest { tags.append(Tag("fetchRequest", request)) }
            add(property.userInfo)
        }
        for index in entity.fetchIndexes {
            tags.append(Tag("fetchIndex", index))
            tags += index.elements.map { Tag("fetchIndexElement", $0) }
        }
        add(entity.compoundIndexes, "compoundIndexes", "compoundIndex", "index")
        add(entity.uniquenessConstraints, "uniquenessConstraints", "uniquenessConstraint", "constraint")
        add(entity.userInfo)
        add(entity.foreign)
    }

    private mutating func add<Value: ElementValue>(_ name: String, _ value: Value, _ userInfo: Model.UserInfo?) {
        tags.append(Tag(name, value))
        add(userInfo)
    }

    private mutating func add(_ userInfo: Model.UserInfo?) {
        guard let userInfo else { return }
        tags.append(Tag(name: "userInfo", attributes: []))
        tags += userInfo.entries.map { Tag("entry", $0) }
    }

    private mutating func add(_ tuples: [Model.NameTuple], _ wrapper: String, _ tuple: String, _ element: String) {
        guard !tuples.isEmpty else { return }
        tags.append(Tag(name: wrapper, attributes: []))
        for names in tuples.map(\.names) {
            tags.append(Tag(name: tuple, attributes: []))
            tags += names.map { Tag(name: element, attributes: ["value=\($0)"]) }
        }
    }

    private mutating func add(_ foreign: ForeignContent) {
        for case .element(let name, let attributes, _) in foreign.children.map(\.node) {
            tags.append(Tag(name: name, attributes: attributes.map { "\($0)=\($1)" }))
        }
    }
}

extension Model {
    /// The root's attributes as spelled.
    var rootTag: Tag {
        var root = Root.blank
        root.info = documentInfo ?? DocumentInfo()
        root.versionIdentifier = versionIdentifiers.first
        root.foreign = foreign
        return Tag("model", root)
    }
}
