import Foundation

/// The model of the XML stores in which Xcode keeps mapping models, as a document in a folder of its own.
///
/// Xcode has it in itself. This one has what the stores show.
final class MappingDocumentModel {
    private let folder: URL
    let document: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "studio-model-\(UUID().uuidString)")
        document = folder.appending(path: "Mapping.xcdatamodeld")
        let version = document.appending(path: "Mapping.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Data(Self.contents.utf8).write(to: version.appending(path: "contents"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static var contents: String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
        \(entities.joined(separator: "\n"))
        </model>

        """
    }

    private static var entities: [String] {
        [
            entity(
                "XDDevMappingModel", [],
                texts(["sourceModelPath", "destinationModelPath"]) + data(["sourceModelData", "destinationModelData"])
                    + [relationship("entityMappings", "XDDevEntityMapping", "mappingModel", toMany: true)]),
            entity(
                "XDDevEntityMapping", [],
                texts([
                    "name", "sourceName", "destinationName", "mappingTypeName", "migrationPolicyClassName",
                    "sourceFilterPredicateString",
                ]) + [attribute("mappingNumber", "Integer 16"), attribute("autogenerateExpression", "Boolean")] + [
                    relationship("mappingModel", "XDDevMappingModel", "entityMappings", toMany: false),
                    relationship("attributeMappings", "XDDevAttributeMapping", "entityMapping", toMany: true),
                    relationship("relationshipMappings", "XDDevRelationshipMapping", "entityMapping", toMany: true),
                ]),
            entity(
                "XDDevPropertyMapping", [#"isAbstract="YES""#],
                texts(["name", "sourceKeyPath", "sourceMappingName"]) + data(["valueExpressionData"])
                    + [attribute("autogenerateExpression", "Boolean")]),
            entity("XDDevAttributeMapping", parent, [owner("attributeMappings")]),
            entity("XDDevRelationshipMapping", parent, [owner("relationshipMappings")]),
        ]
    }

    private static let parent = [#"parentEntity="XDDevPropertyMapping""#]

    private static func owner(_ inverse: String) -> String {
        relationship("entityMapping", "XDDevEntityMapping", inverse, toMany: false)
    }

    private static func entity(_ name: String, _ others: [String], _ properties: [String]) -> String {
        let head = (["<entity name=\"\(name)\""] + others).joined(separator: " ")
        return (["    \(head) syncable=\"YES\">"] + properties + ["    </entity>"]).joined(separator: "\n")
    }

    private static func texts(_ names: [String]) -> [String] { names.map { attribute($0, "String") } }
    private static func data(_ names: [String]) -> [String] { names.map { attribute($0, "Binary") } }

    private static func attribute(_ name: String, _ type: String) -> String {
        "        <attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\"/>"
    }

    private static func relationship(
        _ name: String, _ destination: String, _ inverse: String, toMany: Bool
    ) -> String {
        let count = toMany ? #"toMany="YES""# : #"maxCount="1""#
        return "        <relationship name=\"\(name)\" optional=\"YES\" \(count) deletionRule=\"Nullify\" "
            + "destinationEntity=\"\(destination)\" inverseName=\"\(inverse)\" inverseEntity=\"\(destination)\"/>"
    }
}
