import CoreData
import Foundation
import RandomSeeds
import StoreBrowsing
import Testing

@testable import CoreDataStudio

/// What an object looked like when a transaction had been saved, as far as history says.
@Suite("An object as of a transaction") struct StoreAsOfTests {
    private static func value(_ answer: JSON, _ name: String) throws -> JSON {
        try #require(answer["values"]?.array?.first { $0["name"]?.text == name }, "\(name)")
    }

    private static func number(_ transaction: JSON?) -> Int? {
        if case .integer(let number)? = transaction?["number"] { number } else { nil }
    }

    @Test("What did not change since is the present value, and what did is not known") func changed() async throws {
        let store = try SampleStore.history()
        let before = try store.files()
        let session = try StoreSession(.file(store.url))
        let then = try await session.asOf(AsOfRequest(object: "Person/p1", transaction: 92))
        #expect(then["state"] == "there" && then["isStored"] == true && Self.number(then["transaction"]) == 92)
        let name = try Self.value(then, "name")
        #expect(name["knowledge"] == "unchanged" && name["value"] == "Person 1")
        let city = try Self.value(then, "city")
        #expect(city["knowledge"] == "unchanged" && city["value"]?["title"] == "Boston")
        let changed = try Self.value(then, "number")
        #expect(changed["knowledge"] == "changed" && changed["value"] == nil && changed["times"] == 3)
        #expect(Self.number(changed["change"]) == 122)
        // The newest change first.
        #expect(then["choices"]?.array?.compactMap(Self.number) == [182, 152, 122, 92, 62, 32, 2, 1])

        let newest = try await session.asOf(AsOfRequest(object: "Person/p1"))
        #expect(Self.number(newest["transaction"]) == 182)
        #expect(try Self.value(newest, "number")["value"] == "180")
        #expect(try store.files() == before)
    }

    @Test("An object that was inserted later was not there, and one that was deleted before is told by the deletion")
    func existence() async throws {
        let store = try SampleStore.history()
        let session = try StoreSession(.file(store.url))
        let later = try await session.asOf(AsOfRequest(object: "City/p2", transaction: 202))
        #expect(later["state"] == "notYet" && later["values"] == [] && Self.number(later["inserted"]) == 203)
        #expect(try await session.asOf(AsOfRequest(object: "City/p2", transaction: 203))["state"] == "there")

        let gone = try await session.asOf(AsOfRequest(object: "Person/p2", transaction: 203))
        #expect(gone["state"] == "gone" && gone["isStored"] == false && Self.number(gone["deleted"]) == 202)
        #expect(gone["title"] == "Person 2")
        #expect(gone["values"]?.array?.compactMap { $0["name"]?.text } == ["name"])

        let alive = try await session.asOf(AsOfRequest(object: "Person/p2", transaction: 201))
        #expect(alive["state"] == "there")
        let name = try Self.value(alive, "name")
        #expect(name["knowledge"] == "kept" && name["value"] == "Person 2")
        #expect(try Self.value(alive, "score")["knowledge"] == "lost")
    }

    @Test("What neither the store nor its history has is refused with a sentence") func refused() async throws {
        let (store, without) = (try SampleStore.history(), try SampleStore.people(3))
        let (session, plain) = (try StoreSession(.file(store.url)), try StoreSession(.file(without.url)))
        let refused: [(StoreSession, AsOfRequest)] = [
            (session, AsOfRequest(object: "Person/p1", transaction: 204)),
            (session, AsOfRequest(object: "Person/p1", transaction: 0)),
            (session, AsOfRequest(object: "Person/p1", transaction: -1)),
            (session, AsOfRequest(object: "Person/p1", transaction: .max)),
            (session, AsOfRequest(object: "Person/p999", transaction: 3)),
            (session, AsOfRequest(object: "Nothing/p1", transaction: 3)),
            (session, AsOfRequest(object: "Person/x", transaction: 3)),
            (plain, AsOfRequest(object: "Person/p1", transaction: 1)),
        ]
        for (session, request) in refused {
            await #expect(throws: ToolFailure.self, "\(request)") { try await session.asOf(request) }
        }
    }

    @Test("Whatever is said of any object as of any transaction is true", arguments: SeededGenerator.seeds(3, full: 20))
    func random(seed: UInt64) async throws {
        let ledger = try Ledger(seed)
        for _ in 0..<40 { try ledger.saveSomething() }
        try ledger.close()
        let session = try StoreSession(.file(ledger.store.url))
        var words: [String: Int] = [:]
        for object in ledger.everSeen.sorted() {
            for number in 1...ledger.states.count {
                let answer = try await session.asOf(AsOfRequest(object: object, transaction: number))
                try ledger.check(answer, object, number, &words)
            }
        }
        // Each kind of answer came up, so the run says something of each.
        for word in ["unchanged", "changed", "unsure", "kept", "lost"] {
            #expect(words[word, default: 0] > 0, "\(word)")
        }
    }
}
