import CoreData
import Foundation
import Testing

@testable import CoreDataStudio

/// Objects that are changed in the studio, as values.
@Suite("Editing a store's objects") struct StoreEditingTests {
    private let store: SampleStore
    private let session: StoreSession
    private let other: OtherProgram

    init() throws {
        store = try SampleStore.shop()
        session = try StoreSession(.file(store.url), isEdited: true)
        session.listenToStore()
        other = try OtherProgram(store.url)
    }

    @discardableResult
    private func edit(_ action: JSON) async throws -> (created: [String], state: JSON) {
        let request = try JSONDecoder().decode(EditRequest.self, from: (["action": action] as JSON).data())
        let answer = try await session.edit(request)
        return (answer["created"]?.array?.compactMap(\.text) ?? [], answer["state"] ?? .null)
    }

    @discardableResult
    private func set(_ object: String, _ key: String, _ value: JSON) async throws -> JSON {
        try await edit(["kind": "set", "object": .text(object), "key": .text(key), "value": value]).state
    }

    private func save(_ choices: [String: [String: ConflictChoices.Side]] = [:]) async throws -> JSON {
        try await session.saveEdits(StepRequest(choices: choices))
    }

    private func rows(_ query: RowQuery, _ columns: [String], count: Int = 50) async throws -> [JSON] {
        let answer = try await session.rows(RowsRequest(query: query, from: 0, count: count, columns: columns))
        let rows = answer["rows"]?.array ?? []
        #expect(answer["total"] == .integer(rows.count) || rows.count == count)
        return rows
    }

    private func ids(_ rows: [JSON]) -> [String] { rows.compactMap { $0["id"]?.text } }

    /// The files that the studio made beside the store.
    private var backups: [String] {
        get throws { try store.files().keys.filter { $0.contains("backup") && $0.hasSuffix(".sqlite") } }
    }

    private func expectRefusal(_ code: StudioError.Code, _ action: JSON, _ words: String) async throws {
        let before = try await session.changes()
        do {
            try await edit(action)
            Issue.record("\(action) was carried out")
        } catch {
            let error = StudioError(error)
            #expect(error.code == code && error.message.contains(words), "\(error)")
        }
        #expect(try await session.changes() == before)
    }

    // MARK: Values

    @Test("Values are shown before they are saved, and saved together after a backup") func values() async throws {
        try await set("Order/p1", "remark", "by bike")
        try await set("Order/p1", "number", "101")
        try await set("Order/p2", "isPaid", false)
        try await set("Order/p2", "placed", "2026-11-27T20:15:00Z")
        let state = try await set("Product/p1", "price", "12.50")
        #expect(state["count"] == 3 && state["undo"] == "Change price")
        #expect(try other.read { try $0.order(101) } == nil)
        #expect(try backups == [])

        let found = try await rows(RowQuery(entity: "Order"), ["number", "remark", "isPaid"])
        #expect(found.count == 12)
        #expect(found[0]["cells"] == ["101", "by bike", false] && found[0]["state"] == "updated")
        #expect(found[0]["changed"] == ["number", "remark"] && found[1]["changed"] == ["isPaid", "placed"])
        #expect(found[2]["state"] == nil)
        let object = try await session.object(ObjectRequest(object: "Order/p1"))
        #expect(object["changed"] == ["number", "remark"] && object["problems"] == [])

        let answer = try await save()
        #expect(answer["saved"] == true && answer["state"]?["count"] == 0)
        try other.read { context in
            let order = try #require(try context.order(101))
            #expect(order.value(forKey: "remark") as? String == "by bike")
            let second = try #require(try context.order(2))
            #expect(second.value(forKey: "isPaid") as? Bool == false)
            #expect(second.value(forKey: "placed") as? Date == Date(timeIntervalSince1970: 1_795_810_500))
        }
        let backup = try #require(try backups.first)
        #expect(answer["backup"] == .text(store.folder.appending(path: backup).path))
        let copy = try OtherProgram(store.folder.appending(path: backup))
        #expect(try copy.read { try $0.order(1) } != nil && copy.read { try $0.order(101) } == nil)
        try copy.close()
        try await set("Order/p3", "remark", "again")
        #expect(try await save()["saved"] == true)
        #expect(try backups.count == 1)
        #expect(try await rows(RowQuery(entity: "Order"), ["number"])[0]["state"] == nil)
    }

    @Test(
        "No value is taken that is none of the attribute's",
        arguments: [
            ("Order/p1", "number", "12a", "whole number"), ("Order/p1", "number", "3000000000", "whole number"),
            ("Order/p1", "isPaid", "perhaps", "Boolean"), ("Order/p1", "placed", "yesterday", "ISO 8601"),
            ("Product/p1", "price", "1.2.3", "decimal"), ("Product/p1", "code", "12", "UUID"),
            ("Product/p1", "weight", "heavy", "number"), ("Order/p1", "lineCount", "4", "derived"),
        ]) func wrongTypes(object: String, key: String, text: String, words: String) async throws
    {
        try await expectRefusal(
            .invalidEdit, ["kind": "set", "object": .text(object), "key": .text(key), "value": .text(text)], words)
    }

    @Test("What is not there, or can't be, is refused, and changes nothing") func refusals() async throws {
        try await expectRefusal(
            .invalidQuery, ["kind": "set", "object": "Order/p99", "key": "remark", "value": "x"], "p99")
        try await expectRefusal(
            .invalidQuery, ["kind": "set", "object": "Order/p1", "key": "color", "value": "x"], "color")
        try await expectRefusal(.invalidQuery, ["kind": "create", "entity": "Robot"], "Robot")
        try await expectRefusal(.invalidEdit, ["kind": "create", "entity": "Note"], "abstract")
        try await expectRefusal(
            .invalidEdit, ["kind": "relate", "object": "Line/p1", "key": "product", "to": "Order/p1"], "none")
        try await expectRefusal(
            .invalidQuery, ["kind": "relate", "object": "Order/p1", "key": "lines", "to": .null], "to-one")
        try await expectRefusal(
            .invalidEdit, ["kind": "move", "object": "Order/p1", "key": "tags", "member": "Tag/p1", "to": 0], "order")
        try await expectRefusal(.invalidEdit, ["kind": "delete", "objects": ["Product/p1"]], "lines")
    }

    @Test("A rule that an object breaks is told at once, and keeps the save from being done") func rules() async throws
    {
        let created = try await edit(["kind": "create", "entity": "Product"])
        let product = try #require(created.created.first)
        let problems = try await session.object(ObjectRequest(object: product))["problems"]?.array
        #expect(problems?.compactMap { $0["key"]?.text } == ["name"])
        let answer = try await save()
        #expect(answer["saved"] == false && answer["problems"]?.array?.first?["object"] == .text(product))
        try await set(product, "name", "Dates")
        #expect(try await session.object(ObjectRequest(object: product))["problems"] == [])
        let saved = try await save()
        #expect(saved["saved"] == true)
        #expect(saved["identifiers"]?[product] == "Product/p4")
        try await set("Line/p1", "quantity", "500")
        #expect(try await save()["problems"]?.array?.first?["key"] == "quantity")
    }

    @Test("A unique value that another object has is told with that object") func uniqueness() async throws {
        try await set("Order/p3", "number", "4")
        let answer = try await save()
        let problem = try #require(answer["problems"]?.array?.first)
        #expect(problem["object"] == "Order/p3" && problem["key"] == "number")
        #expect(problem["message"]?.text?.contains("Order/p4") == true)
    }

    @Test("A file becomes the value of a data attribute, and can be read before it is saved") func files() async throws
    {
        let picture = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        _ = try await session.setData(picture, "Product/p1", "photo", client: nil)
        #expect(try await session.bytes("Product/p1", "photo", 100_000..<100_004) == picture[100_000..<100_004])
        #expect(try await save()["saved"] == true)
        let stored = try other.read { context in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Product")).compactMap {
                $0.value(forKey: "photo") as? Data
            }
        }
        #expect(stored == [picture])
        await #expect(throws: StudioError.self) {
            try await session.setData(picture, "Product/p1", "name", client: nil)
        }
    }

    // MARK: Objects

    @Test("New objects stand first, and keep their place until they are saved") func newObjects() async throws {
        let first = try await edit(["kind": "create", "entity": "Order"]).created[0]
        let second = try await edit(["kind": "create", "entity": "Order"]).created[0]
        try await set(first, "number", "50")
        try await set(second, "number", "51")
        let found = try await rows(RowQuery(entity: "Order"), ["number"])
        #expect(ids(found).prefix(3) == [second, first, "Order/p1"] && found.count == 14)
        #expect(found[0]["state"] == "inserted")
        #expect(try await session.total(RowQuery(entity: "Order")) == ["total": 14])
        #expect(try await rows(RowQuery(entity: "Order", object: first), ["number"]).count == 1)
        #expect(try await save()["saved"] == true)
        let saved = try await rows(RowQuery(entity: "Order"), ["number"])
        #expect(ids(saved).suffix(2) == ["Order/p13", "Order/p14"] && saved.count == 14)
    }

    @Test("Windows below new objects go on with the store's") func windowsBelow() async throws {
        for number in 0..<5 {
            let id = try await edit(["kind": "create", "entity": "Tag"]).created[0]
            try await set(id, "name", .text("tag \(number)"))
        }
        var all: [String] = []
        for from in stride(from: 0, to: 8, by: 3) {
            let request = RowsRequest(query: RowQuery(entity: "Tag"), from: from, count: 3, columns: ["name"])
            all += ids(try await session.rows(request)["rows"]?.array ?? [])
        }
        #expect(all.count == 7 && Set(all).count == 7 && all.suffix(2) == ["Tag/p1", "Tag/p2"])
    }

    @Test("A copy has the values and what can be shared, and leaves lines with their order") func duplicates()
        async throws
    {
        let copy = try await edit(["kind": "duplicate", "objects": ["Order/p3"]]).created[0]
        let found = try await rows(RowQuery(entity: "Order"), ["number", "isPaid", "lines", "tags"])
        #expect(found[0]["id"] == .text(copy))
        #expect(found[0]["cells"] == ["3", false, ["count": 0], ["count": 1]])
        #expect(try await rows(RowQuery(entity: "Order", object: "Order/p3"), ["lines"])[0]["cells"] == [["count": 3]])
    }

    @Test("What a deletion does is said before, with counts, and the rows show it") func deletion() async throws {
        let preview = try await session.previewDeletion(DeletionRequest(objects: ["Order/p3"]))
        #expect(preview["deleted"] == ["Order": 1, "Line": 3] && preview["refusals"] == [])
        #expect(preview["changed"] == ["Product": 3, "Tag": 1])
        #expect(try await session.changes()["count"] == 0)
        let refused = try await session.previewDeletion(DeletionRequest(objects: ["Product/p1"]))
        #expect(refused["refusals"]?.array?.first?.text?.contains("Product/p1") == true)
        try await edit(["kind": "delete", "objects": ["Order/p3"]])
        #expect(try await rows(RowQuery(entity: "Order"), ["number"])[2]["state"] == "deleted")
        #expect(try await rows(RowQuery(entity: "Line"), ["quantity"]).count { $0["state"] == "deleted" } == 3)
        #expect(try await save()["saved"] == true)
        #expect(try await rows(RowQuery(entity: "Line"), ["quantity"]).count == 15)
        #expect(try await session.entityCounts()["Order"]?.all == 11)
    }

    // MARK: Relationships

    @Test("Members join, leave and change places; both sides show it") func members() async throws {
        let lines = RowQuery(entity: "Line", member: .init(object: "Order/p3", relationship: "lines"))
        let before = ids(try await rows(lines, ["quantity"]))
        #expect(before.count == 3)
        try await edit(["kind": "move", "object": "Order/p3", "key": "lines", "member": .text(before[2]), "to": 0])
        #expect(ids(try await rows(lines, ["quantity"])) == [before[2], before[0], before[1]])
        let line = try await edit(["kind": "create", "entity": "Line", "owner": "Order/p3", "relationship": "lines"])
            .created[0]
        #expect(ids(try await rows(lines, ["order"])).last == line)
        try await set(line, "quantity", "9")
        try await edit(["kind": "remove", "object": "Order/p3", "key": "lines", "members": [.text(before[0])]])
        #expect(try await session.object(ObjectRequest(object: before[0]))["problems"]?.array?.count == 1)
        try await edit(["kind": "add", "object": "Order/p4", "key": "lines", "members": [.text(before[0])]])
        #expect(try await save()["saved"] == true)
        try other.read { context in
            let order = try #require(try context.order(3))
            let quantities = (order.value(forKey: "lines") as? NSOrderedSet)?.array.compactMap {
                ($0 as? NSManagedObject)?.value(forKey: "quantity") as? Int
            }
            #expect(quantities == [3, 2, 9])
            #expect((try context.order(4)?.value(forKey: "lines") as? NSOrderedSet)?.count == 1)
        }
    }

    @Test("Objects for a relationship are found by words of their title, new ones too") func picking() async throws {
        let new = try await edit(["kind": "create", "entity": "Product"]).created[0]
        try await set(new, "name", "Brown bread")
        let found = try await session.pick(PickRequest(entity: "Product", text: "BREAD"))
        #expect(found["objects"]?.array?.compactMap { $0["title"]?.text } == ["Bread", "Brown bread"])
        let one = try await session.pick(PickRequest(entity: "Product", text: "Product/p3"))
        #expect(one["objects"]?.array?.compactMap { $0["title"]?.text } == ["Cheese"])
        try await edit(["kind": "relate", "object": "Line/p1", "key": "product", "to": .text(new)])
        #expect(try await save()["saved"] == true)
    }

    // MARK: Steps

    @Test("Each action is one step to undo and to redo") func steps() async throws {
        try await set("Order/p1", "remark", "one")
        try await edit(["kind": "delete", "objects": ["Order/p3"]])
        let created = try await edit(["kind": "create", "entity": "Tag"])
        #expect(created.state["undo"] == "Add Tag" && created.state["count"] == 7)
        _ = try await session.undoEdit(StepRequest())
        let second = try await session.undoEdit(StepRequest())["state"]
        #expect(second?["count"] == 1 && second?["undo"] == "Change remark" && second?["redo"] == "Delete")
        let redone = try await session.redoEdit(StepRequest())["state"]
        #expect(redone?["count"] == 6)
        _ = try await session.undoEdit(StepRequest())
        let last = try await session.undoEdit(StepRequest())["state"]
        #expect(last?["count"] == 0 && last?["undo"] == .null)
        _ = try await session.redoEdit(StepRequest())
        let discarded = try await session.discardEdits(StepRequest())["state"]
        #expect(discarded?["count"] == 0 && discarded?["redo"] == .null)
        #expect(try await rows(RowQuery(entity: "Order"), ["number"]).allSatisfy { $0["state"] == nil })
    }

    // MARK: Others

    @Test("A save of another program is seen, and is told to the windows") func otherSaves() async throws {
        _ = try await session.entityCounts()
        let events = await session.events()
        _ = try await rows(RowQuery(entity: "Order"), ["remark"])
        try other.change { context in
            try context.order(5)?.setValue("changed elsewhere", forKey: "remark")
            context.delete(try #require(try context.order(6)))
        }
        for await event in events { if case .store = event { break } }
        let found = try await rows(RowQuery(entity: "Order"), ["remark"])
        #expect(found.count == 11 && found[4]["cells"] == ["changed elsewhere"])
        #expect(try await session.entityCounts()["Order"]?.all == 11)
        #expect(
            try await session.object(ObjectRequest(object: "Order/p5"))["values"]?.array?.contains {
                $0["value"] == "changed elsewhere"
            } == true)
    }

    @Test("Conflicts are shown side by side, and settled value by value") func conflicts() async throws {
        try await set("Order/p1", "remark", "mine")
        try await set("Order/p1", "isPaid", true)
        try await set("Order/p2", "remark", "mine too")
        try other.change { context in
            try context.order(1)?.setValue("theirs", forKey: "remark")
            try context.order(1)?.setValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "placed")
        }
        let answer = try await save()
        #expect(answer["saved"] == false)
        let conflict = try #require(answer["conflicts"]?.array?.first)
        #expect(answer["conflicts"]?.array?.count == 1 && conflict["object"] == "Order/p1")
        let property = try #require(conflict["properties"]?.array?.first)
        #expect(conflict["properties"]?.array?.count == 1)
        #expect(property["mine"] == "mine" && property["theirs"] == "theirs" && property["base"] == .null)
        #expect(try other.read { try $0.order(2)?.value(forKey: "remark") } == nil)
        #expect(try await save(["Order/p1": ["remark": .theirs]])["saved"] == true)
        try other.read { context in
            let order = try #require(try context.order(1))
            #expect(order.value(forKey: "remark") as? String == "theirs")
            #expect(order.value(forKey: "isPaid") as? Bool == true && order.value(forKey: "placed") != nil)
            #expect(try context.order(2)?.value(forKey: "remark") as? String == "mine too")
        }
    }

    @Test("Members that both sides add and remove are no conflict: all of it is done") func membersOfBoth() async throws
    {
        func tags() throws -> Set<String> {
            try other.read { context in
                let tags = try context.order(1)?.value(forKey: "tags") as? Set<NSManagedObject> ?? []
                return Set(tags.compactMap { $0.value(forKey: "name") as? String })
            }
        }
        let all = try other.read { context in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
                .map { ($0.objectID.shortIdentifier, $0.value(forKey: "name") as? String ?? "") }
        }.sorted { $0.0 < $1.0 }
        try #require(all.count == 2)
        let had = try tags()
        // One side takes the first tag away or adds it, the other the second.
        let (first, second) = (all[0], all[1])
        try await edit([
            "kind": had.contains(first.1) ? "remove" : "add", "object": "Order/p1", "key": "tags",
            "members": [.text(first.0)],
        ])
        try await set("Order/p1", "remark", "mine")
        try other.change { context in
            let order = try #require(try context.order(1))
            let tag = try #require(
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
                    .first { $0.objectID.shortIdentifier == second.0 })
            let members = order.mutableSetValue(forKey: "tags")
            if members.contains(tag) { members.remove(tag) } else { members.add(tag) }
            order.setValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "placed")
        }
        var answer = try await save()
        if answer["saved"] == false {
            let conflict = try #require(answer["conflicts"]?.array?.first)
            #expect(conflict["properties"] == [])
            answer = try await save(["Order/p1": [:]])
        }
        #expect(answer["saved"] == true)
        #expect(try tags() == had.symmetricDifference([first.1, second.1]))
    }

    @Test("Elements of a composite attribute are set, and their conflicts settled, one by one")
    func compositeConflicts() async throws {
        try await set("Tag/p1", "shelf.room", "A")
        try await set("Tag/p1", "shelf.row", "1")
        #expect(try await save()["saved"] == true)
        try await set("Tag/p1", "shelf.room", "mine")
        try await set("Tag/p1", "shelf.row", "my row")
        try other.change { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
            request.predicate = NSPredicate(format: "name == 'urgent'")
            try context.fetch(request).first?.setValue(["room": "theirs", "row": "their row"], forKey: "shelf")
        }
        let conflict = try #require(try await save()["conflicts"]?.array?.first)
        let properties = conflict["properties"]?.array ?? []
        #expect(properties.map { $0["name"] } == ["shelf.room", "shelf.row"])
        #expect(
            properties.map { $0["base"] } == ["A", "1"] && properties.map { $0["theirs"] } == ["theirs", "their row"])
        #expect(try await save(["Tag/p1": ["shelf.room": .theirs, "shelf.row": .mine]])["saved"] == true)
        let found = try await rows(RowQuery(entity: "Tag"), ["shelf.room", "shelf.row"])
        #expect(found[0]["cells"] == ["theirs", "my row"])
    }

    @Test("What another program deleted is told, and its changes given up") func goneObjects() async throws {
        try await set("Order/p4", "remark", "mine")
        try await set("Order/p5", "remark", "stays")
        try other.change { context in context.delete(try #require(try context.order(4))) }
        let answer = try await save()
        let conflict = try #require(answer["conflicts"]?.array?.first)
        #expect(conflict["object"] == "Order/p4" && conflict["isGone"] == true)
        #expect(try await save(["Order/p4": ["": .theirs]])["saved"] == true)
        #expect(try other.read { try $0.order(4) } == nil)
        #expect(try other.read { try $0.order(5)?.value(forKey: "remark") } as? String == "stays")
    }

    @Test("A deletion of what another program changed is done, or given up", arguments: [true, false])
    func changedBeforeDeletion(isDone: Bool) async throws {
        try await edit(["kind": "delete", "objects": ["Order/p8"]])
        try other.change { try $0.order(8)?.setValue("theirs", forKey: "remark") }
        let conflict = try #require(try await save()["conflicts"]?.array?.first)
        #expect(conflict["isDeleted"] == true && conflict["object"] == "Order/p8")
        #expect(try await save(["Order/p8": isDone ? [:] : ["": .theirs]])["saved"] == true)
        #expect(try other.read { try $0.order(8)?.value(forKey: "remark") } as? String == (isDone ? nil : "theirs"))
    }

    // MARK: Reading alone

    @Test("A studio that was started without --edit changes nothing") func readOnly() async throws {
        let reading = try StoreSession(.file(store.url))
        let request = try JSONDecoder().decode(
            EditRequest.self, from: (["action": ["kind": "delete", "objects": ["Order/p1"]]] as JSON).data())
        await #expect(
            throws: StudioError(
                .readOnly, "The store is open for reading. Start the studio with --edit to change it.")
        ) { try await reading.edit(request) }
        #expect(try await reading.schema()["isEdited"] == false)
        #expect(try await session.schema()["isEdited"] == true)
    }
}
