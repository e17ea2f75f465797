import CoreData
import Foundation
import Testing

@testable import CoreDataStudio

/// Saves of what others have changed, deleted or added to since.
@Suite("What a save keeps of others' changes") struct StoreConflictTests {
    private let store: SampleStore
    private let session: StoreSession
    private let other: OtherProgram

    init() throws {
        store = try SampleStore.shop()
        // The session hears of nothing by itself: a save comes before the news.
        session = try StoreSession(.file(store.url), isEdited: true)
        other = try OtherProgram(store.url)
    }

    @discardableResult
    private func edit(_ action: JSON) async throws -> [String] {
        let request = try JSONDecoder().decode(EditRequest.self, from: (["action": action] as JSON).data())
        return try await session.edit(request)["created"]?.array?.compactMap(\.text) ?? []
    }

    private func set(_ object: String, _ key: String, _ value: JSON) async throws {
        try await edit(["kind": "set", "object": .text(object), "key": .text(key), "value": value])
    }

    private func relate(_ object: String, _ key: String, _ target: String) async throws {
        try await edit(["kind": "relate", "object": .text(object), "key": .text(key), "to": .text(target)])
    }

    private func delete(_ object: String) async throws {
        try await edit(["kind": "delete", "objects": [.text(object)]])
    }

    private func save(
        _ choices: [String: [String: ConflictChoices.Side]] = [:], in window: String? = nil
    ) async throws -> JSON {
        try await session.saveEdits(StepRequest(client: window, choices: choices))
    }

    /// The objects of the conflicts that a save tells.
    private func conflicts(_ answer: JSON) -> [String] {
        (answer["conflicts"]?.array ?? []).compactMap { $0["object"]?.text }.sorted()
    }

    /// A save tells the conflicts, and is done with a choice for each object.
    private func save(_ sides: (String) -> [String: ConflictChoices.Side]) async throws -> JSON {
        let told = conflicts(try await save())
        #expect(!told.isEmpty)
        return try await save(Dictionary(uniqueKeysWithValues: told.map { ($0, sides($0)) }))
    }

    private func ids(_ entity: String, _ key: String, of number: Int) throws -> [String] {
        try other.read { context in
            let value = try context.order(number)?.value(forKey: key)
            let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
            return members.compactMap { ($0 as? NSManagedObject)?.objectID.shortIdentifier }
        }
    }

    /// The lines that a window shows of an order.
    private func shownLines(_ number: Int) async throws -> [String] {
        var query = RowQuery(entity: "Line")
        query.member = RowQuery.Membership(object: "Order/p\(number)", relationship: "lines")
        let answer = try await session.rows(RowsRequest(query: query, from: 0, count: 20, columns: []))
        return answer["rows"]?.array?.compactMap { $0["id"]?.text } ?? []
    }

    private func tag(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        request.predicate = NSPredicate(format: "name == %@", name)
        return try #require(try context.fetch(request).first)
    }

    private func setShelf(_ room: String, _ row: String) throws {
        try other.change { try tag("urgent", $0).setValue(["room": room, "row": row], forKey: "shelf") }
    }

    private func shelf() throws -> [String: String]? {
        try other.read { try tag("urgent", $0).value(forKey: "shelf") as? [String: String] }
    }

    private func setRemark(_ remark: String) throws {
        try other.change { try $0.order(1)?.setValue(remark, forKey: "remark") }
    }

    private func remark() throws -> String? { try other.read { try $0.order(1)?.value(forKey: "remark") as? String } }

    /// How the inspector shows a value.
    private func shown(_ object: String, _ key: String) async throws -> JSON? {
        let values = try await session.object(ObjectRequest(object: object))["values"]?.array ?? []
        return values.first { $0["name"]?.text == key }?["value"]
    }

    // MARK: Values

    @Test("An element of a composite value that others changed stays, where another element was changed here")
    func elements() async throws {
        try await set("Tag/p1", "shelf.room", "mine")
        try setShelf("old", "their row")
        #expect(try await save { _ in ["shelf.room": .mine] }["saved"] == true)
        #expect(try shelf() == ["room": "mine", "row": "their row"])
    }

    @Test("A step that is taken back and forth does not bring back an element that others changed")
    func steppedElements() async throws {
        try setShelf("A", "1")
        try await set("Tag/p1", "shelf.room", "mine")
        try setShelf("A", "2")
        await session.storeChanged()
        _ = try await session.undoEdit(StepRequest())
        _ = try await session.redoEdit(StepRequest())
        #expect(try await shown("Tag/p1", "shelf.row") == "2")
        try await set("Tag/p1", "shelf.room", "mine")
        #expect(try await save()["saved"] == true)
        #expect(try shelf() == ["room": "mine", "row": "2"])
    }

    @Test("Theirs of one element leaves another one that others changed before") func elementsInTurn() async throws {
        try setShelf("A", "1")
        try await set("Tag/p1", "shelf.room", "mine")
        try setShelf("A", "2")
        await session.storeChanged()
        try setShelf("B", "2")
        #expect(try await save { _ in ["shelf.room": .theirs] }["saved"] == true)
        #expect(try shelf() == ["room": "B", "row": "2"])
    }

    @Test("A value that is set to what it was before others changed it is a change") func oldValue() async throws {
        try await set("Order/p1", "remark", "first")
        #expect(try await save()["saved"] == true)
        try other.change { try $0.order(1)?.setValue("theirs", forKey: "remark") }
        #expect(try await shown("Order/p1", "remark") == "theirs")
        try await set("Order/p1", "remark", "first")
        #expect(try await save()["saved"] == true)
        #expect(try other.read { try $0.order(1)?.value(forKey: "remark") } as? String == "first")
    }

    @Test("Steps that would take back what others saved are forgotten, and the windows are told") func steps()
        async throws
    {
        try await set("Order/p1", "remark", "first")
        try await set("Order/p2", "remark", "second")
        try await set("Order/p1", "remark", .null)
        try other.change { try $0.order(1)?.setValue("theirs", forKey: "remark") }
        let events = await session.events()
        await session.storeChanged()
        for await event in events {
            guard case .changes(let state, _, _) = event else { continue }
            #expect(state["undo"] == .null && state["count"] == 1)
            break
        }
        _ = try await session.undoEdit(StepRequest())
        #expect(try await save()["saved"] == true)
        #expect(try other.read { try $0.order(1)?.value(forKey: "remark") } as? String == "theirs")
        #expect(try other.read { try $0.order(2)?.value(forKey: "remark") } as? String == "second")
    }

    /// A line of the third order goes to the fourth here, which is undone when the studio has heard that others gave it
    /// another order.
    ///
    /// - Parameter changed: An order that has another change here.
    /// - Returns: The lines that the third order had.
    private func undoMove(ofLineGivenTo theirs: Int, changed: Int) async throws -> [String] {
        let lines = try ids("Line", "lines", of: 3)
        try await set("Order/p\(changed)", "remark", "mine")
        try await relate(lines[1], "order", "Order/p4")
        try other.change { context in
            let all = try #require(try context.order(3)?.value(forKey: "lines") as? NSOrderedSet)
            (all[1] as? NSManagedObject)?.setValue(try context.order(theirs), forKey: "order")
        }
        await session.storeChanged()
        _ = try await session.undoEdit(StepRequest())
        return lines
    }

    @Test("A line that is undone to its order, and that others gave another one, is a member of theirs alone")
    func undoneMember() async throws {
        let lines = try await undoMove(ofLineGivenTo: 8, changed: 3)
        for (order, members) in [(3, [lines[0], lines[2]]), (4, []), (8, [lines[1]])] {
            #expect(try await shownLines(order) == members)
        }
        #expect(try await session.changes()["count"] == 1)
        #expect(try await save()["saved"] == true)
        #expect(try ids("Line", "lines", of: 3) == [lines[0], lines[2]])
        #expect(try ids("Line", "lines", of: 8) == [lines[1]])
    }

    @Test("A line that both sides gave the same order stays its member when that is undone here")
    func undoneMemberOfBoth() async throws {
        let lines = try await undoMove(ofLineGivenTo: 4, changed: 4)
        #expect(try await shownLines(3) == [lines[0], lines[2]])
        #expect(try await shownLines(4) == [lines[1]])
        #expect(try await save()["saved"] == true)
        #expect(try ids("Line", "lines", of: 4) == [lines[1]])
    }

    @Test("A move is taken back and made again among the lines that others have added since")
    func undoneMove() async throws {
        let (lines, new) = (try ids("Line", "lines", of: 3), try ids("Line", "lines", of: 1))
        try await edit(["kind": "move", "object": "Order/p3", "key": "lines", "member": .text(lines[2]), "to": 0])
        try other.change { context in
            let all = try #require(try context.order(1)?.value(forKey: "lines") as? NSOrderedSet)
            (all[0] as? NSManagedObject)?.setValue(try context.order(3), forKey: "order")
        }
        await session.storeChanged()
        for _ in 0..<3 {
            _ = try await session.undoEdit(StepRequest())
            #expect(try await shownLines(3) == lines + new)
            _ = try await session.redoEdit(StepRequest())
            #expect(try await shownLines(3) == [lines[2], lines[0], lines[1]] + new)
        }
        _ = try await session.undoEdit(StepRequest())
        #expect(try await save()["saved"] == true)
        #expect(try ids("Line", "lines", of: 3) == lines + new)
    }

    // MARK: Answers

    /// What a save shows as the values of others.
    private func theirs(_ answer: JSON) -> [JSON?] {
        (answer["conflicts"]?.array ?? []).flatMap { $0["properties"]?.array ?? [] }.map { $0["theirs"] }
    }

    @Test("A choice does not overwrite what others saved since the conflict was shown: it is shown anew")
    func answerAfterAnotherSave() async throws {
        try await set("Order/p1", "remark", "mine")
        try setRemark("theirs")
        #expect(theirs(try await save()) == ["theirs"])
        try setRemark("newer")
        let answer = try await save(["Order/p1": ["remark": .mine]])
        #expect(answer["saved"] == false && theirs(answer) == ["newer"])
        #expect(try remark() == "newer")
        #expect(try await save(["Order/p1": ["remark": .mine]])["saved"] == true)
        #expect(try remark() == "mine")
    }

    @Test("Theirs is what others have saved last, and it is shown before it is saved") func theirsAfterAnotherSave()
        async throws
    {
        try await set("Order/p1", "remark", "mine")
        try setRemark("theirs")
        _ = try await save()
        try setRemark("newer")
        await session.storeChanged()
        #expect(theirs(try await save(["Order/p1": ["remark": .theirs]])) == ["newer"])
        #expect(try await save(["Order/p1": ["remark": .theirs]])["saved"] == true)
        #expect(try remark() == "newer")
    }

    @Test("A choice of one window is about what that window was shown, not about what another one was")
    func answerOfAnotherWindow() async throws {
        try await set("Order/p1", "remark", "mine")
        try setRemark("theirs")
        #expect(theirs(try await save(in: "one")) == ["theirs"])
        try setRemark("newer")
        #expect(theirs(try await save(in: "two")) == ["newer"])
        #expect(theirs(try await save(["Order/p1": ["remark": .mine]], in: "one")) == ["newer"])
        #expect(try remark() == "newer")
    }

    @Test("An object is not deleted all the same when others have changed it again") func deletionAfterAnotherSave()
        async throws
    {
        try await delete("Order/p4")
        try other.change { try $0.order(4)?.setValue("theirs", forKey: "remark") }
        #expect(conflicts(try await save()) == ["Order/p4"])
        try other.change { try $0.order(4)?.setValue("newer", forKey: "remark") }
        #expect(conflicts(try await save(["Order/p4": [:]])) == ["Order/p4"])
        #expect(try other.read { try $0.order(4)?.value(forKey: "remark") } as? String == "newer")
        #expect(try await save(["Order/p4": [:]])["saved"] == true)
        #expect(try other.read { try $0.order(4) } == nil)
    }

    @Test("The choices for objects that others left alone count, where another one is shown anew")
    func otherAnswersCount() async throws {
        for object in ["Order/p1", "Order/p2"] { try await set(object, "remark", "mine") }
        for number in [1, 2] { try other.change { try $0.order(number)?.setValue("theirs", forKey: "remark") } }
        #expect(conflicts(try await save()) == ["Order/p1", "Order/p2"])
        try setRemark("newer")
        let answer = try await save(["Order/p1": ["remark": .mine], "Order/p2": ["remark": .mine]])
        #expect(conflicts(answer) == ["Order/p1"])
        #expect(try await save(["Order/p1": ["remark": .mine]])["saved"] == true)
        #expect(try remark() == "mine")
        #expect(try other.read { try $0.order(2)?.value(forKey: "remark") } as? String == "mine")
    }

    @Test("A choice of a recovery does not overwrite what others saved since it was shown either")
    func answerOfRecovery() async throws {
        let journals = store.folder.appending(path: "Journals")
        do {
            let first = try JournaledSession(store.url, journals)
            try await first.set("Order/p1", "remark", "mine")
            try await first.crash()
        }
        try setRemark("theirs")
        let next = try JournaledSession(store.url, journals)
        let choices = ["Order/p1": ["remark": ConflictChoices.Side.mine]]
        #expect(theirs(try await next.recover()) == ["theirs"])
        try setRemark("newer")
        #expect(theirs(try await next.recover(.recover, choices)) == ["newer"])
        #expect(try await next.recover(.recover, choices)["recovered"] == true)
        #expect(try await next.session.saveEdits(StepRequest())["saved"] == true)
        #expect(try remark() == "mine")
        try await next.crash()
    }

    // MARK: Deletions here

    @Test("An order that is kept has its lines in their order, and its tags") func keptOrder() async throws {
        let (lines, tags) = (try ids("Line", "lines", of: 3), try ids("Tag", "tags", of: 3))
        try #require(lines.count == 3 && tags.count == 1)
        try await delete("Order/p3")
        try other.change { try $0.order(3)?.setValue("theirs", forKey: "remark") }
        #expect(try await save { _ in ["": .theirs] }["saved"] == true)
        #expect(try ids("Line", "lines", of: 3) == lines && ids("Tag", "tags", of: 3) == tags)
        #expect(try await session.changes()["count"] == 0)
    }

    @Test("A line that is kept has its place in its order") func keptLine() async throws {
        let lines = try ids("Line", "lines", of: 3)
        try await delete(lines[1])
        try other.change { context in
            let all = try #require(try context.order(3)?.value(forKey: "lines") as? NSOrderedSet)
            (all[1] as? NSManagedObject)?.setValue(9, forKey: "quantity")
        }
        #expect(try await save { _ in ["": .theirs] }["saved"] == true)
        #expect(try ids("Line", "lines", of: 3) == lines)
    }

    @Test("A line that is kept without its order has to get another one") func keptLineOfDeletedOrder() async throws {
        let lines = try ids("Line", "lines", of: 3)
        try await delete("Order/p3")
        try other.change { context in
            let all = try #require(try context.order(3)?.value(forKey: "lines") as? NSOrderedSet)
            (all[1] as? NSManagedObject)?.setValue(9, forKey: "quantity")
        }
        let problems = try await save { $0 == lines[1] ? ["": .theirs] : [:] }["problems"]?.array ?? []
        #expect(problems.map { $0["object"] } == [.text(lines[1])] && problems.first?["key"] == "order")
        try await relate(lines[1], "order", "Order/p4")
        #expect(try await save()["saved"] == true)
        #expect(try ids("Line", "lines", of: 4) == [lines[1]])
        #expect(try other.read { try $0.order(3) } == nil)
    }

    @Test("What others added to an order that is deleted all the same is deleted with it") func deletedWithAdditions()
        async throws
    {
        try await delete("Order/p4")
        try other.change { context in
            let line = NSEntityDescription.insertNewObject(forEntityName: "Line", into: context)
            line.setValue(7, forKey: "quantity")
            line.setValue(try context.order(4), forKey: "order")
        }
        #expect(try await save { _ in [:] }["saved"] == true)
        let sevens = try other.read { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Line")
            request.predicate = NSPredicate(format: "quantity == 7")
            return try context.count(for: request)
        }
        #expect(sevens == 0)
    }

    @Test("A product to which others added a line is not deleted: the save tells why") func forbiddenDeletion()
        async throws
    {
        let product = try await edit(["kind": "create", "entity": "Product"])[0]
        try await set(product, "name", "Date")
        let identifiers = try await save()["identifiers"]
        let id = try #require(identifiers?[product]?.text)
        try await delete(id)
        try other.change { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Product")
            request.predicate = NSPredicate(format: "name == 'Date'")
            let lines = try #require(try context.order(1)?.value(forKey: "lines") as? NSOrderedSet)
            (lines[0] as? NSManagedObject)?.setValue(try context.fetch(request).first, forKey: "product")
        }
        let answer = try await save()
        let problem = try #require(answer["problems"]?.array?.first)
        #expect(problem["object"] == .text(id) && problem["key"] == "lines")
        #expect(
            problem["message"]?.text?.hasPrefix("\(id) can't be deleted: its relationship lines has Line/p") == true)
    }

    // MARK: Deletions elsewhere

    @Test("A new line of an order that others deleted has to get another one") func newLineOfGoneOrder() async throws {
        let line = try await edit(["kind": "create", "entity": "Line", "owner": "Order/p4", "relationship": "lines"])[0]
        try await set(line, "quantity", "9")
        try other.change { context in context.delete(try #require(try context.order(4))) }
        let problems = try await save { _ in ["": .theirs] }["problems"]?.array ?? []
        #expect(problems.map { $0["object"] } == [.text(line)] && problems.first?["key"] == "order")
        try await relate(line, "order", "Order/p8")
        let saved = try await save()
        #expect(saved["saved"] == true)
        #expect(try ids("Line", "lines", of: 8) == [saved["identifiers"]?[line]?.text])
    }

    @Test("A link to what others deleted leads again where it led before; what is gone does not come back")
    func linkToGone() async throws {
        let line = try ids("Line", "lines", of: 1)[0]
        let before = try await session.object(ObjectRequest(object: line))
        let product = try await edit(["kind": "create", "entity": "Product"])[0]
        try await set(product, "name", "Date")
        let id = try #require(try await save()["identifiers"]?[product]?.text)
        try await relate(line, "product", id)
        try await edit(["kind": "add", "object": "Order/p1", "key": "tags", "members": ["Tag/p1", "Tag/p2"]])
        try other.change { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Product")
            request.predicate = NSPredicate(format: "name == 'Date'")
            try context.fetch(request).forEach(context.delete)
            context.delete(try tag("gift", context))
        }
        #expect(try await save { $0 == id || $0.hasPrefix("Tag") ? ["": .theirs] : [:] }["saved"] == true)
        #expect(try await session.object(ObjectRequest(object: line)) == before)
        let names = try other.read { context in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).map {
                $0.value(forKey: "name") as? String
            }
        }
        #expect(names == ["urgent"])
    }
}
