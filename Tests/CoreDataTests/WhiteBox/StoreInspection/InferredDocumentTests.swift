@testable import CoreData
import Foundation
import ModelArchive
import ModelDocument
import RandomSeeds
import StoreInspection
import Testing

@Suite("Inferred mappings as documents")
struct InferredDocumentTests {
    private func models(_ old: Model, _ new: Model) throws -> InferredMapping {
        InferredMapping(
            from: try NSManagedObjectModel(document: old.withoutClasses),
            to: try NSManagedObjectModel(document: new.withoutClasses))
    }

    /// What a compiled mapping says, whatever its mappings are called. Properties without an expression get no value,
    /// and whether a mapping copies or transforms makes no difference.
    private func content(_ mapping: CompiledMapping) -> [[String]] {
        mapping.entityMappings.map { entity in
            [
                entity.sourceEntityName ?? "", entity.destinationEntityName ?? "", entity.sourceExpression ?? "",
                entity.sourceEntityVersionHash?.base64EncodedString() ?? "",
                entity.destinationEntityVersionHash?.base64EncodedString() ?? "",
                entity.type == .copy ? "\(CompiledMapping.MappingType.transform)" : "\(entity.type)",
                entity.migrationPolicyClassName ?? "",
            ]
                + (entity.attributeMappings + entity.relationshipMappings).compactMap { property in
                    property.valueExpression.map { "\(property.name) = \($0)" }
                }.sorted()
        }.sorted { $0.joined() < $1.joined() }
    }

    private func check(_ old: Model, _ new: Model, _ place: String) throws {
        let inferred = try models(old, new)
        guard inferred.obstacles.isEmpty else { return }
        var mapping = try MappingModel(inferred)
        (mapping.sourceModelPath, mapping.destinationModelPath) = ("A.xcdatamodel", "B.xcdatamodel")
        let data = try XMLStoreDocument(mapping).data()
        let document = try XMLStoreDocument(data: data)
        #expect(try document.data() == data, "\(place)")
        let compiled = try CompiledMapping(MappingModel(document), source: old, destination: new)
        let wanted = NSMappingModel(inferred)
        #expect(
            try content(NSMappingModel(compiled).compiled) == content(wanted.compiled),
            "\(place)")
    }

    @Test("read and compiled again they say what was inferred", .enabled(if: hasModels))
    func histories() throws {
        var count = 0
        for folder in try ModelSamples.allDocuments(in: ModelSamples.collection) {
            guard let document = try? ModelDocumentFolder(contentsOf: folder) else { continue }
            let versions = document.versionNames.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
            let models = versions.compactMap { name in (try? document.model(version: name)).map { (name, $0) } }
            // A sixth of them, and all with COREDATA_FULL_TESTS.
            for (old, new) in FullRun.items(of: Array(zip(models, models.dropFirst())), elseOneIn: 6) {
                try check(old.1, new.1, "\(folder.lastPathComponent): \(old.0) → \(new.0)")
                count += 1
            }
        }
        #expect(count >= (FullRun.isOn ? 150 : 50))
    }

    private static let hasModels = FileManager.default.fileExists(atPath: ModelSamples.collection.path)

    /// Names and types of what a document of Xcode's may have: of its metadata, of objects, of their attributes and of
    /// their relationships.
    private struct Shape {
        var metadata: [String: Model.UserInfoValue] = [:]
        var members: Set<[String]> = []

        init(_ document: XMLStoreDocument) {
            metadata = document.metadata
            for object in document.objects {
                members.insert([object.entityName])
                for one in object.attributes { members.insert([object.entityName, one.name, one.type]) }
                for one in object.relationships {
                    members.insert([object.entityName, one.name, one.counts, one.destination])
                }
            }
        }
    }

    @Test("they have the entities, attributes and relationships of Xcode's documents, and their metadata")
    func shape() throws {
        let fixtures = try FixtureMapping.all.map { try Shape(XMLStoreDocument(contentsOf: $0.url)) }
        let known = fixtures.reduce(into: Set<[String]>()) { $0.formUnion($1.members) }
        var old = Model(entities: [.init(name: "Book"), .init(name: "Author"), .init(name: "Gone")])
        old.entities[0].attributes = [.init(name: "title", type: .string)]
        old.entities[0].attributes[0].isOptional = true
        old.entities[0].relationships = [.init(name: "author", destinationName: "Author")]
        old.entities[0].relationships[0].isOptional = true
        var new = old
        try new.removeEntity("Gone")
        try new.renameProperty("title", of: "Book", to: "name")
        new[entity: "Book"]?[attribute: "name"]?.renamingIdentifier = "title"
        var mapping = try MappingModel(models(old, new))
        (mapping.sourceModelPath, mapping.destinationModelPath) = ("A.xcdatamodel", "B.xcdatamodel")
        let document = XMLStoreDocument(mapping)
        let shape = Shape(document)
        #expect(shape.members.subtracting(known).isEmpty, "\(shape.members.subtracting(known))")
        #expect(shape.members.contains(["XDDEVRELATIONSHIPMAPPING"]))
        for (key, value) in shape.metadata where key != "NSPersistenceFrameworkVersion" {
            #expect(fixtures.contains { $0.metadata[key] == value }, "\(key)")
        }
        #expect(fixtures.contains { Set($0.metadata.keys) == Set(shape.metadata.keys) })
        #expect(document.objects.map(\.id) == document.objects.indices.map { "z\(102 + $0)" })
        #expect(document.nextObjectID == 101 + document.objects.count)
    }

    @Test("what can't be inferred is left open, and a name that is used again takes no other value")
    func open() throws {
        var old = Model(entities: [.init(name: "Book")])
        old.entities[0].attributes = ["title", "pages"].map { .init(name: $0, type: .string) }
        for place in old.entities[0].attributes.indices { old.entities[0].attributes[place].isOptional = true }
        var new = old
        new.entities[0].attributes[1].type = .integer32
        let partly = try MappingModel(models(old, new)).entityMappings[0].attributeMappings
        #expect(partly.map(\.name) == ["title"])

        new = old
        new.entities[0].attributes[1].renamingIdentifier = "title"
        new.entities[0].attributes[1].name = "name"
        let inferred = try models(old, new)
        #expect(inferred.obstacles.isEmpty)
        try check(old, new, "a name that is gone")
        new.entities[0].attributes.append(.init(name: "other", type: .string))
        new.entities[0].attributes[2].isOptional = true
        try check(old, new, "an attribute that is new")
    }
}
