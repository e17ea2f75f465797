import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

@Suite("What is unsaved of a mapping model outlives the studio")
struct MappingJournalTests {
    private func rename(_ tab: MappingTab, to name: String) async throws {
        let id = try #require(await tab.session.edited.mapping.entityMappings.first?.objectID)
        try await tab.perform(["kind": "rename", "element": .text(id), "name": .text(name)])
    }

    private func names(_ session: MappingSession) async -> [String] {
        await session.edited.mapping.entityMappings.map(\.effectiveName)
    }

    private func journals(_ workspace: MappingWorkspace) throws -> [String] {
        try workspace.files().keys.filter { $0.hasSuffix(".studio-journal") }.sorted()
    }

    private func recover(_ session: MappingSession, _ choice: StudioSession.RecoveryChoice) async throws -> JSON {
        try await session.resolveRecovery(.init(choice: choice, client: nil))
    }

    @Test("Work of a studio that was killed is offered at the next start") func killed() async throws {
        let workspace = try MappingWorkspace()
        let before = try workspace.data()
        let studio = try LiveStudio([workspace.mapping.path])
        let cookie = try studio.cookie()
        let state = try studio.get("/api/mapping/state", cookie).json
        let id = try #require(state["records"]?["mapping"]?["mappings"]?.array?.first)
        let action: JSON = ["kind": "rename", "element": id, "name": "Renamed"]
        #expect(try studio.post("/api/mapping/actions", ["actions": [action]], cookie).status == 200)
        try await JournalFiles.wait(below: workspace.folder, for: "Renamed")
        studio.end(SIGKILL)
        #expect(try workspace.data() == before)
        #expect(try journals(workspace) == [".\(workspace.mapping.lastPathComponent).studio-journal"])

        let next = try LiveStudio([workspace.mapping.path])
        let key = try next.cookie()
        let found = try next.get("/api/mapping/state", key).json
        #expect(found["recovery"]?["isOutdated"] == false && found["isDirty"] == false)
        let recovered = try next.post("/api/mapping/recovery", ["choice": "recover"], key).json
        #expect(recovered["undo"] == "Recover Unsaved Changes" && recovered["recovery"] == .null)
        #expect(try next.post("/api/mapping/save", [:], key).status == 200)
        #expect(try workspace.text().contains("Renamed"))
        #expect(try journals(workspace) == [])
        #expect(next.end(SIGINT).message == "")
    }

    @Test("It is kept by a studio that ends with unsaved changes, and gone when they are saved, undone or given up")
    func lifetime() async throws {
        let workspace = try MappingWorkspace()
        let tab = try MappingTab(workspace)
        try await rename(tab, to: "First")
        await tab.session.writeJournal()
        #expect(try journals(workspace).count == 1)
        await tab.undo()
        await tab.session.writeJournal()
        #expect(try journals(workspace) == [])
        try await rename(tab, to: "Second")
        await tab.session.writeJournal()
        try await tab.save()
        #expect(try journals(workspace) == [])
        try await rename(tab, to: "Third")
        #expect(await tab.session.finish() == .kept(tab.session.journal.url.path))
        #expect(try journals(workspace).count == 1)

        let next = try MappingTab(workspace)
        _ = try await recover(next.session, .recover)
        #expect(await names(next.session).first == "Third")
        await next.undo()
        #expect(await names(next.session).first == "Second")
        try await rename(next, to: "Fourth")
        await next.session.writeJournal()
        await next.session.giveUp()
        #expect(try journals(workspace) == [])
    }

    @Test("What an earlier run left stays until one decides, whatever is done meanwhile") func waiting() async throws {
        let workspace = try MappingWorkspace()
        do {
            let tab = try MappingTab(workspace)
            try await rename(tab, to: "Left")
            _ = await tab.session.finish()
        }
        let tab = try MappingTab(workspace)
        try await rename(tab, to: "New")
        await tab.session.writeJournal()
        #expect(await tab.session.state()["journalFailure"]?.text?.contains("until you recover or discard") == true)
        await tab.session.giveUp()
        #expect(try journals(workspace).count == 1)
        let next = try MappingTab(workspace)
        #expect(await next.session.state()["recovery"]?["isOutdated"] == false)
        _ = try await recover(next.session, .discard)
        #expect(try journals(workspace) == [])
        #expect(await next.session.state()["recovery"] == .null)
        await #expect(throws: StudioError.self) { try await recover(next.session, .discard) }
    }

    @Test("Changes to a file that another program has changed since are offered as such") func outdated() async throws {
        let workspace = try MappingWorkspace()
        do {
            let tab = try MappingTab(workspace)
            try await rename(tab, to: "Left")
            _ = await tab.session.finish()
        }
        try Data(try workspace.text().replacing("AccountToAccount", with: "Elsewhere").utf8).write(to: workspace.file)
        let tab = try MappingTab(workspace)
        #expect(await tab.session.state()["recovery"]?["isOutdated"] == true)
        _ = try await recover(tab.session, .recover)
        #expect(await names(tab.session).first == "Left")
    }

    @Test("A mapping that was never saved opens by its path, from its journal") func neverSaved() async throws {
        let workspace = try MappingWorkspace.shop()
        let request = NewMappingRequest(source: "Shop", destination: "Shop 2", name: "ShopToShop2")
        let session = try MappingSession.infer(request, from: workspace.model).session
        let expected = await names(session)
        #expect(await session.finish() == .kept(session.journal.url.path))
        #expect(!FileManager.default.fileExists(atPath: workspace.mapping.path))
        let next = try MappingSession(workspace.mapping, documents: [workspace.model])
        #expect(await names(next) == expected)
        #expect(await next.isDirty)
        _ = try await next.save(MappingRequest())
        #expect(FileManager.default.fileExists(atPath: workspace.file.path))
        #expect(try journals(workspace) == [])
    }

    @Test("A mapping that is made of two versions has a journal before it is touched") func inferred() async throws {
        let workspace = try MappingWorkspace.shop()
        let documents = OpenedDocuments(
            [try StudioSession(workspace.model)], editsStores: false,
            recent: RecentDocuments(in: workspace.folder.appending(path: "Recent")))
        let body = #"{"source": "Shop", "destination": "Shop 2", "name": "ShopToShop2"}"#
        _ = try await MappingRoutes.make(
            StudioRequest(query: [:], body: Data(body.utf8)), try await documents.things(nil))
        // It is written a moment later.
        for _ in 0..<500 where try journals(workspace) == [] { try await Task.sleep(for: .milliseconds(10)) }
        let next = try MappingSession(workspace.mapping, documents: [workspace.model])
        #expect(await names(next).contains("CustomerToCustomer"))
        _ = await documents.finish()
    }

    @Test("A damaged journal is put aside, and told", arguments: ["", "{", "[]", #"{"format": 9}"#, "no XML"])
    func damaged(text: String) async throws {
        let workspace = try MappingWorkspace()
        let journal = Journal(besideDocument: workspace.mapping)
        if text == "no XML" {
            try journal.write(Journal.Entry(files: ["xcmapping.xml": Data("<database>".utf8)], base: [:]))
        } else {
            try Data(text.utf8).write(to: journal.url)
        }
        let tab = try MappingTab(workspace)
        #expect(await tab.session.state()["journalFailure"]?.text?.contains("put aside") == true)
        #expect(FileManager.default.fileExists(atPath: journal.url.path + ".unread"))
        #expect(await tab.session.state()["recovery"] == .null)
    }
}
