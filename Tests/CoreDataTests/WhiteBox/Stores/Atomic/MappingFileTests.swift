import Foundation
import ModelDocument
import Testing

@testable import CoreData

/// Xcode saves its mapping models in XML stores of Apple's framework: the samples of the format.
@Suite("XML stores that Apple's framework wrote")
struct MappingFileTests {
    /// The files in the package, and in the larger collection where that is at hand.
    static let files: [URL] = {
        let folders = [
            TestFolders.tests.appendingPathComponent("ModelDocumentTests/Fixtures/Mappings"),
            TestFolders.tests.appendingPathComponent("ModelArchiveTests/Fixtures/Mappings"),
            TestFolders.shared.appendingPathComponent("fixtures/mappings"),
        ]
        return folders.flatMap { folder -> [URL] in
            let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
            return paths.filter { $0.hasSuffix("/xcmapping.xml") }.map { folder.appendingPathComponent($0) }
        }
    }()

    /// The entities that the documents show.
    static func model() -> NSManagedObjectModel {
        let (model, entityMappings) = (toOne("mappingModel"), toMany("entityMappings"))
        let (attributes, attributeOwner) = (toMany("attributeMappings"), toOne("entityMapping"))
        let (relationships, relationshipOwner) = (
            toMany("relationshipMappings"), toOne("entityMapping")
        )
        // Required, as the documents say, but for those that Xcode leaves behind.
        for relationship in [model, attributeOwner, relationshipOwner] { relationship.minCount = 1 }
        let root = entity(
            "XDDevMappingModel",
            texts(["sourceModelPath", "destinationModelPath"]) + data(["sourceModelData", "destinationModelData"])
                + [entityMappings])
        let mapping = entity(
            "XDDevEntityMapping",
            texts([
                "name", "sourceName", "destinationName", "mappingTypeName", "migrationPolicyClassName",
                "sourceFilterPredicateString",
            ]) + [
                attribute("mappingNumber", .integer16AttributeType),
                attribute("autogenerateExpression", .booleanAttributeType), model, attributes, relationships,
            ])
        let attributeMapping = entity("XDDevAttributeMapping", property + [attributeOwner])
        let relationshipMapping = entity("XDDevRelationshipMapping", property + [relationshipOwner])
        connect(root, entityMappings, mapping, model)
        connect(mapping, attributes, attributeMapping, attributeOwner)
        connect(mapping, relationships, relationshipMapping, relationshipOwner)
        return CoreDataTests.model(root, mapping, attributeMapping, relationshipMapping)
    }

    private static var property: [NSPropertyDescription] {
        texts(["name", "sourceKeyPath", "sourceMappingName"]) + data(["valueExpressionData"])
            + [attribute("autogenerateExpression", .booleanAttributeType)]
    }

    private static func texts(_ names: [String]) -> [NSPropertyDescription] {
        names.map { attribute($0, .stringAttributeType) }
    }

    private static func data(_ names: [String]) -> [NSPropertyDescription] {
        names.map { attribute($0, .binaryDataAttributeType) }
    }

    @Test("it loads, and is written back equal", arguments: files)
    func roundTrip(file: URL) throws {
        let folder = try FileFolder()
        let copy = folder.file("Store.xml")
        try FileManager.default.copyItem(at: file, to: copy)
        let original = try XMLStoreDocument(contentsOf: file)
        let coordinator = try NSPersistentStoreCoordinator.opened(
            Self.model(), NSXMLStoreType, at: copy, options: [NSIgnorePersistentStoreVersioningOption: true])
        #expect(coordinator.persistentStores[0].identifier == original.identifier)
        try coordinator.work { context throws in
            let mappings = try context.all("XDDevEntityMapping")
            #expect(mappings.count == original.objects.filter { $0.entityName == "XDDEVENTITYMAPPING" }.count)
            // Xcode leaves mappings behind that were removed from their model.
            #expect(mappings.contains { $0.object("mappingModel") != nil })
            // Saved twice: once with a change, once without it.
            for value in ["changed", nil] {
                for mapping in mappings {
                    let name = mapping.string("name")?.replacingOccurrences(of: "changed", with: "")
                    mapping.setValue(
                        value.map { $0 + (name ?? "") } ?? name.flatMap { $0.isEmpty ? nil : $0 }, forKey: "name")
                }
                try context.save()
            }
        }
        let written = try XMLStoreDocument(contentsOf: copy)
        #expect(written.withSortedMembers == original.withSortedMembers)
    }

    @Test("the metadata are read without a model, and the file's type is told by its first bytes")
    func metadata() throws {
        let file = try #require(Self.files.first)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSXMLStoreType, at: file)
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        #expect(hashes?["XDDevMappingModel"]?.count == 32)
        #expect(try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: file) == nil)
    }
}

extension XMLStoreDocument {
    /// The order of members has no meaning, nor has that of empty names.
    fileprivate var withSortedMembers: XMLStoreDocument {
        var sorted = self
        for object in sorted.objects.indices {
            for relationship in sorted.objects[object].relationships.indices {
                sorted.objects[object].relationships[relationship].objectIDs.sort()
            }
        }
        return sorted
    }
}
