import Foundation
import Testing

@testable import CoreDataStudio

@Suite("A preview of new values") struct RefusalPreviewTests {
    @Test(
        "Names that can't be are refused, and nothing changes",
        arguments: ["", "a b", "9a", "a\u{202E}", "self", "salary", "team", "dateOfBirth"])
    func names(name: String) async throws {
        let tab = try Tab()
        let revision = await tab.session.revision
        #expect(try await problem(["name": .text(name)], of: tab.id("Player", "email"), tab) != nil)
        #expect(await tab.session.revision == revision)
        #expect(await tab.session.isDirty == false)
    }

    @Test("A name is refused that an entity below has") func subentities() async throws {
        let tab = try Tab()
        let problem = try await problem(["name": "salary"], of: tab.id("Person", "dateOfBirth"), tab)
        #expect(problem?.contains("Player.salary") == true)
    }

    @Test("A value is refused that the attribute's type or bounds don't allow") func values() async throws {
        let tab = try Tab()
        let seasons = try await tab.id("Coach", "seasons")
        for text in ["40000", "1.5", "x"] {
            #expect(try await problem(["defaultValue": .text(text)], of: seasons, tab) != nil, "\(text)")
        }
        #expect(try await problem(["maximum": "many"], of: seasons, tab) != nil)
        #expect(try await problem(["defaultValue": "12"], of: seasons, tab) == nil)
        try await tab.perform(["kind": "set", "element": seasons.json, "changes": ["maximum": "10"]])
        #expect(try await problem(["defaultValue": "12"], of: seasons, tab) != nil)
    }

    @Test("What is wrong elsewhere refuses nothing") func others() async throws {
        let tab = try Tab()
        let (email, seasons) = (try await tab.id("Player", "email"), try await tab.id("Coach", "seasons"))
        try await tab.perform(["kind": "set", "element": seasons.json, "changes": ["defaultValue": "x"]])
        try await tab.perform(["kind": "set", "element": email.json, "changes": ["regularExpression": "("]])
        #expect(try await problem(["name": "mail"], of: email, tab) == nil)
        #expect(try await problem(["defaultValue": "y"], of: seasons, tab) != nil)
        #expect(try await problem(["defaultValue": nil], of: seasons, tab) == nil)
    }

    @Test("A step keeps its number when it is undone and made again") func steps() async throws {
        let tab = try Tab()
        let entity: JSON = ["kind": "addEntity", "version": await tab.version.json]
        let first = try await tab.perform(entity).status.undoStep
        let second = try await tab.perform(entity).status.undoStep
        #expect(first != nil && second != nil && first != second)
        let undone = try await tab.session.undo(client: nil).status
        #expect((undone.undoStep, undone.redoStep) == (first, second))
        let redone = try await tab.session.redo(client: nil).status
        #expect((redone.undoStep, redone.redoStep) == (second, nil))
    }

    private func problem(_ changes: [String: JSON], of id: ElementID, _ tab: Tab) async throws -> String? {
        try await tab.session.previewSet(id, to: changes)["problem"]?.text
    }
}
