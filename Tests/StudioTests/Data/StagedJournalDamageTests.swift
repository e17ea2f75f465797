import CoreData
import Foundation
import RandomSeeds
import Testing

@testable import CoreDataStudio

/// Journals that can't be trusted, and studios that end as they should not.
@Suite("Damaged journals of staged changes, and studios that are killed") struct StagedJournalDamageTests {
    private let store: SampleStore
    private let journals: URL

    init() throws {
        store = try SampleStore.shop()
        journals = store.folder.appending(path: "Journals")
    }

    private func open() throws -> JournaledSession { try JournaledSession(store.url, journals) }

    private func files() -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: journals.path)) ?? []).filter { $0.hasSuffix(".json") }
    }

    private var file: URL {
        get throws { journals.appending(path: try #require(files().first)) }
    }

    // MARK: Damage

    @Test("A journal that is damaged or of another store is put aside with a sentence, and the store is as it was")
    func damage() async throws {
        var numbers = SeededGenerator(seed: SeededGenerator.seed)
        do {
            let first = try open()
            try await first.set("Order/p1", "remark", "kept")
            try await first.edit(["kind": "create", "entity": "Order"])
            try await first.crash()
        }
        let file = try file
        let good = try Data(contentsOf: file)
        let before = try Data(contentsOf: store.url)
        var damages: [Data] = [
            Data(), Data("{".utf8), Data("[]".utf8), Data("null".utf8), Data("{\"format\": 2}".utf8), good.dropLast(),
            good.prefix(good.count / 2), Data([0xFF, 0xFE, 0x00]),
            Data(String(decoding: good, as: UTF8.self).replacing("\"format\":1", with: "\"format\":9").utf8),
        ]
        damages += (0..<20).map { _ in good.prefix(Int.random(in: 0..<good.count, using: &numbers)) }
        for damage in damages {
            try damage.write(to: file)
            try await check(damage, before)
        }
        // One of another store at the same place.
        try Data(String(decoding: good, as: UTF8.self).replacing("\"store\":\"", with: "\"store\":\"x").utf8)
            .write(to: file)
        try await check(Data("foreign".utf8), before)
    }

    private func check(_ damage: Data, _ before: Data) async throws {
        let next = try open()
        let state = try await next.state()
        #expect(state["recovery"] == .null, "\(String(decoding: damage, as: UTF8.self))")
        #expect(state["journalFailure"]?.text?.contains("put aside") == true)
        await #expect(throws: StudioError.self) { try await next.recover() }
        try await next.session.close()
        #expect(try Data(contentsOf: store.url) == before)
    }

    @Test("A forged journal stages what fits the model, tells the rest, and crashes nothing") func forged() async throws
    {
        var numbers = SeededGenerator(seed: SeededGenerator.seed)
        do {
            let first = try open()
            try await first.set("Order/p1", "remark", "kept")
            try await first.crash()
        }
        let file = try file
        let good = try JSONDecoder().decode(StagedEntry.self, from: Data(contentsOf: file))
        let texts = [
            "Order/p1", "Order/p99", "Order/t1", "Line/p1", "../../etc/passwd", "", "lines", "lineCount", "tags",
            "shelf",
            "shelf.room", "self", "objectID", "number", "remark", "photo", "product", "\u{0}", "9e999", "-1", "NaN",
            "Note", "Order", "Line", "Tag", String(repeating: "f", count: 64),
        ]
        for round in 0..<60 {
            func text() -> String { texts.randomElement(using: &numbers) ?? "" }
            func value() -> KeptValue {
                var value = KeptValue(7)!
                value.kind =
                    [.none, .integer, .double, .decimal, .string, .date, .uuid, .url, .data]
                    .randomElement(using: &numbers) ?? .none
                value.text = numbers.chance(80) ? text() : nil
                value.digest = numbers.chance(20) ? text() : nil
                return value
            }
            var entry = good
            entry.objects = (0..<8).map { _ in
                var object = KeptObject(
                    id: text(), entity: text(), kind: [.inserted, .updated, .deleted].randomElement(using: &numbers)!,
                    version: [nil, 1, .max, -1].randomElement(using: &numbers)!)
                for _ in 0..<4 {
                    object.values[text()] = KeptObject.Value(mine: value(), base: numbers.chance(50) ? value() : nil)
                    object.links[text()] = KeptObject.Link(mine: text(), base: text())
                    object.members[text()] = KeptObject.Members(
                        added: [text(), text()], removed: [text()], order: numbers.chance(50) ? [text(), text()] : nil)
                }
                return object
            }
            try JSONEncoder().encode(entry).write(to: file)
            let next = try open()
            var answer = try await next.recover()
            if answer["recovered"] == false {
                let all = answer["conflicts"]?.array?.compactMap { $0["object"]?.text } ?? []
                answer = try await next.recover(
                    .recover, Dictionary(all.map { ($0, [:]) }, uniquingKeysWith: { first, _ in first }))
            }
            #expect(answer["recovered"] == true, "round \(round)")
            _ = try await next.session.discardEdits(StepRequest())
            #expect(try await next.state()["count"] == 0)
            await next.session.journalTask?.value
            try await next.session.close()
            try FileManager.default.removeItem(at: journals)
            try PrivateFile.makeFolder(file.deletingLastPathComponent())
        }
    }

    @Test("Two studios on one store have a journal each, and each comes back") func two() async throws {
        do {
            let (first, second) = (try open(), try open())
            try await first.set("Order/p1", "remark", "first")
            try await second.set("Order/p2", "remark", "second")
            try await first.crash()
            try await second.crash()
        }
        #expect(files().count == 2)
        let (third, fourth) = (try open(), try open())
        for next in [third, fourth] { #expect(try await next.recover()["recovered"] == true) }
        let remarks = [try await third.value("Order/p1", "remark"), try await fourth.value("Order/p1", "remark")]
        #expect(remarks.contains("first"))
    }

    // MARK: The program

    @Test("A studio that is killed offers what was staged at the next start") func killed() async throws {
        let data = store.folder.appending(path: "Data")
        let before = try Data(contentsOf: store.url)
        let set: JSON = ["kind": "set", "object": "Order/p1", "key": "remark", "value": "kept"]
        do {
            let studio = try LiveStudio([store.url.path, "--edit"], data: data)
            let cookie = try studio.cookie()
            #expect(try studio.post("/api/store/edit", ["action": set], cookie).status == 200)
            #expect(
                try studio.post("/api/store/edit", ["action": ["kind": "create", "entity": "Tag"]], cookie).status
                    == 200)
            try await JournalFiles.wait(below: data, for: "kept", "Tag")
            studio.end(SIGKILL)
        }
        #expect(try Data(contentsOf: store.url) == before)
        let next = try LiveStudio([store.url.path, "--edit"], data: data)
        let cookie = try next.cookie()
        #expect(try next.get("/api/store/changes", cookie).json["recovery"]?["count"] == 2)
        let answer = try next.post("/api/store/recovery", ["choice": "recover"], cookie).json
        #expect(answer["recovered"] == true && answer["state"]?["count"] == 2)
        // Ended as one should, it keeps them too.
        let end = next.end(SIGTERM)
        #expect(end.status == 0 && end.message.contains("Unsaved changes are kept"), "\(end)")
        let third = try LiveStudio([store.url.path, "--edit"], data: data)
        let key = try third.cookie()
        #expect(try third.post("/api/store/recovery", ["choice": "recover"], key).json["recovered"] == true)
        #expect(try third.post("/api/store/save", [:], key).json["saved"] == true)
        #expect(third.end(SIGTERM).message == "")
        let other = try OtherProgram(store.url)
        #expect(try other.read { try $0.order(1)?.value(forKey: "remark") } as? String == "kept")
        try other.close()
    }

    @Test("Recovery needs the proofs, and a studio that edits") func proofs() throws {
        let studio = try LiveStudio(store.url, ["--edit"])
        let cookie = try studio.cookie()
        #expect(
            try studio.post("/api/store/recovery", ["choice": "recover"], cookie).errorCode == "invalid-edit")
        #expect(try studio.post("/api/store/recovery", ["choice": "burn"], cookie).errorCode == "invalid-request")
        #expect(try studio.post("/api/store/recovery", [:], cookie).errorCode == "invalid-request")
        var headers = studio.headers(cookie)
        headers["Studio-Page"] = nil
        let body = (["choice": "discard"] as JSON).data()
        #expect(try studio.send("POST", "/api/store/recovery", headers, body: body).errorCode == "missing-token")
        let reading = try LiveStudio(store.url)
        let key = try reading.cookie()
        #expect(try reading.post("/api/store/recovery", ["choice": "recover"], key).status >= 400)
    }
}
