import CoreData
import Foundation
import Testing

@Suite("coredata update and coredata delete")
struct UpdateAndDeleteTests {
    private let league: LeagueStore

    init() throws {
        league = try LeagueStore(history: true)
        try league.fill(author: "app")
    }

    private func update(_ arguments: String...) throws -> Command {
        try Command(["update", league.path, "Player"] + arguments)
    }

    private func delete(_ entity: String, _ arguments: String...) throws -> Command {
        try Command(["delete", league.path, entity] + arguments)
    }

    /// Runs the command on a pseudo-terminal, with an answer.
    private func onTerminal(_ arguments: String, answering answer: String) throws -> Command {
        let line = "\(Command.executable("coredata").path) \(arguments)"
        let script = "(sleep 1; printf '\(answer)\\n'; sleep 1) | script -qec \"\(line)\" /dev/null"
        return try Command(
            executable: URL(fileURLWithPath: "/bin/bash"), arguments: ["-c", script], environment: ["TERM": "xterm"])
    }

    // MARK: Updating

    @Test("a dry run says how many objects would change, and changes no byte")
    func dryUpdate() throws {
        let before = try league.files()
        let run = try update("--set", "age=41", "--where", "team.name == 'Bulls'", "--dry-run")
        #expect(run.status == 0 && run.output == "Would change 2 objects:\n  Player: 2\n", "\(run.errors)")
        #expect(try league.files() == before)
        let none = try update("--set", "age=41", "--where", "name == 'Nobody'", "--dry-run")
        #expect(none.output == "Would change 0 objects.\n")
    }

    @Test("values of all types are set, in one transaction that the history names")
    func sets() throws {
        let values = [
            "isActive=yes", "height=2.06", "score=0.1", "points=-9007199254740993", "number=33", "salary=0.10",
            "born=1956-12-07T08:00:00.25Z", "photo=aGVsbG8=", "code=8E6C1C4E-7F0A-4B5B-9E51-0B6B1B0B7A55",
            "site=https://example.com/a?b=c", "address.city=French Lick", "age=",
        ]
        let run = try Command(
            ["update", league.path, "Player", "--where", "name == 'Bird'", "--yes"] + values.flatMap { ["--set", $0] })
        #expect(run.status == 0 && run.output == "Changed 1 object:\n  Player: 1\n", "\(run.errors)")
        let columns = "isActive,height,score,points,number,salary,born,photo,code,site,address.city,age"
        let row = try #require(try league.lines("Player", "name," + columns).first)
        #expect(
            row
                == [
                    "Bird", "true", "2.06", "0.1", "-9007199254740993", "33", "0.1", "1956-12-07T08:00:00.250Z",
                    "aGVsbG8=",
                    "8E6C1C4E-7F0A-4B5B-9E51-0B6B1B0B7A55", "https://example.com/a?b=c", "French Lick", "",
                ].joined(separator: "\t"))
        let history = try Command(["history", league.path, "--author", "coredata", "--transactions"])
        #expect(history.output.hasSuffix("\n1 transaction\n"), "\(history.output)")
        #expect(try Command(["check", league.path]).status == 0)
        #expect(try league.files().count == 1)
    }

    @Test("an expression computes from the values of each object")
    func computes() throws {
        let run = try update("--compute", "age=age + 1", "--set", "number=7", "--where", "age == 30", "--yes")
        #expect(run.status == 0 && run.output.hasPrefix("Changed 4 objects"), "\(run.errors)")
        #expect(try league.lines("Player", "age,number").sorted() == ["31\t7", "31\t7", "31\t7", "31\t7", "60\t"])
    }

    @Test("a to-one relationship takes an identifier, or nothing")
    func relationships() throws {
        let bulls = try #require(try league.lines("Team", "id").first)
        let run = try update("--set", "team=\(bulls)", "--where", "name == 'Russell'", "--yes")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try update("--set", "team=", "--where", "name == 'Bird'", "--yes").status == 0)
        #expect(
            try league.lines("Player", "name,team.name") == [
                "Bird\t", "Jordan\tBulls", "Parish\tCeltics", "Pippen\tBulls", "Russell\tBulls",
            ])
        for wrong in ["Team/p99", "Player/p1", "Bulls"] {
            let run = try update("--set", "team=\(wrong)", "--where", "name == 'Bird'", "--yes")
            #expect(run.status == 7 && run.errors.contains("“\(wrong)” is no object of Team"), "\(run.errors)")
        }
    }

    @Test("what does not fit the model is refused in words, and nothing changes", arguments: misfits)
    func misfit(arguments: [String], sentence: String) throws {
        let before = try league.files()
        for flag in ["--yes", "--dry-run"] {
            let run = try Command(["update", league.path, "Player", "--where", "age > 0", flag] + arguments)
            #expect(run.status == 7 && run.errors.contains(sentence), "\(run.status) \(run.errors)")
        }
        let lines = try league.lines("Player", "name,age,number")
        #expect(lines.count == 5 && lines.allSatisfy { $0.hasSuffix("\t30\t") || $0.hasSuffix("\t60\t") })
        #expect(try league.files().keys == before.keys)
    }

    private static let misfits: [([String], String)] = [
        (["--set", "shoes=3"], "has no attribute “shoes”; it has address, age"),
        (["--set", "age=abc"], "age: “abc” is no whole number from -32768 to 32767."),
        (["--set", "age=61"], "age: “61” breaks the rule SELF <= 60."),
        (["--set", "name="], "name: The value is required"),
        (["--set", "age=20", "--set", "age=21"], "“age” is set twice"),
        (["--set", "age"], "--set takes key=value, and not “age”"),
        (["--set", "extras=abc"], "Player.extras can't be set"),
        (["--set", "address=abc"], "Player.address can't be set"),
        (["--set", "contracts=Contract/p1"], "has no attribute “contracts”"),
        (["--compute", "age=shoes + 1"], "shoes"),
        (["--compute", "age=age +"], "age"),
    ]

    @Test("a wrong predicate, entity or option is refused")
    func wrong() throws {
        #expect(try update("--set", "age=20", "--where", "age ==", "--yes").status == 7)
        #expect(try update("--set", "age=20", "--where", "shoes == 3", "--yes").status == 7)
        #expect(try update("--set", "age=20", "--yes").status == 64)
        #expect(try update("--where", "age > 3", "--yes").status == 64)
        #expect(try update("--set", "age=20", "--where", "age > 3", "--yes", "--dry-run").status == 64)
        #expect(try delete("Coach", "--where", "age > 3", "--yes").status == 7)
        #expect(try delete("Player", "--yes").status == 64)
    }

    // MARK: Asking

    @Test("without --yes and without a terminal nothing is done")
    func refused() throws {
        let before = try league.files()
        for run in [try update("--set", "age=20", "--where", "age > 3"), try delete("Player", "--where", "age > 3")] {
            #expect(run.status == 1 && run.errors.contains("--dry-run says what, and --yes does it"), "\(run.errors)")
        }
        #expect(try league.files() == before)
    }

    @Test("on a terminal the command says what would change, and asks")
    func asks() throws {
        let before = try league.files()
        let arguments = "delete \(league.path) Team --where 'name == \\\"Bulls\\\"'"
        let no = try onTerminal(arguments, answering: "n")
        #expect(no.output.contains("This deletes 3 objects"), "\(no.output)")
        #expect(no.output.contains("[y/N]") && no.output.contains("Nothing was changed."), "\(no.output)")
        #expect(try league.files() == before)
        let yes = try onTerminal(arguments, answering: "y")
        #expect(yes.output.contains("Deleted 3 objects"), "\(yes.output)")
        #expect(try league.lines("Team", "name") == ["Celtics"])
    }

    // MARK: Deleting

    @Test("a dry run says by entity what delete rules add, and the deletion does the same")
    func deletes() throws {
        let before = try league.files()
        let dry = try delete("Team", "--where", "name == 'Bulls'", "--dry-run")
        let counts = "3 objects:\n  Team: 1\n  Player: 2, by delete rules\n"
        #expect(dry.status == 0 && dry.output == "Would delete " + counts, "\(dry.errors)")
        #expect(try league.files() == before)
        let run = try delete("Team", "--where", "name == 'Bulls'", "--yes")
        #expect(run.status == 0 && run.output == "Deleted " + counts, "\(run.errors)")
        #expect(try league.lines("Player", "name") == ["Bird", "Parish", "Russell"])
        let history = try Command(["history", league.path, "--author", "coredata", "--format", "tsv"])
        #expect(history.output.components(separatedBy: "\tdeleted\t").count == 4, "\(history.output)")
        #expect(try Command(["check", league.path]).status == 0)
    }

    @Test("a rule that denies the deletion is told, by a dry run, too")
    func denied() throws {
        try league.use { context throws in
            _ = context.insert("Contract", ["player": try #require(try context.object("Player", "Jordan"))])
            try context.save()
        }
        for flag in ["--dry-run", "--yes"] {
            let run = try delete("Player", "--where", "age == 30", flag)
            #expect(run.status != 0 && run.errors.contains("Player.contracts forbids it"), "\(run.errors)")
        }
        #expect(try league.lines("Player", "name").count == 5)
    }

    @Test("a store without history is changed without any, and a uniqueness constraint is kept")
    func withoutHistory() throws {
        let plain = try LeagueStore()
        try plain.fill()
        let twice = try Command(["update", plain.path, "Team", "--set", "name=A", "--where", "name != nil", "--yes"])
        #expect(twice.status == 1 && twice.errors.contains("uniqueness constraint"), "\(twice.errors)")
        let run = try Command([
            "update", plain.path, "Team", "--set", "founded=1946-06-06", "--where", "name != nil", "--yes",
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Command(["history", plain.path]).status == 1)
    }
}
