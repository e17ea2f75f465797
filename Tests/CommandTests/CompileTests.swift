import Foundation
import Testing

@Suite("coredata compile writes what Xcode compiles")
struct CompileTests {
    private static let document = Samples.modelDocuments.appendingPathComponent(
        "SwiftGen-SwiftGen-Model/Model.xcdatamodeld")

    @Test("a folder of versions, each described as the one that Xcode compiled", arguments: ["Model", "Model 2"])
    func folder(version: String) throws {
        let folder = try TemporaryFolder()
        let target = folder.url.appendingPathComponent("Model.momd").path
        let run = try Command(["compile", Self.document.path, "-o", target])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.isEmpty)
        #expect(
            try Command(["model", target, "--model-version", version, "--json"]).output
                == Samples.recorded("compiled/SwiftGen-Model.momd/\(version).mom", "model.json"))
    }

    @Test("a single version becomes a single file, beside the document where no place is given")
    func file() throws {
        let folder = try TemporaryFolder()
        let copy = folder.url.appendingPathComponent("Model.xcdatamodel")
        try FileManager.default.copyItem(at: Self.document.appendingPathComponent("Model.xcdatamodel"), to: copy)
        #expect(try Command(["compile", copy.path]).status == 0)
        #expect(
            try Command(["model", folder.url.appendingPathComponent("Model.mom").path, "--json"]).output
                == Samples.recorded("compiled/SwiftGen-Model.momd/Model.mom", "model.json"))
    }

    @Test("what can't be compiled ends with a sentence and its exit code, and writes nothing")
    func failures() throws {
        let folder = try TemporaryFolder()
        let target = folder.url.appendingPathComponent("Model.momd").path
        let old = Samples.modelDocuments.appendingPathComponent(
            "RestKit-RestKit-RKTwitterCoreData/RKTwitterCoreData.xcdatamodel")
        let cases: [(arguments: [String], status: Int32, sentence: String)] = [
            (["/nowhere/Model.xcdatamodeld", "-o", target], 2, "There is no file at /nowhere/Model.xcdatamodeld."),
            ([Self.document.path, "-o", target + ".zip"], 1, "Model.momd.zip must end in .momd."),
            ([Samples.package.appendingPathComponent("README.md").path, "-o", target], 5, "is neither"),
            ([old.path, "-o", folder.url.appendingPathComponent("Old.mom").path], 5, "Xcode 3"),
        ]
        for (arguments, status, sentence) in cases {
            let run = try Command(["compile"] + arguments)
            #expect(run.status == status, "\(arguments)")
            #expect(run.errors.contains(sentence), "\(run.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}

@Suite("coredata compile compiles mapping models")
struct CompileMappingTests {
    private static let fixtures = Samples.package.appendingPathComponent("Tests/ModelArchiveTests/Fixtures")
    private static let mapping = fixtures.appendingPathComponent(
        "Mappings/alemar11-CoreDataPlus-V2toV3/V2toV3.xcmappingmodel")
    private static let document = fixtures.appendingPathComponent(
        "Documents/alemar11-CoreDataPlus-SampleModel/SampleModel.xcdatamodeld")

    /// The models come from where options say, or from where the document says; the result is the same.
    @Test("with the models that options name, or that the document names")
    func models() throws {
        let folder = try TemporaryFolder()
        let first = folder.url.appendingPathComponent("First.cdm")
        let named = try Command([
            "compile", Self.mapping.path, "-o", first.path,
            "--source-model", Self.document.appendingPathComponent("SampleModel2.xcdatamodel").path,
            "--destination-model",
            Samples.compiledModels.appendingPathComponent("SampleModel.momd/SampleModel3.mom").path,
        ])
        #expect(named.status == 0, "\(named.errors)")

        let tests = folder.url.appendingPathComponent("Tests/Mappings")
        try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Self.document, to: folder.url.appendingPathComponent("Tests/SampleModel.xcdatamodeld"))
        let copy = tests.appendingPathComponent("V2toV3.xcmappingmodel")
        try FileManager.default.copyItem(at: Self.mapping, to: copy)
        let found = try Command(["compile", copy.path])
        #expect(found.status == 0, "\(found.errors)")
        #expect(try Data(contentsOf: tests.appendingPathComponent("V2toV3.cdm")) == Data(contentsOf: first))
    }

    @Test("a model that is nowhere to be found ends with a sentence that says what to do")
    func missing() throws {
        let folder = try TemporaryFolder()
        let run = try Command(["compile", Self.mapping.path, "-o", folder.url.appendingPathComponent("A.cdm").path])
        #expect(run.status == 2)
        #expect(run.errors.contains("SampleModel2.xcdatamodel") && run.errors.contains("--source-model"))
        let swapped = try Command([
            "compile", Self.mapping.path, "-o", folder.url.appendingPathComponent("A.cdm").path,
            "--source-model", Self.document.appendingPathComponent("SampleModel3.xcdatamodel").path,
            "--destination-model", Self.document.appendingPathComponent("SampleModel2.xcdatamodel").path,
        ])
        #expect(
            swapped.status == 4 && swapped.errors.contains("which the destination model lacks"), "\(swapped.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}
