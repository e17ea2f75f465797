import Foundation
import ModelCompiler
import ModelDocument
import Testing

@Suite("Generated code")
struct GeneratedCodeTests {
    private let kitchen = package.appending(path: "Tests/GeneratedClassesTests/Kitchen.xcdatamodeld")
    private let compiler = ModelCompiler(module: "GeneratedClassesTests")

    @Test("A model with every kind of property becomes the recorded classes")
    func kitchenSnapshot() throws {
        try expectSnapshot(compiler.compile(documentAt: kitchen).code, "Kitchen.swift.txt")
    }

    @Test("The League Manager's model becomes the recorded classes")
    func leagueSnapshot() throws {
        let league = package.appending(path: "Examples/LeagueManager/League.xcdatamodeld")
        let compiled = try ModelCompiler(module: "LeagueManager").compile(documentAt: league)
        try expectSnapshot(compiled.code, "League.swift.txt")
        #expect(compiled.warnings.isEmpty)
    }

    @Test("The same document always gives the same code")
    func stableOutput() throws {
        let first = try compiler.compile(documentAt: kitchen).code
        for _ in 0..<20 { #expect(try compiler.compile(documentAt: kitchen).code == first) }
    }

    @Test("Entities without code generation get no class, their relationships' types are right all the same")
    func manualEntities() throws {
        let code = try compiler.compile(documentAt: kitchen).code
        #expect(!code.contains("class Chef"))
        #expect(!code.contains("class Note"))
        #expect(code.contains("public var chef: Chef?"))
        #expect(code.contains("public func addToNotes(_ value: NSManagedObject)"))
    }

    @Test("The resource holds every version's document, byte for byte, and the module")
    func resource() throws {
        let bundle = try ModelBundleFile(data: compiler.compile(documentAt: kitchen).bundle.data())
        #expect(bundle.name == "Kitchen")
        #expect(bundle.moduleName == "GeneratedClassesTests")
        #expect(bundle.currentVersionName == "Kitchen 2")
        #expect(bundle.versions.keys.sorted() == ["Kitchen", "Kitchen 2"])
        for (name, contents) in bundle.versions {
            #expect(try contents == Data(contentsOf: kitchen.appending(path: "\(name).xcdatamodel/contents")))
        }
    }
}
