import Foundation
import ModelDocument
import Testing

@Suite("Mapping models as values")
struct MappingModelTests {
    private static let evolution =
        "Mappings/JohnEstropia-CoreStore-Advanced.EvolutionDemo.V2.FromV1/Advanced.EvolutionDemo.V2.FromV1.xcmappingmodel"

    private func evolution() throws -> XMLStoreDocument {
        try XMLStoreDocument(contentsOf: Samples.committed.appending(path: Self.evolution))
    }

    @Test("Entity mappings and their property mappings are read")
    func reading() throws {
        let mapping = try MappingModel(evolution())
        #expect(
            mapping.sourceModelPath?.hasSuffix(
                "Advanced.EvolutionDemo.V1.xcdatamodeld/Advanced.EvolutionDemo.V1.xcdatamodel") == true)
        #expect(mapping.sourceModelData?.starts(with: Data("bplist00".utf8)) == true)
        let entity = try #require(mapping.entityMappings.first)
        #expect(mapping.entityMappings.count == 1 && entity.effectiveName == "CreatureToCreature")
        #expect(entity.migrationPolicyClassName == "Advanced_EvolutionDemo_V2_FromV1MigrationPolicy")
        #expect(
            entity.attributeMappings.map(\.name).sorted() == [
                "dnaCode", "hasHead", "hasTail", "hasVertebrae", "numberOfFlippers",
            ])
        #expect(entity.attributeMappings.first { $0.name == "hasHead" }?.valueExpressionData != nil)
        #expect(entity.relationshipMappings.isEmpty)
    }

    @Test("Putting an unchanged mapping back changes no byte", arguments: Samples.collections)
    func unchanged(folder: URL) throws {
        for file in try DocumentFile.files(at: folder) where file.kind == .mappingModel {
            let original = try Data(contentsOf: file.url)
            var document = try XMLStoreDocument(data: original)
            document.update(with: try MappingModel(document))
            #expect(try document.data() == original, "\(file.url.path)")
        }
    }

    @Test("A changed mapping changes its lines alone")
    func change() throws {
        var document = try evolution()
        let original = try document.data()
        var mapping = try MappingModel(document)
        mapping.entityMappings[0].migrationPolicyClassName = "Policy"
        mapping.entityMappings[0].sourceFilterPredicate = "age > 3"
        document.update(with: mapping)
        let (old, new) = (lines(original), lines(try document.data()))
        #expect(
            Array(Set(new).subtracting(old)).sorted() == [
                "        <attribute name=\"migrationpolicyclassname\" type=\"string\">Policy</attribute>",
                "        <attribute name=\"sourcefilterpredicatestring\" type=\"string\">age &gt; 3</attribute>",
            ])
        #expect(new.count == old.count + 1)
        #expect(try MappingModel(XMLStoreDocument(data: document.data())) == mapping)
    }

    @Test("Mappings are added with identifiers of their own, and removed with all that is theirs")
    func additionAndRemoval() throws {
        var document = try evolution()
        let original = document
        var mapping = try MappingModel(document)
        var added = MappingModel.EntityMapping()
        added.destinationName = "Habitat"
        added.typeName = "Add"
        added.attributeMappings = [.init(name: "name")]
        added.relationshipMappings = [.init(name: "creatures")]
        added.relationshipMappings[0].sourceKeyPath = "$source.habitat"
        added.relationshipMappings[0].generatesExpression = true
        mapping.entityMappings.append(added)
        document.update(with: mapping)
        #expect(document.objects.count == original.objects.count + 3)
        #expect(Set(document.objects.map(\.id)).count == document.objects.count)
        #expect(document.objects.last?.id == "z\(document.nextObjectID)")
        let copy = try MappingModel(XMLStoreDocument(data: document.data()))
        #expect(copy.entityMappings.map(\.effectiveName) == ["CreatureToCreature", "Habitat"])
        #expect(copy.entityMappings[1].relationshipMappings[0].sourceKeyPath == "$source.habitat")

        mapping = copy
        mapping.entityMappings.removeLast()
        document.update(with: mapping)
        document.nextObjectID = original.nextObjectID
        #expect(document == original)
    }

    @Test("A copy of a mapping gets objects of its own")
    func duplication() throws {
        var document = try evolution()
        var mapping = try MappingModel(document)
        mapping.entityMappings.append(mapping.entityMappings[0])
        mapping.entityMappings[1].name = "Copy"
        document.update(with: mapping)
        let copy = try MappingModel(document)
        #expect(copy.entityMappings.map(\.effectiveName) == ["CreatureToCreature", "Copy"])
        let ids = copy.entityMappings.flatMap { [$0.objectID] + $0.attributeMappings.map(\.objectID) }
        #expect(Set(ids).count == ids.count && ids.count == 12)
    }

    @Test("A mapping model is made from nothing, and written to disk")
    func new() throws {
        var mapping = MappingModel()
        mapping.sourceModelPath = "League.xcdatamodeld/League.xcdatamodel"
        mapping.destinationModelPath = "League.xcdatamodeld/League 2.xcdatamodel"
        mapping.entityMappings = [.init()]
        mapping.entityMappings[0].sourceName = "Team"
        mapping.entityMappings[0].destinationName = "Club"
        var document = XMLStoreDocument()
        document.update(with: mapping)
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "League.xcmappingmodel")
            try document.write(to: url)
            #expect(try DocumentFile.files(at: folder).map { try $0.roundTrip() } == [.equal])
            let copy = try MappingModel(XMLStoreDocument(contentsOf: url))
            #expect(
                copy.entityMappings.map(\.effectiveName) == ["TeamToClub"]
                    && copy.sourceModelPath == mapping.sourceModelPath)
        }
    }

    @Test("What no mapping model is known to say is told, and stays where it is")
    func unknown() throws {
        var document = try evolution()
        #expect(document.unknownStatements.isEmpty)
        for index in document.objects.indices {
            document.objects[index].attributes.append(.init(name: "colour", type: "string", value: .text("red")))
            document.objects[index].relationships.append(
                .init(name: "entries", counts: "0/0", destination: "XDDEVENTRY"))
        }
        #expect(document.unknownStatements.count == 2 * document.objects.count)
        #expect(document.unknownStatements.first?.message.contains("“colour”") == true)
        var mapping = try MappingModel(document)
        mapping.entityMappings[0].migrationPolicyClassName = "Other"
        var copy = document
        copy.update(with: mapping)
        #expect(copy.unknownStatements == document.unknownStatements)
        #expect(try XMLStoreDocument(data: copy.data()) == copy)
    }

    @Test("A document without a mapping, and one that refers to nothing, are refused")
    func damage() throws {
        #expect(throws: ModelDocumentError.self) { try MappingModel(XMLStoreDocument()) }
        var document = try evolution()
        document.objects.removeAll { $0.entityName == "XDDEVATTRIBUTEMAPPING" }
        let error = #expect(throws: ModelDocumentError.self) { try MappingModel(document) }
        #expect(error?.code == .invalidContent && error?.message.contains("refers to") == true)
        document = try evolution()
        for index in document.objects.indices {
            for place in document.objects[index].relationships.indices {
                document.objects[index].relationships[place].objectIDs += ["z102", "z102"]
            }
        }
        #expect(throws: ModelDocumentError.self) { try MappingModel(document) }
        let missing = #expect(throws: ModelDocumentError.self) {
            try XMLStoreDocument(contentsOf: URL(filePath: "/nowhere/M.xcmappingmodel"))
        }
        #expect(missing?.code == .unreadableFile)
    }

    private func lines(_ data: Data) -> [String] {
        String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
