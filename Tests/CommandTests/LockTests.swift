import Foundation
import Testing

@Suite("coredata model lock and lint keep shipped versions as they are")
struct LockTests {
    /// A copy of a document with three versions, in a folder of its own.
    private let folder: TemporaryFolder
    private let document: URL
    private var lock: URL { folder.url.appendingPathComponent("SampleModel3.modellock") }

    init() throws {
        folder = try TemporaryFolder()
        document = folder.url.appendingPathComponent("SampleModel3.xcdatamodeld")
        try FileManager.default.copyItem(
            at: Samples.modelDocuments.appendingPathComponent(
                "alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld"), to: document)
    }

    /// Changes the text of a version.
    private func edit(_ version: String, _ old: String, _ new: String) throws {
        let file = document.appendingPathComponent("\(version).xcdatamodel/contents")
        let text = try String(contentsOf: file, encoding: .utf8)
        try #require(text.contains(old))
        try Data(text.replacing(old, with: new).utf8).write(to: file)
    }

    @Test("a lock file lists each version's entities, their hashes and what they are made of")
    func content() throws {
        let run = try Command(["model", "lock", document.path])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "locked SampleModel3, SampleModel3_v2, SampleModel3_v3 in SampleModel3.modellock\n")
        let text = try String(contentsOf: lock, encoding: .utf8)
        #expect(
            text.contains(
                """
                version SampleModel3
                  entity User 6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798
                    attribute name String
                    attribute petName String, optional

                """))
        #expect(try Command(["model", "lock", document.path]).status == 0)
        #expect(try String(contentsOf: lock, encoding: .utf8) == text)
        let lint = try Command(["model", "lint", document.path])
        #expect(lint.status == 0 && lint.output.isEmpty && lint.errors.isEmpty, "\(lint.output)\(lint.errors)")
    }

    @Test("a changed property of a locked version is an error that names it; of another version it is none")
    func change() throws {
        #expect(try Command(["model", "lock", document.path, "--model-version", "SampleModel3"]).status == 0)
        try edit("SampleModel3_v2", "optional=\"YES\"", "optional=\"NO\"")
        #expect(try Command(["model", "lint", document.path]).status == 0)
        try edit("SampleModel3", "name=\"petName\" optional=\"YES\"", "name=\"petName\"")
        let lint = try Command(["model", "lint", document.path])
        #expect(lint.status == 1)
        #expect(
            lint.output == """
                \(document.path)/SampleModel3.xcdatamodel/contents:5: error: User.petName: It was an attribute (String, \
                optional), and is now an attribute (String). [locked-version]

                """)
        let json = try Command(["model", "lint", "--json", document.path])
        #expect(json.status == 1)
        let findings = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
        #expect(findings?.map { $0["property"] as? String } == ["petName"])
    }

    @Test("what is locked is not locked anew unless forced")
    func force() throws {
        #expect(try Command(["model", "lock", document.path]).status == 0)
        let before = try Data(contentsOf: lock)
        try edit("SampleModel3", "name=\"petName\" optional=\"YES\"", "name=\"petName\"")
        let refused = try Command(["model", "lock", document.path])
        #expect(refused.status == 1)
        #expect(refused.errors.contains("User.petName") && refused.errors.contains("--force"))
        #expect(try Data(contentsOf: lock) == before)
        #expect(try Command(["model", "lock", document.path, "--force"]).status == 0)
        #expect(try Command(["model", "lint", document.path]).status == 0)
    }

    @Test("a compiled model is held against the lock as its document is")
    func compiled() throws {
        #expect(try Command(["model", "lock", document.path]).status == 0)
        let target = folder.url.appendingPathComponent("SampleModel3.momd").path
        #expect(try Command(["compile", document.path, "-o", target]).status == 0)
        let lint = try Command(["model", "lint", target])
        #expect(lint.status == 0 && lint.output.isEmpty, "\(lint.output)\(lint.errors)")
    }

    @Test("what is damaged or missing ends with a sentence and its exit code")
    func failures() throws {
        try Data("hello".utf8).write(to: lock)
        let damaged = try Command(["model", "lint", document.path])
        #expect(damaged.status == 4 && damaged.errors.contains("SampleModel3.modellock"), "\(damaged.errors)")
        #expect(try Command(["model", "lock", document.path]).status == 4)
        #expect(try Command(["model", "lint", "/nowhere/A.xcdatamodeld"]).status == 2)
        try FileManager.default.removeItem(at: lock)
        let unknown = try Command(["model", "lock", document.path, "--model-version", "B"])
        #expect(unknown.status == 1 && unknown.errors.contains("no version \"B\""))
        #expect(!FileManager.default.fileExists(atPath: lock.path))
    }
}
