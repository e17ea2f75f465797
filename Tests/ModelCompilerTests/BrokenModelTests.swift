import Foundation
import ModelCompiler
import Testing

@Suite("Models that can't be compiled")
struct BrokenModelTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let entities: String
        let sentence: String
        var testDescription: String { sentence }
    }

    @Test(
        "The sentence names the entity, the property and the reason",
        arguments: [
            Case(
                entities: """
                    <entity name="Player" representedClassName="Player" codeGenerationType="class">
                        <relationship name="team" maxCount="1" destinationEntity="Team"/>
                    </entity>
                    """,
                sentence: "Player.team leads to Team, an entity that is not in the model"),
            Case(
                entities: """
                    <entity name="Player" representedClassName="Player" codeGenerationType="class">
                        <relationship name="team" maxCount="1"/>
                    </entity>
                    """,
                sentence: "Player.team has no destination entity"),
            Case(
                entities:
                    "<entity name=\"A\" representedClassName=\"A\" parentEntity=\"B\" codeGenerationType=\"class\"/>",
                sentence: "the parent of entity A, B, is not in the model"),
            Case(
                entities:
                    "<entity name=\"A\" representedClassName=\"A\" parentEntity=\"A\" codeGenerationType=\"class\"/>",
                sentence: "entity A inherits from itself"),
            Case(
                entities: """
                    <entity name="A" representedClassName="Same" codeGenerationType="class"/>
                    <entity name="B" representedClassName=".Same" codeGenerationType="category"/>
                    """,
                sentence: "the entities A and B ask for one generated class Same: give each its own class"),
            Case(
                entities: """
                    <entity name="A" representedClassName="A" codeGenerationType="class">
                        <attribute name="description" attributeType="String"/>
                    </entity>
                    """,
                sentence: "A.description: every managed object has a member description already; rename the property"),
            Case(
                entities: """
                    <entity name="A" representedClassName="A" codeGenerationType="class">
                        <attribute name="self" attributeType="String"/>
                    </entity>
                    """,
                sentence: "A.self: Swift has no property of that name; rename it"),
            Case(
                entities: "<entity name=\"A\" representedClassName=\"App.Outer.A\" codeGenerationType=\"class\"/>",
                sentence: "entity A: no class can be generated with the name Outer.A"),
        ])
    func sentences(_ broken: Case) throws {
        let model = try TemporaryModel(broken.entities)
        let failure = try #require(model.failure())
        #expect(failure.description == "\(model.url.path): error: \(broken.sentence)")
    }

    @Test("All problems are named at once, a line each, as build systems read them")
    func severalProblems() throws {
        let model = try TemporaryModel(
            """
            <entity name="A" representedClassName="A" codeGenerationType="class">
                <attribute name="hash" attributeType="String"/>
                <relationship name="b" maxCount="1" destinationEntity="B"/>
            </entity>
            """)
        let failure = try #require(model.failure())
        let lines = failure.description.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.hasPrefix("\(model.url.path): error: A.") })
    }

    @Test("Damaged XML is reported with its place in the file")
    func damagedXML() throws {
        let model = try TemporaryModel(contents: Data("<model>\n    <entity name=\n</model>".utf8))
        let failure = try #require(model.failure())
        #expect(failure.path.contains("Test.xcdatamodel/contents:"))
        #expect(failure.sentences.count == 1)
    }

    @Test("A document that isn't there is an error")
    func missingDocument() throws {
        #expect(throws: CompilerError.self) {
            try ModelCompiler(module: "App").compile(documentAt: URL(filePath: "/nowhere/Missing.xcdatamodeld"))
        }
    }
}
