import Foundation
import ModelArchive
import Testing

/// An independent reader of Apple's archives sees in ours what it sees in Apple's.
@Suite struct IndependentReaderTests {
    private static let script = """
        import sys
        sys.path.insert(0, sys.argv[1])
        import apple_store
        first, second = (apple_store.Model(open(path, "rb").read()).describe() for path in sys.argv[2:4])
        sys.exit(first != second)
        """

    private static let isAtHand = FileManager.default.fileExists(atPath: Samples.independentReader.path)

    @Test(.enabled(if: isAtHand, "the independent reader is not at hand"), arguments: Samples.archives)
    func ourArchiveReadsLikeApples(sample: ArchiveSample) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let apples = folder.appending(path: "apples"), ours = folder.appending(path: "ours")
        try sample.data.write(to: apples)
        try ModelArchive.write(ModelArchive.read(sample.data), as: .modelCache).write(to: ours)

        let reader = Process()
        reader.executableURL = URL(filePath: "/usr/bin/env")
        let tools = Samples.independentReader.deletingLastPathComponent().path
        reader.arguments = ["python3", "-B", "-c", Self.script, tools, apples.path, ours.path]
        try reader.run()
        reader.waitUntilExit()
        #expect(reader.terminationStatus == 0)
    }
}
