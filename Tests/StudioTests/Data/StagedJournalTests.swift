import CoreData
import Foundation
import RandomSeeds
import Testing

@testable import CoreDataStudio

/// Changes that are not saved outlive the studio.
@Suite("The journal of staged changes") struct StagedJournalTests {
    private let store: SampleStore
    private let journals: URL

    init() throws {
        store = try SampleStore.shop()
        journals = store.folder.appending(path: "Journals")
    }

    private func open() throws -> JournaledSession { try JournaledSession(store.url, journals) }

    /// Ends one run after some changes, and begins the next one. The lock goes with the first run.
    private func rerun(_ body: (JournaledSession) async throws -> Void) async throws -> JournaledSession {
        do {
            let first = try open()
            try await body(first)
            try await first.crash()
        }
        return try open()
    }

    private func files() -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: journals.path)) ?? []).filter { $0.hasSuffix(".json") }
    }

    private var file: URL {
        get throws { journals.appending(path: try #require(files().first)) }
    }

    // MARK: What comes back

    @Test("Everything that can be staged comes back as one step, and can be saved") func everything() async throws {
        let next = try await rerun { first in
            try await first.set("Order/p1", "remark", "by bike")
            try await first.set("Order/p1", "isPaid", "true")
            try await first.set("Order/p1", "placed", "2026-11-27T10:11:12.25Z")
            try await first.set("Product/p1", "price", "12.345678901")
            try await first.set("Product/p1", "weight", "0.1")
            try await first.set("Product/p1", "code", "3F2504E0-4F89-11D3-9A0C-0305E82C3301")
            try await first.set("Product/p1", "page", "https://example.org/a?b=c")
            try await first.set("Tag/p1", "shelf.room", "Attic")
            let order = try await first.edit(["kind": "create", "entity": "Order"])[0]
            try await first.set(order, "number", "77")
            let line = try await first.edit([
                "kind": "create", "entity": "Line", "owner": .text(order), "relationship": "lines",
            ])[0]
            try await first.set(line, "quantity", "5")
            try await first.edit(["kind": "relate", "object": .text(line), "key": "product", "to": "Product/p2"])
            try await first.edit([
                "kind": "add", "object": .text(order), "key": "tags", "members": ["Tag/p1", "Tag/p2"],
            ])
            try await first.edit(["kind": "remove", "object": "Order/p2", "key": "tags", "members": ["Tag/p2"]])
            try await first.edit(["kind": "move", "object": "Order/p3", "key": "lines", "member": "Line/p6", "to": 0])
            try await first.edit(["kind": "delete", "objects": ["Order/p7"]])
            try await first.set("Order/p9", "remark", "undone")
            _ = try await first.session.undoEdit(StepRequest())
        }
        let recovery = try #require(try await next.state()["recovery"])
        #expect(recovery["count"] != .integer(0) && recovery["savedAt"]?.text?.hasPrefix("20") == true)
        #expect(try await next.state()["count"] == 0)
        let answer = try await next.recover()
        #expect(answer["recovered"] == true && answer["left"] == [] && answer["conflicts"] == [])
        #expect(answer["state"]?["undo"] == "Recover Unsaved Changes")
        #expect(answer["state"]?["recovery"] == .null)
        #expect(try await next.value("Order/p9", "remark") == .null)
        _ = try await next.session.undoEdit(StepRequest())
        #expect(try await next.state()["count"] == 0)
        _ = try await next.session.redoEdit(StepRequest())
        let saved = try await next.session.saveEdits(StepRequest())
        #expect(saved["saved"] == true, "\(saved)")
        try await next.crash()
        #expect(files() == [])

        let other = try OtherProgram(store.url)
        try other.read { context in
            let first = try #require(try context.order(1))
            #expect(first.value(forKey: "remark") as? String == "by bike")
            #expect(first.value(forKey: "isPaid") as? Bool == true)
            #expect(
                (first.value(forKey: "placed") as? Date)?.timeIntervalSinceReferenceDate == 817_467_072.25)
            let product = try #require(
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Product"))
                    .first { $0.value(forKey: "name") as? String == "Apple" })
            #expect(
                (product.value(forKey: "price") as? NSDecimalNumber)?.stringValue == "12.345678901")
            #expect(product.value(forKey: "weight") as? Double == 0.1)
            #expect((product.value(forKey: "page") as? URL)?.absoluteString == "https://example.org/a?b=c")
            let new = try #require(try context.order(77))
            let lines = try #require(new.value(forKey: "lines") as? NSOrderedSet)
            #expect((lines.firstObject as? NSManagedObject)?.value(forKey: "quantity") as? Int == 5)
            #expect((new.value(forKey: "tags") as? NSSet)?.count == 2)
            #expect((try context.order(2)?.value(forKey: "tags") as? NSSet)?.count == 0)
            #expect(try context.order(7) == nil)
            let moved = try #require(try context.order(3)?.value(forKey: "lines") as? NSOrderedSet)
            #expect(moved.compactMap { ($0 as? NSManagedObject)?.value(forKey: "quantity") as? Int } == [3, 1, 2])
        }
    }

    @Test("Large values lie beside the journal, and come back byte for byte") func large() async throws {
        var numbers = SeededGenerator(seed: SeededGenerator.seed)
        let photo = Data((0..<300_000).map { _ in UInt8.random(in: 0...255, using: &numbers) })
        let text = String(repeating: "Käse ", count: 4_000)
        let next = try await rerun { first in
            _ = try await first.session.setData(photo, "Product/p1", "photo", client: nil)
            try await first.set("Order/p1", "remark", .text(text))
            try await first.set("Order/p2", "remark", "short")
        }
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
        #expect(size < 4_000)
        #expect(try await next.recover()["left"] == [])
        #expect(try await next.session.bytes("Product/p1", "photo", 0..<400_000) == photo)
        #expect(try await next.session.bytes("Order/p1", "remark", 0..<400_000) == Data(text.utf8))
        // Values that are not needed any more go.
        _ = try await next.session.discardEdits(StepRequest())
        await next.session.writeJournal()
        await next.session.journalTask?.value
        let left = try FileManager.default.subpathsOfDirectory(atPath: journals.path)
        #expect(!left.contains { $0.contains("values/") }, "\(left)")
    }

    @Test("Writes that are asked for at once leave a journal with all that is staged") func overlapping() async throws {
        let texts = (1...6).map { String(repeating: "Käse \($0) ", count: 20_000) }
        let next = try await rerun { first in
            for (number, text) in texts.enumerated() {
                try await first.set("Order/p\(number + 1)", "remark", .text(text))
                async let one = first.session.writeJournal()
                async let other = first.session.writeJournal()
                #expect(await one == nil)
                #expect(await other == nil)
            }
        }
        #expect(try await next.recover()["left"] == [])
        for (number, text) in texts.enumerated() {
            let bytes = try await next.session.bytes("Order/p\(number + 1)", "remark", 0..<400_000)
            #expect(bytes == Data(text.utf8))
        }
    }

    @Test("It is written soon, goes with what it says, and only its owner can read it") func soon() async throws {
        let first = try open()
        try await first.set("Order/p1", "remark", "soon")
        await first.session.journalTask?.value
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
        let folder = try FileManager.default.attributesOfItem(atPath: file.deletingLastPathComponent().path)
        #expect(folder[.posixPermissions] as? NSNumber == 0o700)
        _ = try await first.session.undoEdit(StepRequest())
        await first.session.journalTask?.value
        #expect(files() == [])
        _ = try await first.session.redoEdit(StepRequest())
        await first.session.journalTask?.value
        #expect(files().count == 1)
        _ = try await first.session.saveEdits(StepRequest())
        await first.session.journalTask?.value
        #expect(files() == [])
        #expect(await first.session.finish() == .none)
    }

    @Test("Discarded, it is gone; undecided, it stays and is not replaced") func undecided() async throws {
        try await addUndecided(await rerun { try await $0.set("Order/p1", "remark", "kept") })
        let third = try await rerun { third in
            let state = try await third.state()
            #expect(state["recovery"]?["count"] == 1)
        }
        #expect(try await third.recover(.discard)["recovered"] == true)
        await third.session.journalTask?.value
        #expect(files() == [])
        await #expect(throws: StudioError.self) { try await third.recover() }
    }

    /// New changes can't take the place of those that are not decided about.
    private func addUndecided(_ next: consuming JournaledSession) async throws {
        try await next.set("Order/p2", "remark", "new")
        await next.session.journalTask?.value
        #expect(try await next.state()["journalFailure"]?.text?.contains("recover or discard") == true)
        do {
            _ = try await next.recover()
            Issue.record("it was recovered over other changes")
        } catch { #expect(StudioError(error).code == .invalidEdit) }
        guard case .lost(let words) = await next.session.finish() else {
            Issue.record("nothing was lost")
            return
        }
        #expect(words.contains("1 changed object was not saved"))
    }

    // MARK: What others changed since

    @Test("What others changed since is told as on a save, and settled value by value") func conflicts() async throws {
        let other = try OtherProgram(store.url)
        let next = try await rerun { first in
            try await first.set("Order/p1", "remark", "mine")
            try await first.set("Order/p1", "city", "Boston")
            try await first.set("Order/p2", "remark", "mine too")
            try await first.set("Order/p3", "remark", "same")
            try await first.edit(["kind": "delete", "objects": ["Order/p4"]])
            try await first.set("Order/p8", "remark", "of a gone one")
            try other.change { context in
                try context.order(1)?.setValue("theirs", forKey: "remark")
                try context.order(2)?.setValue("Rome", forKey: "city")
                try context.order(3)?.setValue("same", forKey: "remark")
                try context.order(4)?.setValue("still needed", forKey: "remark")
                if let gone = try context.order(8) { context.delete(gone) }
            }
        }
        let answer = try await next.recover()
        #expect(answer["recovered"] == false)
        let conflicts = answer["conflicts"]?.array ?? []
        #expect(Set(conflicts.compactMap { $0["object"]?.text }) == ["Order/p1", "Order/p4", "Order/p8"])
        let first = try #require(conflicts.first { $0["object"] == "Order/p1" })
        let property = try #require(first["properties"]?.array?.first)
        #expect(first["properties"]?.array?.count == 1 && property["name"] == "remark")
        #expect(property["mine"] == "mine" && property["theirs"] == "theirs" && property["base"] == .null)
        #expect(conflicts.first { $0["object"] == "Order/p4" }?["isDeleted"] == true)
        #expect(conflicts.first { $0["object"] == "Order/p8" }?["isGone"] == true)
        #expect(try await next.state()["count"] == 0)

        let settled = try await next.recover(
            .recover, ["Order/p1": ["remark": .theirs], "Order/p4": ["": .theirs], "Order/p8": ["": .theirs]])
        #expect(settled["recovered"] == true)
        #expect(settled["left"]?.array?.contains { $0.text?.contains("Order/p8") == true } == true)
        #expect(try await next.value("Order/p1", "remark") == "theirs")
        #expect(try await next.value("Order/p1", "city") == "Boston")
        #expect(try await next.value("Order/p2", "remark") == "mine too")
        #expect(try await next.value("Order/p2", "city") == "Rome")
        #expect(try await next.session.saveEdits(StepRequest())["saved"] == true)
        #expect(try other.read { try $0.order(4)?.value(forKey: "remark") } as? String == "still needed")
        try other.close()
    }

    /// The lines of the third order, in their order.
    private func lines(_ program: OtherProgram) throws -> [String] {
        try program.read { context in
            let lines = try context.order(3)?.value(forKey: "lines") as? NSOrderedSet
            return lines?.compactMap { ($0 as? NSManagedObject)?.objectID.shortIdentifier } ?? []
        }
    }

    private func reverseLines(_ program: OtherProgram) throws {
        try program.change { context in
            let order = try #require(try context.order(3))
            let lines = try #require(order.value(forKey: "lines") as? NSOrderedSet)
            order.setValue(lines.reversed, forKey: "lines")
        }
    }

    @Test("Two orders of members are told, and one is chosen", arguments: [ConflictChoices.Side.mine, .theirs])
    func orders(side: ConflictChoices.Side) async throws {
        let other = try OtherProgram(store.url)
        let before = try lines(other)
        try #require(before.count == 3)
        let next = try await rerun { first in
            try await first.edit([
                "kind": "move", "object": "Order/p3", "key": "lines", "member": .text(before[1]), "to": 0,
            ])
            try reverseLines(other)
        }
        let conflict = try #require(try await next.recover()["conflicts"]?.array?.first)
        let property = try #require(conflict["properties"]?.array?.first)
        #expect(conflict["object"] == "Order/p3" && property["name"] == "lines" && property["kind"] == "toMany")
        #expect(["base", "mine", "theirs"].allSatisfy { property[$0]?["count"] == 3 })
        #expect(try await next.recover(.recover, ["Order/p3": ["lines": side]])["recovered"] == true)
        _ = try await next.session.saveEdits(StepRequest())
        #expect(try lines(other) == (side == .mine ? [before[1], before[0], before[2]] : before.reversed()))
    }

    @Test("What others alone put into another order stays so, and a new line is the last") func theirOrder()
        async throws
    {
        let other = try OtherProgram(store.url)
        let before = try lines(other)
        let next = try await rerun { first in
            let line = try await first.edit([
                "kind": "create", "entity": "Line", "owner": "Order/p3", "relationship": "lines",
            ])[0]
            try await first.set(line, "quantity", "9")
            try reverseLines(other)
        }
        #expect(try await next.recover()["recovered"] == true)
        #expect(try await next.session.saveEdits(StepRequest())["saved"] == true)
        let after = try lines(other)
        #expect(after.count == 4 && after.dropLast() == before.reversed()[...])
    }

    @Test("Relationships to objects that are gone are left out, and told") func goneDestinations() async throws {
        let other = try OtherProgram(store.url)
        let next = try await rerun { first in
            let line = try await first.edit([
                "kind": "create", "entity": "Line", "owner": "Order/p4", "relationship": "lines",
            ])[0]
            try await first.edit(["kind": "relate", "object": .text(line), "key": "product", "to": "Product/p3"])
            try await first.edit(["kind": "add", "object": "Order/p1", "key": "tags", "members": ["Tag/p2"]])
            try other.change { context in
                for line in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Line")) {
                    context.delete(line)
                }
                for tag in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")) { context.delete(tag) }
            }
            try other.change { context in
                let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Product"))
                for product in all where product.value(forKey: "name") as? String == "Cheese" {
                    context.delete(product)
                }
            }
        }
        let refused = try await next.recover()
        #expect(refused["conflicts"]?.array?.compactMap { $0["object"]?.text } == ["Tag/p2"])
        let answer = try await next.recover(.recover, ["Tag/p2": ["": .theirs]])
        #expect(answer["recovered"] == true)
        let left = answer["left"]?.array?.compactMap(\.text) ?? []
        #expect(left.contains { $0.contains("Product/p3") } && left.contains { $0.contains("Tag/p2") }, "\(left)")
        #expect(try await next.state()["inserted"]?["Line"] == 1)
        try other.close()
    }
}
