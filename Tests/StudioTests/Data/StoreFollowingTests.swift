import CoreData
import Foundation
import Testing

@testable import CoreDataStudio

/// Objects with changes beside another program, which saves the same objects.
@Suite("Staged objects follow the store") struct StoreFollowingTests {
    private let store: SampleStore
    private let session: StoreSession
    private let other: OtherProgram

    init() throws {
        (store, session, other) = try SampleStore.editedShop()
    }

    private func set(_ object: String, _ key: String, _ value: JSON) async throws {
        let action: JSON = ["kind": "set", "object": .text(object), "key": .text(key), "value": value]
        _ = try await session.edit(JSONDecoder().decode(EditRequest.self, from: (["action": action] as JSON).data()))
    }

    /// Changes an order in another program, and waits until the windows are told.
    private func changeElsewhere(_ number: Int, _ values: [String: String]) async throws {
        let events = await session.events()
        try other.change { context in
            let order = try #require(try context.order(number))
            values.forEach { order.setValue($1, forKey: $0) }
        }
        for await event in events { if case .store = event { return } }
    }

    /// What the grid shows of an order, and what the inspector shows of it.
    private func shown(_ number: Int, _ columns: [String]) async throws -> [JSON] {
        let query = RowQuery(entity: "Order", object: "Order/p\(number)")
        let answer = try await session.rows(RowsRequest(query: query, from: 0, count: 1, columns: columns))
        let cells = answer["rows"]?.array?.first?["cells"]?.array ?? []
        let object = try await session.object(ObjectRequest(object: "Order/p\(number)"))
        let values = columns.map { column in
            object["values"]?.array?.first { $0["name"]?.text == column }?["value"] ?? .null
        }
        #expect(values == cells)
        return cells
    }

    private func save(_ choices: [String: [String: ConflictChoices.Side]] = [:]) async throws -> JSON {
        try await session.saveEdits(StepRequest(choices: choices))
    }

    @Test("A row with a change shows what another program saved of its other properties, and both are saved")
    func otherProperties() async throws {
        try await set("Order/p1", "remark", "mine")
        try await changeElsewhere(1, ["city": "Rome"])
        #expect(try await shown(1, ["remark", "city"]) == ["mine", "Rome"])
        #expect(try await save()["saved"] == true)
        try other.read { context in
            let order = try #require(try context.order(1))
            #expect(order.value(forKey: "remark") as? String == "mine")
            #expect(order.value(forKey: "city") as? String == "Rome")
        }
    }

    @Test("The change is undone to what the window showed") func undone() async throws {
        try await set("Order/p1", "remark", "mine")
        try await changeElsewhere(1, ["city": "Rome"])
        let state = try await session.undoEdit(StepRequest())["state"]
        #expect(state?["count"] == 0 && state?["redo"] == "Change remark")
        #expect(try await shown(1, ["remark", "city"]) == [.null, "Rome"])
        _ = try await session.redoEdit(StepRequest())
        #expect(try await shown(1, ["remark", "city"]) == ["mine", "Rome"])
        #expect(try await save()["saved"] == true)
    }

    @Test("A property that both sides changed is a conflict all the same") func bothSides() async throws {
        try await set("Order/p1", "remark", "mine")
        try await changeElsewhere(1, ["remark": "theirs", "city": "Rome"])
        #expect(try await shown(1, ["remark"]) == ["mine"])
        let conflict = try #require(try await save()["conflicts"]?.array?.first)
        let property = try #require(conflict["properties"]?.array?.first)
        #expect(property["base"] == .null && property["mine"] == "mine" && property["theirs"] == "theirs")
        #expect(try await save(["Order/p1": ["remark": .mine]])["saved"] == true)
        #expect(try await shown(1, ["remark", "city"]) == ["mine", "Rome"])
    }

    @Test("After a step was undone, a conflict begins with what the window showed", arguments: [true, false])
    func baseAfterUndo(isUndoneFirst: Bool) async throws {
        try await set("Order/p1", "remark", "first")
        if isUndoneFirst { _ = try await session.undoEdit(StepRequest()) }
        try await changeElsewhere(1, ["remark": "theirs"])
        if !isUndoneFirst { _ = try await session.undoEdit(StepRequest()) }
        #expect(try await shown(1, ["remark"]) == ["theirs"])
        try await set("Order/p1", "remark", "second")
        try other.change { try $0.order(1)?.setValue("theirs again", forKey: "remark") }
        let conflict = try #require(try await save()["conflicts"]?.array?.first)
        let property = try #require(conflict["properties"]?.array?.first)
        #expect(
            property["base"] == "theirs" && property["mine"] == "second" && property["theirs"] == "theirs again")
    }

    @Test("An edit of what another program saved since is no conflict") func editAfterSave() async throws {
        try await set("Order/p1", "remark", "first")
        _ = try await session.undoEdit(StepRequest())
        try await changeElsewhere(1, ["remark": "theirs"])
        try await set("Order/p1", "remark", "second")
        #expect(try await save()["saved"] == true)
    }

    @Test("What another program deleted is told by the save") func gone() async throws {
        try await set("Order/p4", "remark", "mine")
        let events = await session.events()
        try other.change { context in context.delete(try #require(try context.order(4))) }
        for await event in events { if case .store = event { break } }
        #expect(try await session.changes()["count"] == 1)
        let conflict = try #require(try await save()["conflicts"]?.array?.first)
        #expect(conflict["object"] == "Order/p4" && conflict["isGone"] == true)
    }
}
