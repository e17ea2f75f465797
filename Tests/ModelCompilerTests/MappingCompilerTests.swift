import Foundation
import MappingDocument
import ModelCompiler
import ModelFormat
import Testing

@Suite("Mapping documents, compiled for a build")
struct MappingCompilerTests {
    private let folder = package.appending(path: "Tests/ModelArchiveTests/Fixtures/Mappings")
        .appending(path: "alemar11-CoreDataPlus-V2toV3/V2toV3.xcmappingmodel")
    private let models = [
        package.appending(path: "Tests/ModelArchiveTests/Fixtures/Documents")
            .appending(path: "alemar11-CoreDataPlus-SampleModel/SampleModel.xcdatamodeld")
    ]

    @Test("the resource has the document and both models, and reads back as it was written")
    func compiling() throws {
        let resource = try MappingCompiler(documentAt: folder, models: models).compile()
        #expect(MappingBundleFile.isSigned(resource.data()))
        let read = try MappingBundleFile(data: resource.data())
        #expect(read == resource)
        #expect(try read.document == Data(contentsOf: folder.appending(path: "xcmapping.xml")))
        #expect(try read.mapping().entityMappings.count == 5)
        #expect(try read.sourceModel() != read.destinationModel())
    }

    @Test("a model that is nowhere, and a document that is missing, are told with the path")
    func missing() throws {
        let error = #expect(throws: CompilerError.self) {
            try MappingCompiler(documentAt: folder, models: []).compile()
        }
        #expect(error?.description.contains("SampleModel2.xcdatamodel, is neither in the target") ?? false)
        let nowhere = URL(filePath: "/nowhere/M.xcmappingmodel")
        let other = #expect(throws: CompilerError.self) {
            try MappingCompiler(documentAt: nowhere, models: []).compile()
        }
        #expect(other?.path.hasPrefix("/nowhere/M.xcmappingmodel") ?? false)
    }

    @Test("what the models don't have is an error that names the mapping")
    func unfitting() throws {
        var document = try XMLStoreDocument(contentsOf: folder)
        var mapping = try MappingModel(document)
        mapping.entityMappings[0].sourceName = "Nobody"
        mapping.entityMappings[1].attributeMappings[0].name = "nothing"
        document.update(with: mapping)
        let copy = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).xcmappingmodel")
        defer { try? FileManager.default.removeItem(at: copy) }
        try document.write(to: copy)
        let error = #expect(throws: CompilerError.self) {
            try MappingCompiler(documentAt: copy, models: models).compile()
        }
        let sentences = error?.sentences ?? []
        #expect(sentences.count == 2)
        #expect(sentences.contains { $0.contains("Nobody, which the source model does not have") })
        #expect(sentences.contains { $0.contains("sets nothing, which the entity") })
    }

    @Test("what no mapping model is known to say is a warning with the path")
    func unknown() throws {
        var document = try XMLStoreDocument(contentsOf: folder)
        document.objects[0].attributes.append(.init(name: "colour", type: "string", value: .text("red")))
        let copy = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).xcmappingmodel")
        defer { try? FileManager.default.removeItem(at: copy) }
        try document.write(to: copy)
        var warnings: [String] = []
        let resource = try MappingCompiler(documentAt: copy, models: models).compile { warnings.append($0) }
        #expect(try resource.mapping().entityMappings.count == 5)
        #expect(warnings.count == 1)
        #expect(
            warnings.first?.hasPrefix("\(copy.appending(path: "xcmapping.xml").path): warning: The object ") == true)
    }

    @Test("damaged and later resources are refused")
    func damaged() throws {
        let data = try MappingCompiler(documentAt: folder, models: models).compile().data()
        #expect(throws: ModelDocumentError.self) { try MappingBundleFile(data: data.dropLast(50)) }
        #expect(throws: ModelDocumentError.self) { try MappingBundleFile(data: Data("none".utf8)) }
        #expect(!MappingBundleFile.isSigned(Data("none".utf8)))
    }
}
