import CoreData
import Foundation
import Testing

@Suite("coredata watch")
struct WatchTests {
    private let league: LeagueStore

    init() throws {
        league = try LeagueStore(history: true)
        try league.fill(author: "app")
    }

    /// Starts the command, and waits until it watches.
    private func watch(_ arguments: String...) async throws -> RunningCommand {
        let run = try RunningCommand(["watch", league.path, "--format", "tsv"] + arguments)
        #expect(try await run.wait { $0.errors.contains("watching") }, "\(run.errors)")
        return run
    }

    private func setAge(_ age: Int, of name: String) throws {
        try league.use(author: "widget") { context throws in
            try #require(try context.object("Player", name)).setValue(age, forKey: "age")
            try context.save()
        }
    }

    /// Author, change, object and properties of each row.
    private func rows(_ run: RunningCommand) -> [String] {
        run.output.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            return [fields[2], fields[5], fields[6], fields[7]].joined(separator: " ")
        }
    }

    private func id(_ name: String) throws -> String {
        try #require(try league.lines("Player", "id,name").first { $0.hasSuffix("\t" + name) }).components(
            separatedBy: "\t")[0]
    }

    @Test("prints what other programs save, and ends after --limit transactions")
    func prints() async throws {
        let bird = try id("Bird")
        let run = try await watch("--limit", "2")
        try setAge(31, of: "Bird")
        #expect(try await run.wait { rows($0).count == 1 }, "\(run.output)")
        let update = try Command([
            "update", league.path, "Player", "--set", "age=32", "--where", "name == 'Bird'", "--yes",
        ])
        #expect(update.status == 0, "\(update.errors)")
        #expect(try await run.end() == 0)
        #expect(rows(run) == ["widget updated \(bird) age", "coredata updated \(bird) age"])
    }

    @Test("--since first prints what came before")
    func since() async throws {
        try setAge(31, of: "Bird")
        let run = try await watch("--since", "1", "--limit", "1")
        #expect(try await run.end() == 0)
        #expect(rows(run) == ["widget updated \(try id("Bird")) age"])
    }

    @Test("ends in order at Ctrl-C and at a termination", arguments: [SIGINT, SIGTERM])
    func signals(number: Int32) async throws {
        let run = try await watch()
        try setAge(31, of: "Bird")
        #expect(try await run.wait { rows($0).count == 1 })
        run.signal(number)
        #expect(try await run.end() == 0, "\(run.errors)")
    }

    @Test("an entity and a predicate choose: what matches now, or did before, deletions included")
    func predicate() async throws {
        let (bird, jordan) = (try id("Bird"), try id("Jordan"))
        let run = try await watch("Player", "--where", "age > 40", "--limit", "3")
        try league.use(author: "app") { context throws in
            _ = context.insert("Team", ["name": "Lakers"])
            try context.save()
        }
        try setAge(41, of: "Bird")
        #expect(try await run.wait { rows($0).count == 1 }, "\(run.output)")
        try setAge(30, of: "Bird")
        #expect(try await run.wait { rows($0).count == 2 }, "\(run.output)")
        try setAge(50, of: "Jordan")
        #expect(try await run.end() == 0)
        #expect(rows(run) == [bird, bird, jordan].map { "widget updated \($0) age" })
        let deletions = try await watch("Player", "--where", "age > 40", "--limit", "1")
        try league.use(author: "app") { context throws in
            context.delete(try #require(try context.object("Player", "Pippen")))
            context.delete(try #require(try context.object("Player", "Jordan")))
            try context.save()
        }
        #expect(try await deletions.end() == 0)
        #expect(rows(deletions) == ["app deleted \(jordan) "])
    }

    @Test("misses and doubles nothing of many commits")
    func many() async throws {
        let run = try await watch("--limit", "40")
        for number in 1...40 { try setAge(16 + number, of: number % 2 == 0 ? "Bird" : "Parish") }
        #expect(try await run.end() == 0)
        let numbers = run.output.split(separator: "\n").dropFirst().compactMap { Int($0.prefix { $0 != "\t" }) }
        #expect(numbers == Array(2...41))
    }

    @Test("a store without history is refused with what to do")
    func withoutHistory() throws {
        let plain = try LeagueStore()
        let run = try Command(["watch", plain.path])
        #expect(run.status == 1 && run.errors.contains("NSPersistentHistoryTrackingKey"), "\(run.errors)")
        #expect(try Command(["watch", league.path, "--where", "age > 3"]).status == 64)
        #expect(try Command(["watch", league.path, "--format", "table"]).status == 64)
        #expect(try Command(["watch", league.path, "Coach"]).status == 7)
        #expect(try Command(["watch", league.path, "Player", "--where", "shoes == 3"]).status == 7)
    }
}
