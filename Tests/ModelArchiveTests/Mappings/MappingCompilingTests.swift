import Foundation
import ModelArchive
import ModelDocument
import Testing

@Suite struct MappingCompilingTests {
    private static let folder = "alemar11-CoreDataPlus-V2toV3"

    private static func document(_ path: String) throws -> MappingModel {
        try MappingModel(XMLStoreDocument(data: Samples.mapping(path + "/xcmapping.xml")))
    }

    private static func model(_ version: String) throws -> Model {
        try ModelArchive.read(Samples.compiled("SampleModel.momd/\(version).mom"))
    }

    @Test func whatIsCompiledIsObjectForObjectWhatXcodeCompiled() throws {
        let apples = try Samples.mapping(Self.folder + "/V2toV3.cdm")
        let mapping = try CompiledMapping(
            Self.document(Self.folder + "/V2toV3.xcmappingmodel"), source: Self.model("SampleModel2"),
            destination: Self.model("SampleModel3"))
        #expect(try mapping == CompiledMapping(apples))
        let differences = try ArchiveComparison(apples: apples, ours: mapping.data()).differences
        #expect(differences.filter { $0.key != "NSArguments" || !$0.isOfMutability }.isEmpty)
    }

    @Test func modelsThatLackAnEntityAreRefused() throws {
        let document = try Self.document(Self.folder + "/V2toV3.xcmappingmodel")
        #expect {
            try CompiledMapping(document, source: Self.model("SampleModel3"), destination: Self.model("SampleModel2"))
        } throws: { error in
            error.localizedDescription.contains("“Maker”") && error.localizedDescription.contains("destination model")
        }
    }

    @Test func filtersNamesAndKeyPathsOfADocumentComeThrough() throws {
        var note = MappingModel.EntityMapping()
        note.sourceName = "Note"
        note.destinationName = "Picture"
        note.sourceFilterPredicate = "image != nil AND title != \"a \\\\ b\""
        note.relationshipMappings = [.init(name: "note"), .init(name: "nothing")]
        note.relationshipMappings[0].generatesExpression = true
        note.relationshipMappings[0].sourceMappingName = "NoteToNote"
        note.relationshipMappings[0].sourceKeyPath = "$source"
        note.relationshipMappings[1].generatesExpression = true
        var removed = MappingModel.EntityMapping()
        removed.sourceName = "Old"
        removed.name = "Away"
        let source = Model(entities: ["Note", "Old"].map(Model.Entity.init))
        let destination = Model(entities: [Model.Entity(name: "Picture")])
        var document = MappingModel(entityMappings: [note, removed])
        let mapping = try CompiledMapping(document, source: source, destination: destination)
        #expect(mapping.entityMappings.map(\.name) == ["NoteToPicture", "Away"])
        #expect(mapping.entityMappings.map(\.type) == [.transform, .remove])
        #expect(
            mapping.entityMappings[0].relationshipMappings.map(\.valueExpression) == [
                "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"NoteToNote\", $source)",
                nil,
            ])
        let again = try CompiledMapping(mapping.data())
        #expect(again.entityMappings[0].sourceExpression?.contains("image != nil AND title != ") == true)
        #expect(try CompiledMapping(again.data()) == again)

        document.entityMappings[0].typeName = "Teleport"
        #expect(throws: CocoaError.self) {
            try CompiledMapping(document, source: source, destination: destination)
        }
    }

    /// Every mapping document says something, and every expression in it can be read.
    @Test(.enabled(if: Samples.hasCollection, "the collection of samples is not at hand"))
    func everyDocumentIsRead() throws {
        #expect(Samples.mappingDocuments.count >= 20)
        for url in Samples.mappingDocuments {
            let mapping = try MappingModel(XMLStoreDocument(data: Data(contentsOf: url)))
            #expect(!mapping.entityMappings.isEmpty, "\(url.path)")
            let models = mapping.models
            let compiled = try CompiledMapping(mapping, source: models.source, destination: models.destination)
            #expect(compiled.entityMappings.count == mapping.entityMappings.count)
            let again = try CompiledMapping(compiled.data())
            #expect(try CompiledMapping(again.data()) == again, "\(url.path)")
        }
    }

    @Test func damagedDocumentsAreRefused() throws {
        let good = try XMLStoreDocument(
            data: Samples.mapping(Self.folder + "/V2toV3.xcmappingmodel/xcmapping.xml"))
        let changes: [(inout XMLStoreDocument) -> Void] = [
            { $0.objects.removeAll { $0.entityName == "XDDEVMAPPINGMODEL" } },
            { $0.objects.removeAll { $0.entityName == "XDDEVATTRIBUTEMAPPING" } },
        ]
        for change in changes {
            var document = good
            change(&document)
            #expect(throws: ModelDocumentError.self) { try MappingModel(document) }
        }
    }

    @Test func whatNoMappingIsKnownToSayIsPassedOver() throws {
        var document = try XMLStoreDocument(
            data: Samples.mapping(Self.folder + "/V2toV3.xcmappingmodel/xcmapping.xml"))
        let expected = try MappingModel(document)
        for index in document.objects.indices {
            document.objects[index].attributes.append(.init(name: "surprise", type: "string", value: .text("x")))
        }
        #expect(try MappingModel(document) == expected)
    }
}

extension MappingModel {
    /// Models with just the entities that the mapping names.
    fileprivate var models: (source: Model, destination: Model) {
        (
            Model(entities: Set(entityMappings.compactMap(\.sourceName)).map(Model.Entity.init)),
            Model(entities: Set(entityMappings.compactMap(\.destinationName)).map(Model.Entity.init))
        )
    }
}
