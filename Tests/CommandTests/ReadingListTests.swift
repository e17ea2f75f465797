import Foundation
import Testing

/// `Examples/ReadingList`: its programs as processes, as their users run them.
@Suite("An app, an extension and a widget on one store") struct ReadingListTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func app() async throws -> RunningCommand {
        let app = try RunningCommand(["app", folder.url.path], of: "ReadingList")
        #expect(try await app.wait { $0.has("Ready") })
        return app
    }

    /// - Returns: What it said on a line of its own, without the end of the line.
    @discardableResult
    private func run(_ program: String, _ arguments: String...) throws -> String {
        let ended = try Command(
            executable: Command.executable("ReadingList"), arguments: [program, folder.url.path] + arguments)
        #expect((ended.status, ended.errors) == (0, ""))
        return ended.output.trimmingCharacters(in: .newlines)
    }

    private func tell(_ app: RunningCommand, _ command: String) async throws {
        try app.type(command)
        #expect(try await app.wait { $0.has("Done: \(command)") })
    }

    @Test func theAppShowsWhatTheExtensionAdds() async throws {
        let app = try await app()
        try run("share", "https://swift.org", "Swift")
        #expect(try await app.wait { $0.has("+ https://swift.org Swift") })
        try run("share", "https://sqlite.org", "SQLite")
        #expect(try await app.wait { $0.has("+ https://sqlite.org SQLite") })
        #expect(app.lines.filter { $0.hasPrefix("+") }.count == 2)
    }

    @Test func anAddressThatIsSharedAgainStaysOneLink() async throws {
        let app = try await app()
        try run("share", "https://swift.org", "Swift")
        #expect(try await app.wait { $0.has("+ https://swift.org Swift") })
        try await tell(app, "read https://swift.org")
        try run("share", "https://swift.org", "Swift 6")
        #expect(try await app.wait { $0.has("~ https://swift.org Swift 6") })
        #expect(try run("widget") == "1 unread, the newest: Swift 6")
    }

    @Test func extensionsThatAddTheSameAddressAtTheSameTimeMakeOneLink() async throws {
        try run("share", "https://example.org", "First")
        let path = folder.url.path
        let all = try (0..<12).map { number in
            try RunningCommand(["share", path, "https://swift.org", "Swift \(number)"], of: "ReadingList")
        }
        for one in all { #expect(try await one.end() == 0, "\(one.errors)") }
        #expect(try run("widget").hasPrefix("2 unread"))
    }

    @Test func theWidgetDrawsWhatConcernsItOnly() async throws {
        try run("share", "https://swift.org", "Swift")
        #expect(try run("widget") == "1 unread, the newest: Swift")
        #expect(try run("widget") == "Nothing new")
        let app = try await app()
        try await tell(app, "progress https://swift.org 0.5")
        #expect(try run("widget") == "Nothing new")
        try await tell(app, "read https://swift.org")
        #expect(try run("widget") == "All read")
    }

    @Test func anAppThatIsKilledMissesNothing() async throws {
        var seen: Set<String> = []
        for round in 0..<4 {
            let app = try await app()
            let path = folder.url.path
            let all = try (0..<3).map {
                try RunningCommand(["share", path, "https://example.org/\(round)/\($0)"], of: "ReadingList")
            }
            // Before some of them, or after.
            if round % 2 == 0 { #expect(try await app.wait { $0.lines.contains { $0.hasPrefix("+") } }) }
            app.signal(SIGKILL)
            for one in all { #expect(try await one.end() == 0, "\(one.errors)") }
            #expect(try await app.end() == -SIGKILL)
            seen.formUnion(app.addresses)
        }
        let last = try await app()
        #expect(
            last.addresses == Set((0..<4).flatMap { round in (0..<3).map { "https://example.org/\(round)/\($0)" } }))
        #expect(seen.isSubset(of: last.addresses))
    }

    @Test func aPurgeLeavesWhatAProgramHasStillToRead() async throws {
        try run("share", "https://swift.org", "Swift")
        #expect(try run("widget") == "1 unread, the newest: Swift")
        let app = try await app()
        try run("share", "https://sqlite.org", "SQLite")
        #expect(try await app.wait { $0.has("+ https://sqlite.org SQLite") })
        // The widget has not read of the second.
        try await tell(app, "purge")
        #expect(try run("widget") == "2 unread, the newest: SQLite")
        try run("share", "https://example.org", "Example")
        #expect(try await app.wait { $0.has("+ https://example.org Example") })
        #expect(try run("widget") == "3 unread, the newest: Example")
    }

    @Test func aWidgetThatHistoryIsPurgedUnderFetchesAnew() async throws {
        try run("share", "https://swift.org", "Swift")
        #expect(try run("widget") == "1 unread, the newest: Swift")
        for number in 0..<3 { try run("share", "https://example.org/\(number)", "Example \(number)") }
        // A widget that was not started for long: its place is not waited for.
        let place = folder.url.appendingPathComponent("History/widget.json")
        let old = try Data(contentsOf: place)
        let app = try await app()
        try FileManager.default.removeItem(at: place)
        try await tell(app, "purge")
        try old.write(to: place)
        #expect(try run("widget") == "4 unread, the newest: Example 2")
        #expect(try run("widget") == "Nothing new")
    }

    @Test func theAppTellsWhatABatchRemoved() async throws {
        let app = try await app()
        for name in ["swift", "sqlite"] { try run("share", "https://\(name).org") }
        #expect(try await app.wait { $0.addresses.count == 2 })
        try await tell(app, "read https://swift.org")
        #expect(try run("tidy") == "1 removed")
        #expect(try await app.wait { $0.has("tidying removed https://swift.org") })
        #expect(try run("widget") == "1 unread, the newest: https://sqlite.org")
    }

    @Test func whatIsNotUnderstoodIsSaid() async throws {
        let app = try await app()
        try app.type("read https://nowhere.org")
        #expect(try await app.wait { $0.has("! https://nowhere.org is not in the list") })
        try run("share", "https://swift.org")
        try app.type("progress https://swift.org half")
        #expect(try await app.wait { $0.has("! half is not a number") })
        let none = try Command(executable: Command.executable("ReadingList"), arguments: ["clock", folder.url.path])
        #expect(none.status == 1)
        #expect(none.errors == "ReadingList: clock is none of the programs: app, share, widget, tidy\n")
    }
}

extension RunningCommand {
    fileprivate var lines: [String] { output.split(separator: "\n").map(String.init) }

    fileprivate func has(_ line: String) -> Bool { lines.contains(line) }

    /// The addresses of the links that were shown or added.
    fileprivate var addresses: Set<String> {
        Set(lines.filter { $0.hasPrefix("•") || $0.hasPrefix("+") }.map { String($0.split(separator: " ")[1]) })
    }
}
