import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

@Suite("A session")
struct SessionTests {
    @Test("A tab that keeps records by the updates has the records of the session") func updates() async throws {
        let workspace = try Workspace()
        let tab = try Tab(workspace.document)
        let version = await tab.version
        var records = await tab.session.records(ofVersion: version)?.records ?? [:]
        var script = RandomScript(seed: 4711)
        for _ in 0..<40 {
            guard let action = script.action(records, version: version),
                let update = try? await tab.perform(action)
            else { continue }
            records.merge(update.changes.changed) { $1 }
            for id in update.changes.removed { records[id] = nil }
            #expect(records == (await tab.session.records(ofVersion: version)?.records), "\(action)")
        }
    }

    @Test("An update says what is new, and what the undo menu says") func created() async throws {
        let tab = try Tab()
        let update = try await tab.perform([
            "kind": "connect", "from": try await tab.id("Laptop").json, "to": try await tab.id("Team").json,
        ])
        #expect(update.changes.topmostCreated.count == 2)
        #expect(update.status.undo == "Connect “Laptop” and “Team”")
        #expect(update.status.isDirty)
        let undone = try await tab.session.undo(client: nil)
        #expect(undone.status.redo == "Connect “Laptop” and “Team”")
        #expect(!undone.status.isDirty)
        #expect(undone.changes.removed == Set(update.changes.topmostCreated))
    }

    @Test("Identifiers come back with undo, and are not used for something else") func identifiers() async throws {
        let tab = try Tab()
        let player = try await tab.id("Player")
        try await tab.perform(["kind": "delete", "elements": [player.json]])
        _ = try await tab.session.undo(client: nil)
        #expect(try await tab.id("Player") == player)
        let first = try await tab.perform(["kind": "addEntity", "version": await tab.version.json])
        _ = try await tab.session.undo(client: nil)
        let second = try await tab.perform(["kind": "addEntity", "version": await tab.version.json])
        #expect(first.changes.created.isDisjoint(with: second.changes.created))
    }

    @Test("Steps with the same mark become one, and a save ends that") func merging() async throws {
        let tab = try Tab()
        let request = try await tab.id(.fetchRequest, where: "name", is: "GreenTeams")
        for text in ["n", "na", "name == 'x'"] {
            try await tab.perform(
                ["kind": "set", "element": request.json, "changes": ["predicate": .text(text)]], merge: "predicate")
        }
        _ = try await tab.session.undo(client: nil)
        #expect(try await tab.record(request)["predicate"] == "uniformColor == \"Green\"")
        #expect(await tab.session.undoTitle == nil)
    }

    @Test("All actions of a step are carried out, or none") func allOrNone() async throws {
        let tab = try Tab()
        let before = await tab.session.document.document
        await #expect(throws: StudioError.self) {
            try await tab.perform([
                ["kind": "addEntity", "version": await tab.version.json],
                ["kind": "rename", "element": try await tab.id("Player").json, "name": "Team"],
            ])
        }
        #expect(await tab.session.document.document == before)
        #expect(await tab.session.revision == 1)
    }

    // MARK: - Two tabs

    @Test("Late actions that touch something else are put on top") func merged() async throws {
        let tab = try Tab()
        let other = Tab(tab.session, client: "other")
        let (email, team) = (try await tab.id("Player", "email"), try await tab.id("Team"))
        try await tab.perform(["kind": "rename", "element": try await tab.id("Player").json, "name": "Athlete"])
        let renamed = try await other.perform(
            ["kind": "set", "element": email.json, "changes": ["isOptional": false]], revision: 1)
        #expect(renamed.isMerged)
        // Both add to the same list.
        try await tab.perform(["kind": "addAttribute", "owner": team.json, "name": "city"])
        let added = try await other.perform(
            ["kind": "addAttribute", "owner": team.json, "name": "country"], revision: 1)
        #expect(added.isMerged)
        let names = await tab.session.document.document.currentModel[entity: "Team"]?.attributes.map(\.name)
        #expect(names == ["city", "country", "name", "uniformColor"])
    }

    @Test("Late actions that touch the same are refused") func conflicts() async throws {
        let tab = try Tab()
        let other = Tab(tab.session, client: "other")
        let email = try await tab.id("Player", "email")
        try await tab.perform(["kind": "set", "element": email.json, "changes": ["isOptional": false]])
        let same: JSON = ["kind": "set", "element": email.json, "changes": ["isOptional": true]]
        await #expect { try await other.perform(same, revision: 1) } throws: {
            ($0 as? StudioError)?.code == .conflict
        }
        try await other.perform(same)
        // Deleting what another window changed, and changing what another window deleted.
        let late: JSON = ["kind": "delete", "elements": [try await tab.id("Player").json]]
        await #expect { try await other.perform(late, revision: 1) } throws: {
            ($0 as? StudioError)?.code == .conflict
        }
        let revision = await tab.session.revision
        try await tab.perform(late)
        await #expect { try await other.perform(same, revision: revision) } throws: {
            ($0 as? StudioError)?.code == .conflict
        }
        await #expect { try await other.perform(same) } throws: { ($0 as? StudioError)?.code == .unknownElement }
    }

    @Test("A window does not delete what it has not seen") func unseen() async throws {
        let tab = try Tab()
        let laptop = try await tab.id("Laptop").json
        try await tab.perform(["kind": "addAttribute", "owner": laptop, "name": "serial"])
        await #expect {
            try await Tab(tab.session, client: "other").perform(["kind": "delete", "elements": [laptop]], revision: 1)
        } throws: {
            ($0 as? StudioError)?.code == .conflict
        }
    }

    @Test("What no document can say is refused at once") func unwritable() async throws {
        let tab = try Tab()
        let team = try await tab.id("Team").json
        for text in ["a\u{0}b", "\u{FFFE}", "\u{1B}[0m"] {
            let actions: [JSON] = [
                ["kind": "addUserInfo", "owner": team, "key": "k", "value": .text(text)],
                ["kind": "addFetchRequest", "version": await tab.version.json, "predicate": .text(text)],
                ["kind": "rename", "element": team, "name": .text(text)],
                ["kind": "set", "element": team, "changes": ["versionHashModifier": .text(text)]],
            ]
            for action in actions {
                await #expect { try await tab.perform(action) } throws: {
                    ($0 as? StudioError)?.code == .invalidEdit
                }
            }
        }
        #expect(await tab.session.revision == 1)
    }

    @Test("Every tab is told of what others did") func events() async throws {
        let tab = try Tab()
        var events = await tab.session.events().makeAsyncIterator()
        try await tab.perform(["kind": "addEntity", "version": await tab.version.json])
        guard case .update(let update)? = await events.next() else {
            Issue.record("no update came")
            return
        }
        #expect(update.client == "tab")
        #expect(update.revision == 2)
        _ = await tab.session.close()
        guard case .closing? = await events.next() else {
            Issue.record("the end was not told")
            return
        }
        #expect(await events.next() == nil)
    }

    // MARK: - Copies

    @Test("Copies go into other entities and versions, with names that are free and without inverses") func copies()
        async throws
    {
        let tab = try Tab()
        let laptop = try await tab.id("Laptop")
        let sources = [
            try await tab.id("Team", "name"), try await tab.id("Team", "coach"), try await tab.id("Team", "wPlayers"),
        ]
        for _ in 0..<2 {
            try await tab.perform([
                "kind": "copy", "elements": .array(sources.map(\.json)), "into": laptop.json,
            ])
        }
        var model = await tab.session.document.document.currentModel
        let copy = try #require(model[entity: "Laptop"])
        #expect(copy.attributes.map(\.name) == ["color", "model", "name", "nameCopy"])
        #expect(copy.relationships.map(\.name) == ["coach", "coachCopy"])
        #expect(copy.relationships.allSatisfy { $0.destinationName == "Coach" && $0.inverseName == nil })
        #expect(copy.fetchedProperties.map(\.name) == ["wPlayers", "wPlayersCopy"])

        let second = try #require(try await tab.perform(["kind": "addVersion"]).changes.topmostCreated.first)
        try await tab.perform(["kind": "delete", "elements": [laptop.json]])
        let other = await tab.session.document.trees.first { $0.id == second }?.node.ids(.entity)[1]
        try await tab.perform([
            "kind": "copy", "elements": [try #require(other).json], "into": await tab.version.json,
        ])
        model = await tab.session.document.document.currentModel
        #expect(model.entities.map(\.name) == ["Coach", "Laptop", "Person", "Player", "Team"])
        #expect(model[entity: "Laptop"]?.representedClass == "Laptop")
        try await tab.perform(["kind": "copy", "elements": [sources[0].json], "into": try await tab.id("Team").json])
        await #expect {
            try await tab.perform(["kind": "copy", "elements": [sources[0].json], "into": second.json])
        } throws: {
            ($0 as? StudioError)?.code == .invalidEdit
        }
    }

    // MARK: - Versions

    @Test("Versions are added, made current, renamed and removed, on disk too") func versions() async throws {
        let workspace = try Workspace()
        let tab = try Tab(workspace.document)
        let first = await tab.version
        let update = try await tab.perform(["kind": "addVersion"])
        let second = try #require(update.changes.topmostCreated.first)
        try await tab.perform(["kind": "setCurrentVersion", "version": second.json])
        try await tab.perform(["kind": "addEntity", "version": second.json, "name": "Stadium"])
        _ = try await tab.session.save(overwrites: false, client: nil)
        var onDisk = try VersionedModel(contentsOf: workspace.document)
        #expect(onDisk.currentVersionName == "League 2")
        #expect(onDisk["League"]?[entity: "Stadium"] == nil)
        #expect(onDisk["League 2"]?[entity: "Stadium"] != nil)

        let comparison = try await tab.session.compare(from: first.rawValue, to: second.rawValue)
        #expect(comparison["changes"]?.array?.first?["name"] == "Stadium")
        #expect(comparison["migration"]?["kind"] == "lightweight")

        try await tab.perform(["kind": "rename", "element": first.json, "name": "League 1"])
        _ = try await tab.session.save(overwrites: false, client: nil)
        onDisk = try VersionedModel(contentsOf: workspace.document)
        #expect(onDisk.versions.map(\.name) == ["League 1", "League 2"])
        #expect(try await tab.record(second)["name"] == "League 2")

        try await tab.perform(["kind": "delete", "elements": [first.json]])
        await #expect(throws: StudioError.self) {
            try await tab.perform(["kind": "delete", "elements": [second.json]])
        }
        _ = try await tab.session.save(overwrites: false, client: nil)
        #expect(try VersionedModel(contentsOf: workspace.document).versions.map(\.name) == ["League 2"])
    }

    @Test("A single .xcdatamodel is edited in place, and has no other versions") func singleVersion() async throws {
        let workspace = try Workspace(Workspace.league.appending(path: "League.xcdatamodel"))
        let tab = try Tab(workspace.document)
        try await tab.perform(["kind": "addEntity", "version": await tab.version.json, "name": "Stadium"])
        let saved = try await tab.session.save(overwrites: false, client: nil)
        #expect(saved.saved == ["contents"])
        #expect(try ModelDocumentFolder(contentsOf: workspace.document).model()[entity: "Stadium"] != nil)
        for action: JSON in [
            ["kind": "addVersion"], ["kind": "rename", "element": await tab.version.json, "name": "Other"],
            ["kind": "setCurrentVersion", "version": await tab.version.json],
        ] {
            await #expect { try await tab.perform(action) } throws: { ($0 as? StudioError)?.code == .invalidEdit }
        }
        #expect(await !tab.session.isDirty)
    }

    @Test("A new document comes to the disk with the first save") func newDocument() async throws {
        let workspace = try Workspace(nil)
        let tab = try Tab(workspace.document, isNew: true)
        #expect(!FileManager.default.fileExists(atPath: workspace.document.path))
        try await tab.perform(["kind": "addEntity", "version": await tab.version.json, "name": "Item"])
        let saved = try await tab.session.save(overwrites: false, client: nil)
        #expect(saved.saved == [".xccurrentversion", "Shop.xcdatamodel/contents"])
        let model = try VersionedModel(contentsOf: workspace.document)
        #expect(model.currentModel.entities.map(\.name) == ["Item"])
        #expect(throws: StudioError.self) { try StudioSession(workspace.document, isNew: true) }
    }

    @Test("A document is edited by one studio at a time") func inUse() throws {
        let workspace = try Workspace()
        let session = try StudioSession(workspace.document)
        #expect { try StudioSession(workspace.document) } throws: { ($0 as? StudioError)?.code == .inUse }
        withExtendedLifetime(session) {}
    }
}
