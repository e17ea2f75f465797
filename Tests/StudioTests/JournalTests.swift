import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

@Suite("The journal")
struct JournalTests {
    @Test("Work of a program that was killed is offered at the next start") func killed() async throws {
        let workspace = try Workspace()
        let before = try workspace.bytes()
        let studio = try LiveStudio(workspace.document)
        let cookie = try studio.cookie()
        let action: JSON = ["kind": "addEntity", "version": "v1", "name": "Stadium"]
        #expect(try studio.post("/api/actions", ["revision": 1, "actions": [action]], cookie).status == 200)
        try await JournalFiles.wait(below: workspace.folder, for: "Stadium")
        studio.end(SIGKILL)
        #expect(try workspace.bytes() == before)
        #expect(try workspace.neighbours() == [".League.xcdatamodeld.studio-journal"])

        let next = try LiveStudio(workspace.document)
        let nextCookie = try next.cookie()
        let state = try next.get("/api/document", nextCookie).json
        #expect(state["recovery"]?["paths"] == ["League.xcdatamodel/contents"])
        #expect(state["recovery"]?["isOutdated"] == false)
        #expect(state["isDirty"] == false)
        let recovered = try next.post("/api/recovery", ["choice": "recover"], nextCookie).json
        #expect(recovered["undo"] == "Recover Unsaved Changes")
        #expect(recovered["recovery"] == .null)
        #expect(try next.post("/api/save", [:], nextCookie).status == 200)
        #expect(try VersionedModel(contentsOf: workspace.document).currentModel[entity: "Stadium"] != nil)
        #expect(try workspace.neighbours() == [])
        #expect(next.end(SIGINT).message == "")
    }

    @Test("It is kept by a program that ends with unsaved changes, and gone when they are saved or undone")
    func lifetime() async throws {
        let workspace = try Workspace()
        let tab = try Tab(workspace.document)
        try await tab.perform(["kind": "addEntity", "version": await tab.version.json])
        await tab.session.writeJournal()
        #expect(try workspace.neighbours().count == 1)
        _ = try await tab.session.undo(client: nil)
        await tab.session.writeJournal()
        #expect(try workspace.neighbours() == [])
        _ = try await tab.session.redo(client: nil)
        _ = try await tab.session.save(overwrites: false, client: nil)
        #expect(try workspace.neighbours() == [])
        #expect(await tab.session.close() == UnsavedChanges.none)
    }

    @Test("Only its owner can read it") func permissions() async throws {
        let workspace = try Workspace()
        let tab = try Tab(workspace.document)
        try await tab.perform(["kind": "addEntity", "version": await tab.version.json])
        #expect(await tab.session.close() == .kept(tab.session.journal.url.path))
        let path = tab.session.journal.url.path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
    }

    @Test("Recovered work has versions, deletions and all; undo leads back to the disk") func recovery() async throws {
        let workspace = try Workspace()
        var expected: VersionedModel?
        do {
            let tab = try Tab(workspace.document)
            let first = await tab.version
            let second = try await tab.perform(["kind": "addVersion"]).changes.topmostCreated
            try await tab.perform(["kind": "setCurrentVersion", "version": try #require(second.first).json])
            try await tab.perform(["kind": "delete", "elements": [first.json]])
            try await tab.perform(["kind": "addEntity", "version": await tab.version.json, "name": "Ünïcode"])
            #expect(await tab.session.close() == .kept(tab.session.journal.url.path))
            expected = await tab.session.document.document
        }
        let tab = try Tab(workspace.document)
        let before = await tab.session.document.document
        _ = try await tab.session.resolveRecovery(.recover, client: nil)
        #expect(await tab.session.document.document == expected)
        _ = try await tab.session.undo(client: nil)
        #expect(await tab.session.document.document == before)
    }

    @Test("Work on a model that was never saved is offered too") func neverSaved() async throws {
        let workspace = try Workspace(nil)
        do {
            let tab = try Tab(workspace.document, isNew: true)
            try await tab.perform(["kind": "addEntity", "version": await tab.version.json, "name": "Item"])
            #expect(await tab.session.close() == .kept(tab.session.journal.url.path))
        }
        #expect { try StudioSession(workspace.document) } throws: {
            ($0 as? StudioError)?.message.contains("--new") == true
        }
        let tab = try Tab(workspace.document, isNew: true)
        _ = try await tab.session.resolveRecovery(.recover, client: nil)
        #expect(try await tab.record(tab.id("Item"))["name"] == "Item")
        _ = try await tab.session.save(overwrites: false, client: nil)
        #expect(try VersionedModel(contentsOf: workspace.document).currentModel[entity: "Item"] != nil)
    }

    @Test("Nothing is offered that the disk says already, and what is refused is gone") func discarded() async throws {
        let workspace = try Workspace()
        do {
            let tab = try Tab(workspace.document)
            try await tab.perform(["kind": "addEntity", "version": await tab.version.json])
            #expect(await tab.session.close() == .kept(tab.session.journal.url.path))
        }
        do {
            let tab = try Tab(workspace.document)
            // Until a decision, new work does not replace the old.
            try await tab.perform(["kind": "addConfiguration", "version": await tab.version.json])
            await tab.session.writeJournal()
            #expect(tab.session.journal.read()?.files.values.contains { $0.contains("\"Entity\"") } == true)
            _ = try await tab.session.undo(client: nil)
            _ = try await tab.session.resolveRecovery(.discard, client: nil)
            #expect(try workspace.neighbours() == [])
        }
        // A journal of nothing, of nonsense, and of what would write elsewhere.
        let journal = Journal(besideDocument: workspace.document)
        for text in ["", "{}", "not JSON"] {
            try Data(text.utf8).write(to: journal.url)
            let session = try StudioSession(workspace.document)
            #expect(await session.recovery == nil)
            #expect(await session.journalFailure?.contains("put aside") == true)
            #expect(try workspace.neighbours() == [".League.xcdatamodeld.studio-journal.unread"])
        }
        let evil = Journal.Entry(
            time: 0, files: ["../../evil": "x", "/tmp/evil": "x", "a.xcdatamodel/../evil": "x"], removed: [], base: [:])
        try journal.write(evil)
        #expect(await (try StudioSession(workspace.document)).recovery == nil)
        #expect(!FileManager.default.fileExists(atPath: "/tmp/evil"))
    }
}

extension Journal.Entry {
    fileprivate init(time: Double, files: [String: String], removed: [String], base: [String: String]) {
        self.init(format: 1, time: time, files: files, removed: removed, base: base)
    }
}

@Suite("Temporary files")
struct DraftTests {
    @Test("Git ignores them") func ignored() throws {
        let workspace = try Workspace()
        let git = URL(filePath: "/usr/bin/git")
        try #require(FileManager.default.isExecutableFile(atPath: git.path))
        #expect(try StudioProcess.run(git, ["-C", workspace.folder.path, "init", "-q"]).status == 0)
        let drafts = Drafts(besideDocument: workspace.document)
        try drafts.makeFolder()
        try Data("half".utf8).write(to: drafts.folder.appending(path: "draft"))
        let status = try StudioProcess.run(git, ["-C", workspace.folder.path, "status", "--porcelain", "-uall"])
        #expect(status.output.contains("League.xcdatamodeld/"))
        #expect(!status.output.contains("studio-drafts"), "\(status.output)")
    }

    @Test("The next start removes those of a killed save") func killed() async throws {
        let workspace = try Workspace()
        // A process that has ended: its number is free, or another program's.
        let process = Process()
        process.executableURL = URL(filePath: "/bin/true")
        try process.run()
        process.waitUntilExit()
        let left = workspace.folder.appending(
            path: ".League.xcdatamodeld.studio-drafts.\(process.processIdentifier)")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        try Data("half".utf8).write(to: left.appending(path: "draft"))
        let running = workspace.folder.appending(path: ".League.xcdatamodeld.studio-drafts.1")
        try FileManager.default.createDirectory(at: running, withIntermediateDirectories: true)
        _ = try Tab(workspace.document)
        #expect(try workspace.neighbours() == [running.lastPathComponent])
    }

    @Test("A save leaves none, keeps permissions, and says why it failed") func save() async throws {
        let workspace = try Workspace()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: workspace.contents.path)
        let tab = try Tab(workspace.document)
        try await tab.perform(["kind": "addEntity", "version": await tab.version.json])
        _ = try await tab.session.save(overwrites: false, client: nil)
        #expect(try workspace.neighbours() == [])
        let attributes = try FileManager.default.attributesOfItem(atPath: workspace.contents.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
        // Where the file can't be replaced, the error comes out, and no draft stays.
        let drafts = Drafts(besideDocument: workspace.document)
        #expect(throws: (any Error).self) {
            try drafts.replace(workspace.document, with: Data("x".utf8), permissions: nil)
        }
        #expect(try workspace.neighbours() == [])
    }
}

@Suite("Changes by others")
struct DiskTests {
    private func checkOut(_ workspace: Workspace, _ change: (inout Model) -> Void) throws {
        var model = try Model(contents: Data(contentsOf: workspace.contents))
        change(&model)
        try model.contents().write(to: workspace.contents, options: .atomic)
    }

    @Test("They are noticed, and never overwritten silently") func noticed() async throws {
        let workspace = try Workspace()
        let tab = try Tab(workspace.document)
        var events = await tab.session.events().makeAsyncIterator()
        try await tab.perform(["kind": "addEntity", "version": await tab.version.json, "name": "Mine"])
        _ = await events.next()
        try checkOut(workspace) { $0.entities.append(.init(name: "Theirs")) }
        let theirs = try workspace.bytes()
        await tab.session.checkDisk()
        guard case .disk(.changed(let paths))? = await events.next() else {
            Issue.record("nothing was told")
            return
        }
        #expect(paths == ["League.xcdatamodel/contents"])
        await #expect { try await tab.session.save(overwrites: false, client: nil) } throws: {
            ($0 as? StudioError)?.code == .changedOnDisk
        }
        #expect(try workspace.bytes() == theirs)

        let version = await tab.version.rawValue
        let comparison = try await tab.session.compare(from: "disk:\(version)", to: version)
        #expect(comparison["changes"]?.array?.compactMap { $0["name"]?.text }.sorted() == ["Mine", "Theirs"])
    }

    @Test("They can be taken, and that can be undone") func reloaded() async throws {
        let workspace = try Workspace()
        let tab = try Tab(workspace.document)
        let player = try await tab.id("Player")
        try checkOut(workspace) { $0.entities.append(.init(name: "Theirs")) }
        let update = try await tab.session.resolveDisk(.reload, client: nil)
        #expect(update.status.undo == "Reload from Disk")
        #expect(!update.status.isDirty)
        #expect(try await tab.id("Player") == player)
        #expect(try await tab.record(tab.id("Theirs"))["name"] == "Theirs")
        let undone = try await tab.session.undo(client: nil)
        #expect(undone.status.isDirty)
    }

    @Test("They can be replaced, by decision") func kept() async throws {
        let workspace = try Workspace()
        let before = try workspace.bytes()
        let tab = try Tab(workspace.document)
        try checkOut(workspace) { $0.entities.append(.init(name: "Theirs")) }
        let update = try await tab.session.resolveDisk(.keep, client: nil)
        #expect(update.status.isDirty)
        _ = try await tab.session.save(overwrites: false, client: nil)
        #expect(try workspace.bytes() == before)

        try checkOut(workspace) { $0.entities.append(.init(name: "Theirs")) }
        _ = try await tab.session.save(overwrites: true, client: nil)
        #expect(try workspace.bytes() == before)
    }

    @Test("What can't be read or is gone is said, and can be replaced") func damaged() async throws {
        let workspace = try Workspace()
        let before = try workspace.bytes()
        let tab = try Tab(workspace.document)
        try Data("<<<<<<< ours".utf8).write(to: workspace.contents)
        await tab.session.checkDisk()
        guard case .unreadable(let message) = await tab.session.disk else {
            Issue.record("\(await tab.session.disk)")
            return
        }
        #expect(message.contains("contents"))
        await #expect(throws: StudioError.self) { try await tab.session.resolveDisk(.reload, client: nil) }
        _ = try await tab.session.resolveDisk(.keep, client: nil)
        _ = try await tab.session.save(overwrites: false, client: nil)
        #expect(try workspace.bytes() == before)

        try FileManager.default.removeItem(at: workspace.document)
        await tab.session.checkDisk()
        #expect(await tab.session.disk == .missing)
        _ = try await tab.session.save(overwrites: true, client: nil)
        #expect(try workspace.bytes() == before)
    }

    @Test("A file that was only touched has not changed") func touched() async throws {
        let workspace = try Workspace()
        let tab = try Tab(workspace.document)
        try Data(contentsOf: workspace.contents).write(to: workspace.contents, options: .atomic)
        await tab.session.checkDisk()
        #expect(await tab.session.disk == .same)
    }
}
