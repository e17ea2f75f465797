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
        (store, session, other) = try SampleStore.editedShop()
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

    @Test("A new object is found while it is saved") func askingMeanwhile() async throws {
        for number in 1...30 {
            let product = try #require(try await edit(["kind": "create", "entity": "Product"]).created.first)
            try await set(product, "name", .text("Fig \(number)"))
            let session = session
            let query = RowQuery(entity: "Product", object: product)
            try await withThrowingTaskGroup { group in
                for _ in 1...8 {
                    group.addTask { _ = try await session.object(ObjectRequest(object: product)) }
                    group.addTask { _ = try await session.bytes(product, "name", 0..<100) }
                    group.addTask {
                        _ = try await session.rows(RowsRequest(query: query, from: 0, count: 1, columns: []))
                    }
                    group.addTask { _ = try await session.total(query) }
                }
                group.addTask { _ = try await session.saveEdits(StepRequest()) }
                try await group.waitForAll()
            }
            #expect(try await session.object(ObjectRequest(object: product))["id"] == .text("Product/p\(number + 3)"))
        }
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

    @Test("An object that is named twice is deleted and duplicated once") func repeated() async throws {
        let twice: JSON = ["Order/p3", "Order/p3"]
        let preview = try await session.previewDeletion(DeletionRequest(objects: ["Order/p3", "Order/p3"]))
        #expect(preview["deleted"] == ["Order": 1, "Line": 3])
        #expect(try await edit(["kind": "duplicate", "objects": twice]).created.count == 1)
        try await edit(["kind": "delete", "objects": twice])
        #expect(try await rows(RowQuery(entity: "Order"), ["number"]).count { $0["state"] == "deleted" } == 1)
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

    @Test("What a deletion does now is said again where another program changed the object")
    func deletionAgain() async throws {
        try await edit(["kind": "delete", "objects": ["Order/p3"]])
        try other.change { context in
            let order = try #require(try context.order(3))
            let line = NSEntityDescription.insertNewObject(forEntityName: "Line", into: context)
            line.setValue(4, forKey: "quantity")
            line.setValue(order, forKey: "order")
        }
        let conflicts = try await save()["conflicts"]?.array ?? []
        #expect(conflicts.contains { $0["object"] == "Order/p3" && $0["isDeleted"] == true })
        let preview = try await session.previewDeletion(DeletionRequest(objects: ["Order/p3"]))
        #expect(preview["deleted"] == ["Order": 1, "Line": 4] && preview["refusals"] == [])
        #expect(preview["changed"] == ["Product": 3, "Tag": 1])
        #expect(try await save(["Order/p3": [:]])["saved"] == true)
        #expect(try await rows(RowQuery(entity: "Line"), ["quantity"]).count == 15)
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

    @Test("Members that changed are filtered and sorted with the values that they have here")
    func changedMembers() async throws {
        var lines = RowQuery(entity: "Line", member: .init(object: "Order/p3", relationship: "lines"))
        let line = try await edit(["kind": "create", "entity": "Line", "owner": "Order/p3", "relationship": "lines"])
            .created[0]
        try await set(line, "quantity", "9")
        let first = try #require(ids(try await rows(lines, ["quantity"])).first)
        try await set(first, "quantity", "7")
        func quantities() async throws -> [JSON?] { try await rows(lines, ["quantity"]).map { $0["cells"]?.array?[0] } }
        #expect(try await quantities() == ["7", "2", "3", "9"])
        lines.predicate = "quantity >= 3"
        #expect(try await quantities() == ["7", "3", "9"])
        #expect(try await session.total(lines) == ["total": 3])
        lines.sort = [RowQuery.Sort(key: "quantity", ascending: false)]
        #expect(try await quantities() == ["9", "7", "3"])
        lines.predicate = nil
        #expect(try await quantities() == ["9", "7", "3", "2"])
        lines.sort = [RowQuery.Sort(key: "product.name", ascending: false)]
        #expect(try await quantities() == ["3", "2", "7", "9"])
        lines.sort = [RowQuery.Sort(key: "objectID", ascending: true)]
        #expect(try await ids(rows(lines, ["quantity"])).first == line)
        for wrong in [
            RowQuery(entity: "Line", predicate: "color == 1", member: lines.member),
            RowQuery(entity: "Line", sort: [RowQuery.Sort(key: "color", ascending: true)], member: lines.member),
        ] {
            do {
                _ = try await rows(wrong, ["quantity"])
                Issue.record("\(wrong) found something")
            } catch {
                #expect(StudioError(error).code == .invalidQuery, "\(error)")
            }
        }
    }

    @Test("That a new object is not saved yet is said where the store would have to be asked for it")
    func newOwner() async throws {
        let order = try await edit(["kind": "create", "entity": "Order"]).created[0]
        let lines = RowQuery(entity: "Line", member: .init(object: order, relationship: "lines"))
        #expect(try await rows(lines, ["quantity"]).isEmpty)
        let export = ExportRequest(query: lines, columns: ["quantity"], format: .csv)
        let questions: [() async throws -> Void] = [
            { _ = try await session.explain(lines) }, { _ = try await session.prepareExport(export) },
        ]
        for ask in questions {
            do {
                try await ask()
                Issue.record("The store was asked for \(order)")
            } catch {
                #expect(StudioError(error).message.contains("\(order) is a new object that is not saved yet"))
            }
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

    // MARK: Orders

    private let linesOfThird = RowQuery(entity: "Line", member: .init(object: "Order/p3", relationship: "lines"))

    /// The quantities of the third order's lines in the store. At first they are 1, 2 and 3.
    private func storedQuantities() throws -> [Int] {
        try other.read { context in
            let lines = try context.order(3)?.value(forKey: "lines") as? NSOrderedSet
            return lines?.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "quantity") as? Int } ?? []
        }
    }

    /// Another program turns the order of the third order's lines round.
    private func reverseLines() throws {
        try other.change { context in
            let order = try #require(try context.order(3))
            let lines = try #require(order.value(forKey: "lines") as? NSOrderedSet)
            order.setValue(NSOrderedSet(array: lines.array.reversed()), forKey: "lines")
        }
    }

    @Test("An order that both sides changed is shown as lists, and settled", arguments: [true, false], [true, false])
    func ordersOfBoth(isMine: Bool, isSeen: Bool) async throws {
        let before = ids(try await rows(linesOfThird, ["quantity"]))
        try await edit(["kind": "move", "object": "Order/p3", "key": "lines", "member": .text(before[2]), "to": 0])
        try reverseLines()
        if isSeen { await session.storeChanged() }
        let conflict = try #require(
            try await save()["conflicts"]?.array?.first { $0["object"] == "Order/p3" })
        let property = try #require(conflict["properties"]?.array?.first)
        #expect(property["name"] == "lines" && property["kind"] == "toMany")
        func list(_ places: [Int]) -> JSON {
            ["count": 3, "from": 0, "titles": .array(places.map { .text(before[$0]) })]
        }
        #expect(property["base"] == list([0, 1, 2]))
        #expect(property["mine"] == list([2, 0, 1]))
        #expect(property["theirs"] == list([2, 1, 0]))
        #expect(try await save(["Order/p3": ["lines": isMine ? .mine : .theirs]])["saved"] == true)
        #expect(try storedQuantities() == (isMine ? [3, 1, 2] : [3, 2, 1]))
    }

    @Test(
        "An order that the other side alone changed stays, with the members that are added here",
        arguments: [true, false]) func orderOfOthers(isSeen: Bool) async throws
    {
        let line = try await edit(["kind": "create", "entity": "Line", "owner": "Order/p3", "relationship": "lines"])
            .created[0]
        try await set(line, "quantity", "9")
        try reverseLines()
        if isSeen { await session.storeChanged() }
        let conflict = try #require(
            try await save()["conflicts"]?.array?.first { $0["object"] == "Order/p3" })
        #expect(conflict["properties"] == [])
        #expect(try await save(["Order/p3": [:]])["saved"] == true)
        #expect(try storedQuantities() == [3, 2, 1, 9])
    }

    @Test("The same order of both sides, and members of both, are no conflict") func equalOrders() {
        func members(_ base: [Int], _ mine: [Int], _ theirs: [Int]) -> OrderedMembers<ObjectReference> {
            func references(_ keys: [Int]) -> [ObjectReference] {
                keys.map { ObjectReference(key: Int64($0), entity: 1, store: 1) }
            }
            return OrderedMembers(base: references(base), mine: references(mine), theirs: references(theirs))
        }
        #expect(members([1, 2, 3], [3, 1, 2], [3, 2, 1]).isConflict)
        #expect(members([1, 2], [2, 1], [1, 9, 2]).isConflict)
        #expect(!members([1, 2, 3], [3, 1, 2], [3, 1, 2]).isConflict)
        #expect(!members([1, 2, 3], [3, 1, 2, 8], [3, 1, 9]).isConflict)
        #expect(!members([1, 2, 3], [1, 3, 8], [1, 2, 3, 9]).isConflict)
        #expect(members([1, 2, 3], [1, 3, 8], [3, 2, 1]).isOrderTheirs)
        #expect(!members([1, 2, 3], [2, 1, 3], [3, 2, 1]).isOrderTheirs)
        #expect(!members([1, 2, 3], [2, 1, 3], [1, 2, 3, 9]).isOrderTheirs)
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
