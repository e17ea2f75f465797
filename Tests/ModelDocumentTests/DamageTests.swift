import Foundation
import ModelDocument
import RandomSeeds
import Testing

@Suite("Damaged and foreign documents give an error that says what is wrong, and where")
struct DamageTests {
    private func error(reading text: String) -> ModelDocumentError? {
        #expect(throws: ModelDocumentError.self) { try Model(contents: Data(text.utf8)) }
    }

    @Test("Truncated XML names its line")
    func truncated() {
        let error = error(reading: "<model>\n<entity name=\"A\">\n<attribute na")
        #expect(error?.code == .damagedXML && error?.line == 3)
    }

    @Test("An empty file")
    func empty() {
        #expect(error(reading: "")?.message == "The document is empty.")
    }

    @Test("Merge conflict markers are called by their name")
    func conflict() {
        let error = error(reading: "<model>\n<<<<<<< HEAD\n<entity name=\"A\"/>\n=======\n>>>>>>> b\n</model>")
        #expect(error?.code == .damagedXML && error?.line == 2)
        #expect(error?.message.contains("merge conflict") == true)
    }

    @Test(
        "An impossible value names attribute, element and line",
        arguments: [
            (
                "<model>\n<entity name=\"A\">\n<attribute name=\"b\" attributeType=\"Integer 48\"/></entity></model>",
                "Integer 48", 3
            ),
            ("<model>\n<entity name=\"A\"><relationship name=\"b\" maxCount=\"many\"/></entity></model>", "many", 2),
            ("<model><entity name=\"A\" isAbstract=\"perhaps\"/></model>", "perhaps", 1),
        ])
    func impossibleValue(text: String, value: String, line: Int) {
        let error = error(reading: text)
        #expect(error?.code == .invalidContent && error?.line == line)
        #expect(error?.message.contains("'\(value)'") == true)
    }

    @Test("An entity without a name")
    func namelessEntity() {
        let error = error(reading: "<model>\n<entity/>\n</model>")
        #expect(error?.code == .invalidContent && error?.line == 2)
    }

    @Test("Another kind of XML document")
    func otherRoot() {
        #expect(error(reading: "<plist/>")?.code == .notAModel)
    }

    @Test("The binary kind of Xcode 3 is named as such")
    func binaryDocument() throws {
        let document = try Samples.document("RestKit-RestKit-RKTwitterCoreData/RKTwitterCoreData.xcdatamodel")
        let error = #expect(throws: ModelDocumentError.self) { try document.model() }
        #expect(error?.code == .binaryDocument && error?.message.contains("Xcode 3") == true)
        let elements = try Data(contentsOf: document.url.appending(path: "elements"))
        let second = #expect(throws: ModelDocumentError.self) { try Model(contents: elements) }
        #expect(second?.code == .binaryDocument)
    }

    @Test("Missing and empty folders")
    func missing() throws {
        let nowhere = URL(filePath: "/nowhere/Model.xcdatamodeld")
        let error = #expect(throws: ModelDocumentError.self) { try ModelDocumentFolder(contentsOf: nowhere) }
        #expect(error?.code == .unreadableFile && error?.url == nowhere)
        try withTemporaryFolder { folder in
            let empty = folder.appending(path: "Empty.xcdatamodeld")
            try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
            let error = #expect(throws: ModelDocumentError.self) { try ModelDocumentFolder(contentsOf: empty) }
            #expect(error?.code == .notAModel)
        }
    }

    @Test("A version list that names a missing version")
    func missingCurrentVersion() throws {
        try withTemporaryFolder { folder in
            let document = folder.appending(path: "M.xcdatamodeld")
            try FileManager.default.createDirectory(
                at: document.appending(path: "M.xcdatamodel"), withIntermediateDirectories: true)
            let list = try PropertyListSerialization.data(
                fromPropertyList: ["_XCCurrentVersionName": "M 2.xcdatamodel"], format: .xml, options: 0)
            try list.write(to: document.appending(path: ".xccurrentversion"))
            let error = #expect(throws: ModelDocumentError.self) { try ModelDocumentFolder(contentsOf: document) }
            #expect(error?.code == .damagedVersionList && error?.message.contains("'M 2.xcdatamodel'") == true)
        }
    }

    @Test(
        "Random damage of a file ends in an error or in a value, never in a crash",
        arguments: [
            "SwiftGen-SwiftGen-Model/Model.xcdatamodeld/Model.xcdatamodel/contents",
            "alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld/.xccurrentversion",
            "Mappings/yonaskolb-XcodeGen-Model/Model.xcmappingmodel/xcmapping.xml",
        ])
    func randomDamage(path: String) throws {
        let original = try Data(contentsOf: Samples.committed.appending(path: path))
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        try withTemporaryFolder { folder in
            let file = folder.appending(path: URL(filePath: path).lastPathComponent)
            for _ in 0..<200 {
                try damaged(original, &random).write(to: file)
                for document in try DocumentFile.files(at: file) {
                    do {
                        _ = try document.roundTrip()
                    } catch {
                        #expect(error is ModelDocumentError, "seed \(seed)")
                    }
                }
            }
        }
    }

    private func damaged(_ original: Data, _ random: inout SeededGenerator) -> Data {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        return Bool.random(using: &random) ? bytes : bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
    }
}
