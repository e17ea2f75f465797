import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

@Suite("Documents of other people open and save unchanged")
struct WholeCollectionTests {
    static let documents: [URL] = {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: Workspace.collection.path)) ?? []
        return paths.filter {
            $0.hasSuffix(".xcdatamodeld") || ($0.hasSuffix(".xcdatamodel") && !$0.contains(".xcdatamodeld/"))
        }
        .sorted().map { Workspace.collection.appending(path: $0) }
    }()

    @Test(
        "Opened, edited, undone and saved, every document of the collection is as it was",
        .enabled(if: Workspace.hasCollection))
    func unchanged() async throws {
        #expect(Self.documents.count > 150)
        var opened = 0
        for original in Self.documents {
            let workspace = try Workspace(original)
            let before = try workspace.bytes()
            // Those of Xcode 3 are binary and can't be opened; the sentence says what to do.
            guard let session = try? StudioSession(workspace.document) else { continue }
            opened += 1
            let tab = Tab(session, client: "test")
            #expect(await !session.isDirty, "\(original.path)")
            _ = try await session.save(overwrites: false, client: nil)
            #expect(try workspace.bytes() == before, "\(original.path)")

            try await tab.perform(["kind": "addEntity", "version": await tab.version.json])
            _ = try await session.save(overwrites: false, client: nil)
            #expect(try workspace.bytes() != before, "\(original.path)")
            _ = try await session.undo(client: nil)
            _ = try await session.save(overwrites: false, client: nil)
            #expect(try workspace.bytes() == before, "\(original.path)")
            #expect(try workspace.neighbours() == [])
        }
        #expect(opened > 150)
    }
}
