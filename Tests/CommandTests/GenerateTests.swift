import Foundation
import Testing

@Suite("coredata generate writes classes into a folder")
struct GenerateTests {
    private let folder: TemporaryFolder
    private let model = Samples.package.appendingPathComponent("Tests/GeneratedClassesTests/Kitchen.xcdatamodeld").path
    private var output: URL { folder.url.appendingPathComponent("Generated") }

    init() throws { folder = try TemporaryFolder() }

    private func generate(_ options: String...) throws -> Command {
        try Command(["generate", model, "--module", "App", "--output", output.path] + options)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: output.path).sorted()
    }

    @Test("a file for each class, and one that registers them; the same again changes nothing")
    func files() throws {
        #expect(try generate("--check").status == 1)
        #expect(!FileManager.default.fileExists(atPath: output.path))
        let first = try generate()
        #expect(first.status == 0, "\(first.errors)")
        #expect(
            try names() == [
                "Dessert+CoreDataClass.swift", "Dish+CoreDataClass.swift", "Ingredient+CoreDataProperties.swift",
                "Kitchen+CoreDataRegistration.swift", "Step+CoreDataClass.swift", "Sticker+CoreDataClass.swift",
            ])
        let again = try generate()
        #expect(again.status == 0 && again.output.isEmpty)
        let check = try generate("--check")
        #expect(check.status == 0 && check.output.isEmpty)
        let manual = try generate("--manual")
        #expect(manual.output.contains("wrote Chef+CoreDataClass.swift"))
    }

    @Test("what was edited or left behind is found by --check, and put right; other files are left alone")
    func stale() throws {
        #expect(try generate("--manual").status == 0)
        let own = output.appendingPathComponent("Own.swift")
        try Data("// Mine\n".utf8).write(to: own)
        try Data("// edited\n".utf8).write(to: output.appendingPathComponent("Step+CoreDataClass.swift"))
        let check = try generate("--check")
        #expect(check.status == 1)
        #expect(check.output.contains("differs Step+CoreDataClass.swift\n"))
        #expect(check.output.contains("stale Chef+CoreDataClass.swift\n"))
        #expect(try generate().output.contains("removed Chef+CoreDataClass.swift\n"))
        #expect(try generate("--check").status == 0)
        #expect(try String(contentsOf: own, encoding: .utf8) == "// Mine\n")
    }

    @Test("the files together say what the plug-in's file says")
    func sameCode() throws {
        #expect(try generate().status == 0)
        let recorded = try String(
            contentsOf: Samples.package.appendingPathComponent(
                "Tests/ModelCompilerTests/Fixtures/Generated/Kitchen.swift.txt"), encoding: .utf8)
        let expected = Set(recorded.split(separator: "\n"))
        var lines: Set<Substring> = []
        for name in try names() {
            let text = try String(contentsOf: output.appendingPathComponent(name), encoding: .utf8)
            lines.formUnion(text.split(separator: "\n"))
        }
        #expect(
            lines.symmetricDifference(expected).filter { !$0.contains("App") && !$0.contains("GeneratedClassesTests") }
                .isEmpty)
    }

    @Test("a model that can't be said in Swift is an error with its sentence")
    func problems() throws {
        let document = folder.url.appendingPathComponent("Bad.xcdatamodel")
        try FileManager.default.createDirectory(at: document, withIntermediateDirectories: true)
        try Data(
            "<model><entity name=\"A\" representedClassName=\"A\" codeGenerationType=\"class\" parentEntity=\"B\"/></model>"
                .utf8
        )
        .write(to: document.appendingPathComponent("contents"))
        let run = try Command(["generate", document.path, "--module", "App", "-o", output.path])
        #expect(run.status == 1 && run.errors.contains("the parent of entity A, B, is not in the model"))
        #expect(try Command(["generate", "/nowhere", "--module", "App", "-o", output.path]).status == 2)
    }
}
