import CoreData
import Foundation
import Testing

@testable import LeagueService

@Suite("Live updates", .timeLimit(.minutes(2)))
struct EventTests {
    @Test("A client is told of each save, and how the objects are now", arguments: TestedStore.withHistory)
    func changes(_ kind: TestedStore) async throws {
        try await withService(kind, .live) { client in
            let team = try await client.team()
            var events = try await EventReader(port: client.port)
            let ready = try await events.next()
            #expect(ready?.name == "ready")
            #expect(ready?.id != nil)
            let player = try await client.player("Dwyane", "Wade", in: team)
            let inserted = try await events.nextChanges().first { $0["resource"] == "players" }
            #expect(inserted?["kind"] == "insert")
            #expect(inserted?["object"]["lastName"] == "Wade")
            #expect(inserted?["object"]["team"]["title"] == "Boston Celtics")

            let path = "/players/\(player["id"].text)"
            _ = try await client.send(.patch, path, ["salary": 5], version: "*")
            let updated = try await events.nextChanges().first { $0["resource"] == "players" }
            #expect(updated?["kind"] == "update")
            #expect(updated?["properties"] == ["salary"])
            _ = try await client.send(.delete, path, version: "*")
            let deleted = try await events.nextChanges().first { $0["resource"] == "players" }
            #expect(deleted?["kind"] == "delete")
            #expect(deleted?["id"] == player["id"])
        }
    }

    @Test("A client that comes back gets what it missed, also from another process", arguments: TestedStore.withHistory)
    func comingBack(_ kind: TestedStore) async throws {
        let place = try TestedPlace(kind)
        try await withService(at: place, .live) { first in
            try await withService(at: place, .live) { second in
                var events = try await EventReader(port: first.port)
                _ = try await events.next()
                _ = try await second.team("A")
                #expect(try await events.nextChanges().map { $0["object"]["name"] } == ["A"])
                let last = events.last
                for name in ["B", "C", "D"] { _ = try await second.team(name) }
                var missed: [JSON] = ["B", "C", "D"]
                for port in [first.port, second.port] {
                    var again = try await EventReader(port: port, after: last)
                    let ready = try await again.next()
                    #expect(ready?.data["resumed"] == true)
                    // What is saved from then on comes once.
                    let name = JSON.text("E\(port)")
                    _ = try await first.team(name.text)
                    missed.append(name)
                    var names: [JSON] = []
                    for _ in missed { names += try await again.nextChanges().map { $0["object"]["name"] } }
                    #expect(names == missed)
                }
            }
        }
    }

    @Test("Clients that come and go while others save get each save once", arguments: TestedStore.withHistory)
    func comingAndGoing(_ kind: TestedStore) async throws {
        try await withService(kind, .live) { client in
            let count = 40
            let port = client.port
            var first = try await EventReader(port: port)
            _ = try await first.next()
            let start = first.last
            async let saving: Void = {
                for number in 0..<count { _ = try await client.team("Team \(number)") }
            }()
            var names: [String] = []
            var last = start
            while names.count < count {
                var events = try await EventReader(port: port, after: last)
                for _ in 0..<min(3, count - names.count) {
                    names += try await events.nextChanges().map { $0["object"]["name"].text }
                }
                last = events.last
            }
            try await saving
            #expect(names == (0..<count).map { "Team \($0)" })
        }
    }

    @Test(
        "After a purge, and after more than events can tell, a client reads its lists anew",
        arguments: TestedStore.withHistory)
    func reload(_ kind: TestedStore) async throws {
        try await withService(kind, .live) { client in
            _ = try await client.team("A")
            var events = try await EventReader(port: client.port)
            _ = try await events.next()
            let old = events.last
            _ = try await client.team("B")
            _ = try await events.next()
            try await client.service.store.read { context in
                _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture))
            }
            var again = try await EventReader(port: client.port, after: old)
            #expect(try await again.next()?.name == "reload")
            #expect(again.last != nil)

            try await client.service.store.read { context in
                for number in 0..<300 {
                    let team = Team(context: context)
                    (team.id, team.name) = (UUID(), "Batch \(number)")
                }
                try context.save()
            }
            #expect(try await again.next()?.name == "reload")
        }
    }

    @Test("An id that is none is refused, and changes nothing", arguments: TestedStore.withHistory)
    func badID(_ kind: TestedStore) async throws {
        try await withService(kind, .live) { client in
            for id in ["x", "bplist", String(repeating: "A", count: 9_000), Data(#"{"a":1}"#.utf8).base64URL] {
                await #expect(throws: EventReader.Refused.self) { try await EventReader(port: client.port, after: id) }
            }
            _ = try await client.team()
        }
    }

    @Test("A client without events gets comments, and one that has gone is forgotten")
    func keepAlive() async throws {
        var configuration = LeagueApplication.Configuration()
        configuration.keepAlive = .milliseconds(50)
        try await withService(.sqlite, .live, configuration) { client in
            do {
                var events = try await EventReader(port: client.port)
                _ = try await events.next()
                for _ in 0..<3 { try await events.nextComment() }
                #expect(await client.service.feed.clientCount == 1)
            }
            #expect(try await client.send(.head, "/events").status == 200)
            let end = ContinuousClock.now + .seconds(10)
            while await client.service.feed.clientCount > 0, .now < end { try await Task.sleep(for: .milliseconds(20)) }
            #expect(await client.service.feed.clientCount == 0)
        }
    }
}
