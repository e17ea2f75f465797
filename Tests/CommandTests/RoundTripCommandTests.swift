import Foundation
import Testing

@Suite("coredata model roundtrip says what would not survive")
struct RoundTripCommandTests {
    private static let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Team"/>
        </model>
        """

    private func document(_ contents: String, in folder: TemporaryFolder) throws -> URL {
        let version = folder.url.appendingPathComponent("Deep/down/M.xcdatamodeld/M.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        let file = version.appendingPathComponent("contents")
        try Data(contents.utf8).write(to: file)
        return file
    }

    @Test("folders are searched, and what is equal is counted")
    func equal() throws {
        let run = try Command(["model", "roundtrip", Samples.modelDocuments.path])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.hasSuffix(" equal, 1 of the binary kind of Xcode 3, not compared\n"))
        let folder = try TemporaryFolder()
        let file = try document(Self.contents, in: folder)
        for path in [folder.url, file.deletingLastPathComponent().deletingLastPathComponent(), file] {
            let run = try Command(["model", "roundtrip", path.path])
            #expect(run.status == 0 && run.output == "1 equal\n")
        }
    }

    @Test("what differs is shown with its first differing line, and the file stays as it is")
    func different() throws {
        let folder = try TemporaryFolder()
        let text = Self.contents.replacing("    <entity", with: "\t<entity")
        let file = try document(text, in: folder)
        let run = try Command(["model", "roundtrip", folder.url.path])
        #expect(run.status == 1)
        #expect(
            run.output == """
                \(file.path):3:1: differs
                  - \t<entity name="Team"/>
                  +     <entity name="Team"/>
                0 equal, 1 different

                """)
        #expect(try Data(contentsOf: file) == Data(text.utf8))
    }

    @Test("what cannot be read is named with its line")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let file = try document("<model>\n<entity name=\"A\">\n", in: folder)
        let run = try Command(["model", "roundtrip", folder.url.path])
        #expect(run.status == 1 && run.output.hasPrefix("\(file.path):3:1: The document is damaged"))
        #expect(run.output.hasSuffix("0 equal, 1 unreadable\n"))
    }

    @Test("a path without documents, and one that is not there, are told apart")
    func nothing() throws {
        let folder = try TemporaryFolder()
        #expect(try Command(["model", "roundtrip", folder.url.path]).status == 5)
        #expect(try Command(["model", "roundtrip", folder.url.path + "/none"]).status == 2)
        #expect(try Command(["model", "roundtrip"]).status == 64)
    }
}
