import Foundation
import Testing

@Suite("Rows: aggregates, formats and files")
struct RowTests {
    private static let moody = Samples.path("objcio-moody/Moody_3.moody")
    /// A text with an escape sequence, a C1 control, a bidirectional mark, and what TSV and Markdown have to escape.
    private static let evil = "a\u{1B}[31m\u{9B}\u{202E}|\\\tb\nc"

    private static func evilStore() throws -> StoreCopy {
        try StoreCopy(
            "objcio-moody/Moody_3.moody",
            sql:
                "UPDATE ZMOOD SET ZCREATORID = 'a' || char(27, 91) || '31m' || char(155, 8238) || '|\\' || char(9) || 'b' "
                + "|| char(10) || 'c' WHERE Z_PK = 1")
    }

    @Test("--count tells the number of objects that the predicate is true for, and --limit bounds it")
    func count() throws {
        #expect(try Command(["query", Self.moody, "Mood", "--count"]).output == "count\n─────\n    4\n")
        let few = [
            "query", Self.moody, "Mood", "--count", "--where", "country.numericISO3166Code == 710", "--format", "tsv",
        ]
        #expect(try Command(few).output == "count\n2\n")
        #expect(try Command(["query", Self.moody, "Mood", "--count", "--limit", "3"]).output.contains("    3\n"))
    }

    @Test("--group-by has a row for each group, with aggregates, sorted by what is shown")
    func groups() throws {
        let run = try Command([
            "query", Self.moody, "GeographicRegion", "--group-by", "uniquenessDummy", "--columns",
            "@count,@sum.numberOfMoods,@avg.numberOfMoods,@min.numericISO3166Code,@max.updatedAt", "--format", "jsonl",
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output
                == #"{"@avg.numberOfMoods":4.0,"@count":5,"@max.updatedAt":"2015-09-28T11:15:37.393Z","#
                + #""@min.numericISO3166Code":231,"@sum.numberOfMoods":20,"uniquenessDummy":0}"# + "\n")
        let byCountry = try Command([
            "query", Self.moody, "Mood", "--group-by", "country", "--count", "--sort", "-@count,country", "--limit",
            "2",
            "--format", "csv", "--exact",
        ])
        #expect(byCountry.output == "country,@count\r\nCountry/p2,2\r\nCountry/p1,1\r\n")
    }

    @Test("export --limit prints the first objects, by entity and key, in every format")
    func exportLimit() throws {
        let lines = { (text: String) in text.split(whereSeparator: \.isNewline).map(String.init) }
        let all = try lines(Command(["export", Self.moody]).output)
        #expect(all.count == 9)
        for limit in 1...10 {
            let run = try Command(["export", Self.moody, "--limit", "\(limit)"])
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(lines(run.output) == Array(all.prefix(limit)))
        }
        for format in ["csv", "tsv", "markdown", "table"] {
            let arguments = ["export", Self.moody, "--format", format]
            let (whole, part) = try (Command(arguments).output, Command(arguments + ["--limit", "4"]).output)
            let identifiers = { (text: String) in
                lines(text).compactMap { $0.firstMatch(of: /[A-Z][a-z]+\/p[0-9]+/).map { String($0.output) } }
            }
            #expect(identifiers(part) == Array(identifiers(whole).prefix(4)), "\(format): \(part)")
        }
        let json = try Command(["export", Self.moody, "--format", "json", "--limit", "4"]).output
        #expect(json == "[\n" + all.prefix(4).joined(separator: ",\n") + "\n]\n")
        let folder = try TemporaryFolder()
        let database = folder.url.appendingPathComponent("rows.sqlite").path
        let run = try Command(["export", Self.moody, "--limit", "4", "--format", "sqlite", "--output", database])
        #expect(run.status == 0, "\(run.errors)")
        let count = try Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"),
            arguments: ["sqlite3", database, "SELECT count(*) FROM objects"])
        #expect(count.output == "4\n")
    }

    @Test("export --limit counts the objects of --entity, --where and --deleted")
    func exportLimitOfFew() throws {
        let moods = ["export", Self.moody, "--entity", "Mood"]
        let identifiers = { (run: Command) in try ExportedObject.all(run.output).keys.sorted() }
        #expect(try identifiers(Command(moods + ["--limit", "2"])) == ["Mood/p1", "Mood/p2"])
        let southAfrican = moods + ["--where", "country.numericISO3166Code == 710"]
        #expect(try identifiers(Command(southAfrican)) == ["Mood/p2", "Mood/p4"])
        #expect(try identifiers(Command(southAfrican + ["--limit", "1"])) == ["Mood/p2"])
        #expect(try identifiers(Command(southAfrican + ["--limit", "5"])) == ["Mood/p2", "Mood/p4"])
        let copy = try StoreCopy(
            "cartkit-swiftdata/CartKitSwiftData_v1.sqlite",
            sql: """
                UPDATE ACHANGE SET ZCHANGETYPE = 2; INSERT INTO ACHANGE (Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, \
                ZTRANSACTIONID) SELECT Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, 8, ZTRANSACTIONID FROM ACHANGE
                """)
        let deletions = try Command(["export", copy.path, "--deleted"]).output.split(separator: "\n")
        #expect(deletions.count == 2)
        let few = try Command(["export", copy.path, "--deleted", "--limit", "1"])
        #expect(few.output.split(separator: "\n") == Array(deletions.prefix(1)))
    }

    @Test("inspect --counts-only prints a line for each entity, in the order of the model")
    func countsOnly() throws {
        let run = try Command(["inspect", Self.moody, "--counts-only"])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.output == "Continent\t2\nCountry\t3\nMood\t4\n")
        let folder = try TemporaryFolder()
        let document = folder.url.appendingPathComponent("Moody.xcdatamodel")
        try FileManager.default.createDirectory(at: document, withIntermediateDirectories: true)
        let xml = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Mood"/><entity name="Continent"/><entity name="Planet"/><entity name="Country"/>
            </model>
            """
        try Data(xml.utf8).write(to: document.appendingPathComponent("contents"))
        let given = try Command(["inspect", Self.moody, "--counts-only", "--model", document.path])
        #expect(given.output == "Mood\t4\nContinent\t2\nPlanet\t0\nCountry\t3\n")
    }

    @Test("--distinct shows equal rows once, and with --count their number")
    func distinct() throws {
        let arguments = ["query", Self.moody, "Mood", "--columns", "country", "--sort", "country.numericISO3166Code"]
        let run = try Command(arguments + ["--distinct", "--format", "tsv"])
        #expect(run.output == "country\nCountry/p1\nCountry/p3\nCountry/p2\n")
        #expect(try Command(arguments + ["--distinct", "--count", "--format", "tsv"]).output == "count\n3\n")
    }

    @Test(
        "a wrong key, aggregate or column ends with 7 and lists the right ones",
        arguments: [
            (["--columns", "nme"], "it has colors, continent, country, creatorID, date"),
            (["--sort", "country.nme"], "Country has no property “nme”; it has continent, markedForDeletionDate"),
            (["--group-by", "country", "--columns", "date"], "@count, @sum, @avg, @min, @max"),
            (["--group-by", "country", "--columns", "@sum.date"], "needs numbers"),
            (["--group-by", "country", "--count", "--sort", "date"], "these are country, @count"),
        ])
    func wrongKeys(options: [String], told: String) throws {
        let run = try Command(["query", Self.moody, "Mood"] + options)
        #expect(run.status == 7 && run.output.isEmpty)
        #expect(run.errors.contains(told), "\(run.errors)")
    }

    @Test("no format for a terminal lets through what commands it or turns the order of a line")
    func harmless() throws {
        let store = try Self.evilStore()
        let arguments = ["query", store.path, "Mood", "--where", "creatorID BEGINSWITH 'a'", "--columns", "creatorID"]
        let expected: [(String, String)] = [
            ("table", "a\u{FFFD}[31m\u{FFFD}\u{FFFD}|\\ b⏎c\n"),
            ("markdown", "| creatorID |\n| --- |\n| a\u{FFFD}\\[31m\u{FFFD}\u{FFFD}\\|\\\\ b⏎c |\n"),
            ("tsv", "creatorID\na\\u001b[31m\\u009b\\u202e|\\\\\\tb\\nc\n"),
            ("csv", "\"a\u{FFFD}[31m\u{FFFD}\u{FFFD}|\\\tb\nc\"\r\n"),
            ("json", "[\n{\"creatorID\":\"a\\u001b[31m\\u009b\\u202e|\\\\\\tb\\nc\"}\n]\n"),
            ("jsonl", "{\"creatorID\":\"a\\u001b[31m\\u009b\\u202e|\\\\\\tb\\nc\"}\n"),
        ]
        for (format, text) in expected {
            let run = try Command(arguments + ["--format", format])
            #expect(run.status == 0 && run.output.contains(text), "\(format): \(run.output.debugDescription)")
        }
        #expect(try Command(arguments + ["--format", "csv", "--exact"]).output.contains(Self.evil))
        let wrong = try Command(["query", store.path, "Mo\u{1B}[31mod\u{202E}"])
        #expect(!wrong.errors.contains("\u{1B}") && !wrong.errors.contains("\u{202E}") && wrong.status == 7)
    }

    @Test("--output writes a file once it is complete, and none beside the store or after a failure")
    func output() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("moods.tsv").path
        let arguments = ["query", Self.moody, "Mood", "--columns", "id", "--sort", "date", "--format", "tsv"]
        let run = try Command(arguments + ["--output", file])
        #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == Command(arguments).output)
        let failed = try Command(["query", Self.moody, "Mood", "--columns", "nme", "-o", file + "2"])
        #expect(failed.status == 7)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["moods.tsv"])
        let copy = try StoreCopy("objcio-moody/Moody_3.moody")
        let beside = try Command(["export", copy.path, "-o", copy.folder.url.path + "/x.jsonl"])
        #expect(beside.status == 1 && beside.errors.contains("the store's own folder"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: copy.folder.url.path) == ["Copy.sqlite"])
    }

    @Test("--format sqlite makes a table with numbers as numbers and every text as it is")
    func database() throws {
        let (folder, store) = (try TemporaryFolder(), try Self.evilStore())
        let file = folder.url.appendingPathComponent("moods.sqlite").path
        let run = try Command(["export", store.path, "--entity", "Mood", "--format", "sqlite", "--output", file])
        #expect(run.status == 0, "\(run.errors)")
        let read = try Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"),
            arguments: [
                "sqlite3", file,
                "SELECT count(*), typeof(rating), typeof(country), typeof(markedForDeletionDate) FROM Mood; "
                    + "SELECT hex(creatorID) FROM Mood WHERE id = 'Mood/p1'",
            ])
        let hexadecimal = Self.evil.utf8.map { String(format: "%02X", $0) }.joined()
        #expect(read.output == "4|integer|text|null\n\(hexadecimal)\n")
        let bare = try Command(["export", store.path, "--format", "sqlite"])
        #expect(bare.status == 64 && bare.errors.contains("--output"))
    }

    @Test(
        "every command that prints rows takes the same formats",
        arguments: [
            ["inspect"], ["inspect", "--deleted"], ["export"], ["export", "--deleted"], ["check"], ["query", "Mood"],
        ], ["table", "markdown", "tsv", "csv", "json", "jsonl"])
    func formats(command: [String], format: String) throws {
        let run = try Command([command[0], Self.moody] + command.dropFirst() + ["--format", format])
        #expect(run.status == 0, "\(run.errors)")
        switch format {
        case "json": _ = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [Any])
        case "markdown": #expect(run.output.split(separator: "\n").allSatisfy { $0.hasPrefix("| ") })
        case "jsonl":
            for line in run.output.split(separator: "\n") {
                _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
            }
        default: #expect(!run.output.isEmpty)
        }
    }

    @Test("a table fits the terminal: its widest columns are cut", arguments: [60, 90])
    func terminal(width: Int) throws {
        let command = Command.executable("coredata").path
        let run = try Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"),
            arguments: ["python3", "-c", Self.pseudoTerminal, "\(width)", command, "query", Self.moody, "Country"])
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.output.replacing("\r\n", with: "\n").split(separator: "\n")
        #expect(lines.count == 6 && lines.allSatisfy { $0.count <= width }, "\(run.output)")
        #expect(run.output.contains("…"))
    }

    /// Runs a command in a pseudo-terminal of that many columns and prints what it shows.
    private static let pseudoTerminal = """
        import fcntl, os, pty, struct, sys, termios
        main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
        child = os.fork()
        if child == 0:
            os.close(main)
            os.login_tty(side)
            os.execv(sys.argv[2], sys.argv[2:])
        os.close(side)
        try:
            while data := os.read(main, 65536):
                sys.stdout.buffer.write(data)
        except OSError:
            pass
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """

    @Test(
        "a view in a table's place ends every command that reads objects alike, without any output",
        arguments: [["export"], ["export", "--entity", "Mood"], ["query", "Mood"], ["tree", "Mood/p1"]])
    func view(command: [String]) throws {
        let store = try StoreCopy(
            "objcio-moody/Moody_3.moody",
            sql: "ALTER TABLE ZMOOD RENAME TO ZREAL; CREATE VIEW ZMOOD AS SELECT * FROM ZREAL")
        let run = try Command([command[0], store.path] + command.dropFirst())
        #expect(run.status == 4 && run.output.isEmpty)
        #expect(run.errors.hasSuffix("Where an entity's table should be, there is a view: ZMOOD.\n"))
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }
}
