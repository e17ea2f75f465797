import Foundation
import ModelDocument
import RandomSeeds
import Testing

@testable import CoreDataStudio

/// Twelve mappings are inferred, and forty with `COREDATA_FULL_TESTS`.
@Suite("Mapping models of other people, and those that are inferred, open and save unchanged")
struct MappingCollectionTests {
    static let documents: [URL] = {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: MappingWorkspace.collection.path)) ?? []
        return paths.filter { $0.hasSuffix(".xcmappingmodel") }.sorted()
            .map { MappingWorkspace.collection.appending(path: $0) }
    }()

    /// Models of the collection with several versions.
    static let models: [URL] = WholeCollectionTests.documents.filter { url in
        ((try? ModelDocumentFolder(contentsOf: url))?.versionNames.count ?? 0) > 1
    }

    /// Opened and saved, changed and undone: the bytes are what they were.
    private func check(_ workspace: MappingWorkspace) async throws {
        let before = try workspace.data()
        let tab = try MappingTab(workspace)
        let session = tab.session
        #expect(await !session.isDirty)
        let state = await session.state()
        let root = try #require(state["records"]?["mapping"])
        let ids = try #require(root["mappings"]?.array?.compactMap { $0.text })
        #expect(!ids.isEmpty)
        #expect(ids.allSatisfy { state["records"]?[$0] != nil })
        try await tab.save()
        #expect(try workspace.data() == before)
        let text = try workspace.text()
        try await tab.set(ids[0], ["filter": "1 == 1"])
        try await tab.save()
        let changes = LineChanges(text, try workspace.text())
        #expect(changes.added.count == 1 && changes.removed.count <= 1, "\(changes)")
        let filters = ids.map { id -> JSON in
            ["kind": "set", "element": .text(id), "changes": ["filter": "1 == 1"]]
        }
        try await tab.perform(filters)
        try await tab.perform(["kind": "addEntityMapping", "source": "NewcomerOfTheTest", "destination": nil])
        try await tab.save()
        #expect(try workspace.data() != before)
        while await session.past.isEmpty == false { await tab.undo() }
        #expect(try await session.data() == before)
        try await tab.save()
        #expect(try workspace.data() == before)
    }

    @Test("Those that Xcode wrote", .enabled(if: Workspace.hasCollection)) func xcode() async throws {
        #expect(Self.documents.count >= 20)
        for original in Self.documents {
            let workspace = try MappingWorkspace(original, model: nil)
            do { try await check(workspace) } catch {
                Issue.record("\(original.lastPathComponent): \(error)")
            }
        }
    }

    @Test("Those that are inferred from two versions", .enabled(if: Workspace.hasCollection))
    func inferred() async throws {
        var made = 0
        for model in Self.models where made < (FullRun.isOn ? 40 : 12) {
            let workspace = try MappingWorkspace(nil, model: model)
            let names = try ModelDocumentFolder(contentsOf: workspace.model).versionNames
                .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
            for (old, new) in zip(names, names.dropFirst()).prefix(4) {
                let request = NewMappingRequest(source: old, destination: new, name: "ShopToShop2")
                guard let session = try? MappingSession.infer(request, from: workspace.model).session else { continue }
                made += 1
                _ = try await session.save(MappingRequest())
                #expect(await session.models.source?.name == old)
                #expect(await session.models.destination?.name == new)
                let reopened = try MappingModel(XMLStoreDocument(data: workspace.data()))
                #expect(reopened == (await session.edited.mapping))
                await session.unlock()
                try await check(workspace)
                try FileManager.default.removeItem(at: workspace.mapping)
            }
        }
        #expect(made >= (FullRun.isOn ? 30 : 12), "\(made)")
    }

    @Test("Where no model is at hand, the mapping still shows, and says what is not checked") func alone() async throws
    {
        let workspace = try MappingWorkspace(model: nil)
        let tab = try MappingTab(workspace)
        let state = await tab.session.state()
        #expect(state["models"]?["source"] == .null)
        #expect(await tab.problems("mapping") == ["missing-model", "missing-model"])
        #expect(try await tab.record(tab.id("AccountToAccount", "owner"))["name"] == "owner")
        try await tab.set(try await tab.id("AccountToAccount"), ["policy": nil])
        try await tab.save()
        #expect(try !workspace.text().contains(">LedgerPolicy<"))
    }

    @Test("What is no mapping model is refused with a sentence, and stays as it is") func damaged() throws {
        let workspace = try MappingWorkspace()
        for text in ["", "<database></database>", "<database><object type=\"A\" id=\"z1\"></object></database>", "{"] {
            try Data(text.utf8).write(to: workspace.file)
            #expect { try MappingSession(workspace.mapping) } throws: { ($0 as? StudioError)?.code == .unreadableFile }
            #expect(try workspace.text() == text)
        }
        #expect(throws: StudioError.self) { try MappingSession(workspace.folder.appending(path: "No.xcmappingmodel")) }
    }

    @Test("A mapping model is edited in one studio at a time") func lock() throws {
        let workspace = try MappingWorkspace()
        let first = try MappingSession(workspace.mapping)
        #expect { try MappingSession(workspace.mapping) } throws: { ($0 as? StudioError)?.code == .inUse }
        withExtendedLifetime(first) {}
    }
}
