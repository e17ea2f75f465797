import Foundation
import RandomSeeds
import Testing

/// Models of a size that no design has. What used to cost the square of it took minutes to days; the time limits are so
/// generous that a busy machine keeps them.
@Suite("Models of unusual size")
struct ModelLimitTests {
    /// A document in a folder that lasts as long as this.
    private struct LargeDocument {
        let folder: TemporaryFolder
        let path: String

        /// - Parameter entities: The document's XML below the root element.
        init(_ entities: String) throws {
            folder = try TemporaryFolder()
            let document = folder.url.appendingPathComponent("Large.xcdatamodel")
            try FileManager.default.createDirectory(at: document, withIntermediateDirectories: true)
            let xml = """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(entities)</model>
                """
            try Data(xml.utf8).write(to: document.appendingPathComponent("contents"))
            path = document.path
        }

        /// Runs `coredata` with the document's path as last argument.
        func run(_ arguments: String..., then more: [String] = []) throws -> Command {
            defer { withExtendedLifetime(folder) {} }
            return try Command(arguments + [path] + more)
        }

        func place(_ name: String) -> String { folder.url.appendingPathComponent(name).path }
    }

    // MARK: Messages

    @Test("a message repeats 200 characters of a format at most")
    func longFormat() throws {
        let format = String(repeating: "a", count: 100_000) + " ==="
        let document = try LargeDocument(
            "<entity name=\"Player\"/><fetchRequest name=\"All\" entity=\"Player\" predicateString=\"\(format)\"/>")
        let run = try document.run("model", "lint")
        #expect(run.status == 1 && run.output.contains("aaa…"), "\(run.errors)")
        #expect(run.output.utf8.count < 2000)
        let compiling = try document.run("compile")
        #expect(compiling.status != 0 && compiling.errors.contains("aaa…") && compiling.errors.utf8.count < 2000)
        let query = try Command(["query", Samples.path("objcio-moody/Moody_3.moody"), "Mood", "--where", format])
        #expect(query.status == 7 && query.errors.contains("aaa…") && query.errors.utf8.count < 2000)
    }

    @Test("a message repeats 200 characters of a name at most")
    func longName() throws {
        let name = String(repeating: "n", count: 100_000)
        let document = try LargeDocument(
            """
            <entity name="\(name)" parentEntity="\(name)s" representedClassName="\(name)" codeGenerationType="class">\
            <attribute name="\(name)" attributeType="String"/><attribute name="\(name)" attributeType="String"/></entity>
            """)
        let run = try document.run("model", "lint")
        #expect(run.status == 1 && run.output.contains("nnn…"), "\(run.errors)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count >= 2 && lines.allSatisfy { $0.utf8.count < 2000 })
        let generating = try document.run("generate", then: ["--module", "Large", "-o", document.place("Generated")])
        #expect(generating.status != 0 && generating.errors.contains("nnn…") && generating.errors.utf8.count < 2000)
        let compiling = try document.run("compile")
        #expect(compiling.status != 0 && compiling.errors.contains("nnn…") && compiling.errors.utf8.count < 2000)
    }

    @Test("a message repeats 200 characters of an element, an argument or a version at most")
    func longArguments() throws {
        let name = String(repeating: "n", count: 100_000)
        let root = try LargeDocument("<\(name)>")
        let lint = try root.run("model", "lint")
        #expect(lint.status == 4 && lint.errors.contains("nnn…") && lint.errors.utf8.count < 1000)
        let sound = try LargeDocument("<entity name=\"Player\"/>")
        let show = try sound.run("model", "show", then: ["--model-version", name])
        #expect(show.status != 0 && show.errors.contains("nnn…") && show.errors.utf8.count < 1000)
        let store = Samples.path("objcio-moody/Moody_3.moody")
        for arguments in [
            ["query", store, name], ["export", store, "--entity", name], ["tree", store, name],
            ["query", store, "Mood", "--columns", name], ["inspect", name], ["model", "lint", name], ["port", name],
        ] {
            let run = try Command(arguments)
            #expect(run.status > 1 && run.errors.contains("nnn…"), "\(arguments[0]) \(run.errors.prefix(300))")
            #expect(run.errors.utf8.count < 2000, "\(arguments[0])")
        }
    }

    @Test("a model with names of 10 MB is checked, drawn and compiled", .timeLimit(.minutes(10)))
    func hugeNames() throws {
        let name = String(repeating: "n", count: 10_000_000)
        let document = try LargeDocument(
            "<entity name=\"E\"><attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/></entity>")
        #expect(try document.run("model", "lint").status == 0)
        let svg = document.place("Large.svg")
        #expect(try document.run("model", "graph", then: ["-o", svg]).status == 0)
        let drawing = try #require(FileManager.default.attributesOfItem(atPath: svg)[.size] as? Int)
        #expect(drawing < 100_000)
        #expect(try document.run("compile", then: ["-o", document.place("Large.mom")]).status == 0)
    }

    // MARK: Parents

    /// Entities that each inherit from the one before.
    private static func line(_ count: Int, _ settings: String = "", attribute: Bool = false) -> String {
        (0..<count).map { number in
            let parent = number == 0 ? "" : " parentEntity=\"E\(number - 1)\""
            let attributes = "<attribute name=\"a\(number)\" optional=\"YES\" attributeType=\"String\"/>"
            let own = settings.replacing("#", with: "E\(number)")
            return "<entity name=\"E\(number)\"\(parent) \(own)>\(attribute ? attributes : "")</entity>"
        }.joined()
    }

    /// 20,000 with `COREDATA_FULL_TESTS`.
    private static let parents = FullRun.isOn ? 20_000 : 2_000

    @Test(
        "a long line of parents is checked, drawn, compiled and generated", .timeLimit(.minutes(10)),
        arguments: [false, true])
    func parents(fromTheBottom: Bool) throws {
        let settings = "representedClassName=\"#\" codeGenerationType=\"class\""
        var line = Self.line(Self.parents, settings)
        if fromTheBottom {
            let entities = line.components(separatedBy: "</entity>").dropLast()
            line = entities.reversed().map { $0 + "</entity>" }.joined()
        }
        let document = try LargeDocument(line)
        let lint = try document.run("model", "lint")
        #expect(lint.status == 0 && lint.output.isEmpty, "\(lint.output.prefix(500))")
        let compiled = document.place("Large.mom")
        let compiling = try document.run("compile", then: ["-o", compiled])
        #expect(compiling.status == 0, "\(compiling.errors)")
        let svg = document.place("Large.svg")
        #expect(try document.run("model", "graph", then: ["-o", svg]).status == 0)
        let drawing = try String(contentsOfFile: svg, encoding: .utf8)
        #expect(drawing.components(separatedBy: "<g class=\"inheritance\">").count == Self.parents)
        guard !fromTheBottom else { return }
        let sources = document.place("Generated")
        let generating = try document.run("generate", then: ["--module", "Large", "-o", sources])
        #expect(generating.status == 0, "\(generating.errors.prefix(500))")
        let last = Self.parents - 1
        let source = try String(contentsOfFile: sources + "/E\(last)+CoreDataClass.swift", encoding: .utf8)
        #expect(source.contains("class E\(last): E\(last - 1)"))
    }

    @Test("a long circle of parents is told", .timeLimit(.minutes(10)))
    func circle() throws {
        let line = Self.line(Self.parents, attribute: true)
        let document = try LargeDocument(
            line.replacing("<entity name=\"E0\"", with: "<entity name=\"E0\" parentEntity=\"E\(Self.parents - 1)\""))
        let run = try document.run("model", "lint")
        #expect(run.status == 1)
        #expect(run.output.components(separatedBy: "inherits from itself").count == Self.parents + 1)
    }

    @Test("relationships along a long line of parents are checked", .timeLimit(.minutes(10)))
    func relationships() throws {
        let last = Self.parents - 1
        let entities = (0...last).map { number in
            let parent = number == 0 ? "" : " parentEntity=\"E\(number - 1)\""
            return """
                <entity name="E\(number)"\(parent)><relationship name="r\(number)" optional="YES" maxCount="1" \
                deletionRule="Nullify" destinationEntity="E\(last)" inverseName="r\(last - number)" \
                inverseEntity="E\(last)"/></entity>
                """
        }
        let run = try LargeDocument(entities.joined()).run("model", "lint")
        // Too large to compile, and each inverse is found, at the ancestor that has it.
        #expect(run.status == 1 && run.output.contains("more than 1000000 properties"), "\(run.output.prefix(500))")
        #expect(!run.output.contains("[unknown-inverse]"))
    }

    @Test("a model is refused if its compiled form would be the square of the document", .timeLimit(.minutes(10)))
    func squares() throws {
        let document = try LargeDocument(
            Self.line(Self.parents, "representedClassName=\"#\" codeGenerationType=\"class\"", attribute: true))
        for arguments in [["compile"], ["generate", "--module", "Large", "-o", document.place("Generated")]] {
            let run = try document.run(arguments[0], then: Array(arguments.dropFirst()))
            #expect(run.status != 0 && run.errors.contains("more than 1000000 properties"), "\(run.errors.prefix(500))")
        }
        let lint = try document.run("model", "lint")
        #expect(lint.status == 1 && lint.output.contains("[uncompilable]"))
        // A third of the limit passes.
        let smaller = try LargeDocument(Self.line(800, attribute: true))
        #expect(try smaller.run("compile", then: ["-o", smaller.place("Smaller.mom")]).status == 0)
    }
}
