import CoreData
import Foundation
import Testing

@Suite("coredata import")
struct ImportTests {
    private let league: LeagueStore

    init() throws { league = try LeagueStore(history: true) }

    /// Imports a text as a file of that name.
    private func run(
        _ text: String, as name: String = "Rows.csv", entity: String = "Player", _ arguments: String...
    ) throws -> Command {
        let folder = try TemporaryFolder()
        let file = try folder.file(name, Data(text.utf8))
        return try Command(["import", league.path, file.path, "--entity", entity] + arguments)
    }

    private static let header = "name,age,isActive,height,score,points,number,salary,born,photo,code,site,address.city"
    private static let row = [
        "Bird", "31", "true", "2.06", "0.5", "-9007199254740993", "33", "1250000.125",
        "1956-12-07T08:00:00.250Z", "aGVsbG8=", "8E6C1C4E-7F0A-4B5B-9E51-0B6B1B0B7A55", "https://example.com/a?b=c",
        "French Lick",
    ]

    @Test("values of all types are what query and export print of them")
    func types() throws {
        let run = try run(Self.header + "\n" + Self.row.joined(separator: ",") + "\n")
        #expect(
            run.status == 0 && run.output == "Inserted 1 object of Player.\n" && run.errors.isEmpty, "\(run.errors)")
        #expect(try league.lines("Player", Self.header) == [Self.row.joined(separator: "\t")])
        #expect(try Command(["check", league.path]).status == 0)
        #expect(try league.files().count == 1)
        let history = try Command(["history", league.path, "--author", "coredata", "--transactions"])
        #expect(history.output.hasSuffix("\n1 transaction\n"), "\(history.output)")
    }

    @Test("CSV with a byte order mark, CRLF, quotes, line breaks and blank lines is read as RFC 4180 has it")
    func rfc4180() throws {
        let text =
            "\u{FEFF}name,\"address.city\",number\r\n\"Bird, \"\"Larry\"\"\",\"French\r\nLick\",1\r\n\r\n"
            + "5\" Webb,\" a \",2\nÅngström,,3"
        #expect(try run(text).output == "Inserted 3 objects of Player.\n")
        #expect(
            try league.lines("Player", "name,address.city", sort: "number") == [
                "Bird, \"Larry\"\tFrench\\r\\nLick", "5\" Webb\t a ", "Ångström\t",
            ])
    }

    @Test("an empty field is the default or nil, and an empty text in quotes is a text")
    func emptyFields() throws {
        #expect(try run("name,age,number,address.city\n\"\",,,\"\"\nB,17,3,\n").status == 0)
        let lines = try Command(
            [
                "query", league.path, "Player", "--columns", "name,age,number,address.city", "--sort", "name",
                "--format", "jsonl",
            ])
        #expect(
            lines.output == """
                {"address.city":"","age":20,"name":"","number":null}
                {"address.city":null,"age":17,"name":"B","number":3}

                """)
    }

    @Test("an error names line and column, and nothing is imported", arguments: errors)
    func error(text: String, sentence: String) throws {
        let run = try run(text)
        #expect(run.status == 1 && run.errors.contains(sentence), "\(run.status) \(run.errors)")
        #expect(run.errors.hasSuffix("Nothing was imported.\n"), "\(run.errors)")
        #expect(try league.lines("Player", "name").isEmpty)
    }

    private static let errors: [(String, String)] = [
        ("name,age\nA,20\n\nB,x\n", "Rows.csv, line 4, column “age”: “x” is no whole number from -32768 to 32767."),
        ("name,age\n\"A\nB\",20\nB,40000\n", "line 4, column “age”: “40000” is no whole number"),
        ("name,age\nA,20\nB,15\n", "line 3, column “age”: “15” breaks the rule SELF >= 16."),
        ("name,age\nA,20\n,15\n", "line 3, column “name”: The value is required"),
        ("age\n20\n", "line 2: Player requires a value for “name”"),
        ("name,age\nA,20\nB\n", "line 3: There are 1 fields, and the header has 2."),
        ("name,age\nA,20\nB,\"20\n", "line 3: The quote that begins field 2 has no end."),
        ("name,age\nA,\"20\"x\n", "line 2: Behind the quote that ends field 2"),
        ("name,born\nA,2026-02-29\n", "line 2, column “born”: “2026-02-29” is no ISO 8601 date"),
        ("name,isActive\nA,maybe\n", "“maybe” is no Boolean"),
        ("name,height\nA,1e999\n", "“1e999” is no number"),
        ("name,height\nA,nan\n", "“nan” is no number"),
        ("name,salary\nA,1234567890123456789012345678901234567890\n", "is no decimal number of 38 digits at most"),
        ("name,photo\nA,%%\n", "“%%” is no base64"),
        ("name,code\nA,12\n", "“12” is no UUID"),
    ]

    @Test("a column that fits no attribute is refused before anything is done", arguments: misfits)
    func misfit(text: String, arguments: [String], sentence: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("Rows.csv", Data(text.utf8))
        let run = try Command(["import", league.path, file.path, "--entity", "Player"] + arguments)
        #expect(run.status == 7 && run.errors.contains(sentence), "\(run.status) \(run.errors)")
        #expect(try league.lines("Player", "name").isEmpty)
    }

    private static let misfits: [(String, [String], String)] = [
        ("name,shoes\nA,3\n", [], "the column “shoes”, which is no attribute of Player. --map 'shoes=KEY'"),
        ("name,extras\nA,3\n", [], "Player.extras can't be set"),
        ("name,team\nA,3\n", [], "the column “team”, which is no attribute"),
        ("name,shoes\nA,3\n", ["--map", "shoes=feet"], "has no attribute “feet”"),
        ("name,shoes\nA,3\n", ["--map", "hat=age,shoes="], "has no column “hat”, which --map names"),
        ("name,shoes\nA,3\n", ["--map", "shoes=name"], "“name” and “shoes” of Rows.csv are both for “name”"),
        ("name\nA\n", ["--map", "name"], "--map takes column=key"),
        ("name\nA\n", ["--key", "name"], "no uniqueness constraint of name"),
    ]

    @Test("--map names attributes, and leaves columns out")
    func maps() throws {
        let run = try run(
            "Last name,Years,Remark\nBird,31,tall\n", "--map", "Last name=name,Years=age", "--map", "Remark=")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try league.lines("Player", "name,age") == ["Bird\t31"])
    }

    // MARK: Keys

    @Test("--key inserts or updates: the file's columns get its values, others stay")
    func key() throws {
        let first = try run(
            "name,founded,budget\nCeltics,1946-06-06,1\nBulls,1966-01-16,\n", entity: "Team", "--key", "name")
        #expect(first.output == "Inserted 2 objects of Team, and updated 0.\n", "\(first.errors)")
        let second = try run("name,budget\nCeltics,2\nLakers,3\nBulls,\n", entity: "Team", "--key", "name")
        #expect(second.output == "Inserted 1 object of Team, and updated 2.\n", "\(second.errors)")
        #expect(
            try league.lines("Team", "name,founded,budget") == [
                "Bulls\t1966-01-16T00:00:00.000Z\t10.5", "Celtics\t1946-06-06T00:00:00.000Z\t2", "Lakers\t\t3",
            ])
        let changes = try Command(["history", league.path, "--since", "1", "--format", "tsv"]).output
        #expect(changes.contains("\tupdated\tTeam/p1\t") && changes.contains("\tinserted\tTeam/p"), "\(changes)")
    }

    @Test("without --key a value that is there already is an error with its line")
    func constraint() throws {
        #expect(try run("name\nCeltics\n", entity: "Team").status == 0)
        let run = try run("name\nBulls\nCeltics\n", entity: "Team")
        #expect(run.status == 1 && run.errors.contains("Rows.csv, line 3: "), "\(run.errors)")
        #expect(
            run.errors.contains("the same name") && run.errors.hasSuffix("Nothing was imported.\n"), "\(run.errors)")
        #expect(try league.lines("Team", "name") == ["Celtics"])
        let missing = try self.run("founded\n1946-06-06\n", entity: "Team", "--key", "name")
        #expect(missing.status == 7 && missing.errors.contains("no column for “name”, which --key names"))
        let null = try self.run("name,founded\n,1946-06-06\n", entity: "Team", "--key", "name")
        #expect(null.status == 1 && null.errors.contains("A value of --key can't be empty"), "\(null.errors)")
    }

    // MARK: Transactions

    @Test("--batch keeps what came before an error, and --skip goes on behind it")
    func batches() throws {
        var rows = (1...10).map { "P\($0),20" }
        rows[7] = "P8,x"
        let run = try run("name,age\n" + rows.joined(separator: "\n"), "--batch", "3")
        #expect(run.status == 1 && run.errors.contains("line 9, column “age”"), "\(run.errors)")
        #expect(run.errors.contains("The first 6 rows are imported: mend the file, and go on with --skip 6."))
        #expect(try league.lines("Player", "name").count == 6)
        rows[7] = "P8,20"
        let rest = try self.run("name,age\n" + rows.joined(separator: "\n"), "--batch", "3", "--skip", "6")
        #expect(rest.output == "Inserted 4 objects of Player.\n", "\(rest.errors)")
        #expect(try Set(league.lines("Player", "name")) == Set((1...10).map { "P\($0)" }))
        let transactions = try Command(["history", league.path, "--transactions"]).output
        #expect(transactions.hasSuffix("\n4 transactions\n"), "\(transactions)")
    }

    @Test("a dry run says what would be imported, and changes no byte")
    func dryRun() throws {
        try league.fill()
        let before = try league.files()
        let run = try run("name,budget\nBulls,3\nLakers,4\n", entity: "Team", "--key", "name", "--dry-run")
        #expect(run.output == "Would insert 1 object of Team, and update 1.\n", "\(run.errors)")
        #expect(try self.run("name\n\n,\n", "--dry-run").status == 1)
        #expect(try league.files() == before)
    }

    // MARK: JSON lines

    @Test("JSON lines: nested objects, escapes, lines with other members, null")
    func json() throws {
        let text = """
            {"name": "Bird \\"L\\" \\u00e9\\ud83c\\udfc0", "age": 31, "address": {"city": "French\\nLick", "zip": 47432}}

            {"age":32,"name":"Parish","isActive":true,"height":2.13,"salary":"0.10","born":"1953-08-30"}
            { "name" : "McHale" , "height" : null , "isActive" : 0 , "tags" : [1, {"a": [2]}] }
            """
        let run = try run(text, as: "Rows.jsonl", "--map", "tags=")
        #expect(run.status == 0 && run.output == "Inserted 3 objects of Player.\n", "\(run.errors)")
        #expect(
            try league.lines("Player", "name,age,address.city,address.zip,isActive,height,salary,born") == [
                "Bird \"L\" é🏀\t31\tFrench\\nLick\t47432\t\t\t\t", "McHale\t20\t\t\tfalse\t\t\t",
                "Parish\t32\t\t\ttrue\t2.13\t0.1\t1953-08-30T00:00:00.000Z",
            ])
    }

    @Test("a line of JSON that is malformed, or has values of other types, is named", arguments: jsonErrors)
    func jsonError(line: String, sentence: String) throws {
        let run = try run("{\"name\": \"A\"}\n\(line)\n", as: "Rows.jsonl")
        #expect([1, 7].contains(run.status) && run.errors.contains(sentence), "\(run.status) \(run.errors)")
        #expect(run.errors.hasSuffix("Nothing was imported.\n"), "\(run.errors)")
        #expect(try league.lines("Player", "name").isEmpty)
    }

    private static let jsonErrors: [(String, String)] = [
        ("[1]", "Rows.jsonl, line 2: The line is no object of JSON, at byte 1."),
        ("{\"name\": \"B\"", "line 2: The end of an object is missing, at byte 13."),
        ("{\"name\": \"B}", "line 2: The end of a text is missing"),
        ("{\"name\" \"B\"}", "line 2: A colon is missing"),
        ("{\"name\": }", "line 2: A value is missing"),
        ("{\"name\": nul}", "line 2: A value is missing"),
        ("{\"name\": \"B\"} x", "line 2: Something follows the object"),
        ("{\"name\": \"\\x\"}", "line 2: An escape is malformed"),
        ("{name: 1}", "line 2: A key is missing"),
        ("{\"name\": \"B\", \"age\": \"x\"}", "line 2, column “age”: “x” is no whole number"),
        ("{\"name\": 5}", "line 2, column “name”: 5 is no UTF-8 text."),
        ("{\"name\": \"B\", \"age\": true}", "line 2, column “age”: true is no whole number"),
        ("{\"name\": \"B\", \"age\": [20]}", "line 2, column “age”: an array is no whole number"),
        ("{\"name\": \"B\", \"age\": 20, \"age\": 21}", "line 2, column “age”: The line has another value for it."),
        ("{\"name\": \"B\", \"shoes\": 3}", "Line 2 of Rows.jsonl has the column “shoes”"),
        ("{\"age\": 20}", "line 2: Player requires a value for “name”"),
    ]

    @Test("standard input is read where the format is given")
    func standardInput() throws {
        let line =
            "printf 'name\\nBird\\n' | \(Command.executable("coredata").path) import \(league.path) - --entity Player"
        let bash = URL(fileURLWithPath: "/bin/bash")
        #expect(try Command(executable: bash, arguments: ["-c", line]).status == 64)
        let run = try Command(executable: bash, arguments: ["-c", line + " --format csv"])
        #expect(run.output == "Inserted 1 object of Player.\n", "\(run.errors)")
    }

    @Test("files that are missing or empty, and wrong options, are refused")
    func wrong() throws {
        #expect(try Command(["import", league.path, "/nowhere.csv", "--entity", "Player"]).status == 2)
        #expect(try Command(["import", "/nowhere.sqlite", "/nowhere.csv", "--entity", "Player"]).status == 2)
        #expect(try run("").status == 1)
        #expect(try run("name\nA\n", as: "Rows.txt").status == 64)
        #expect(try run("name\nA\n", "--batch", "0").status == 64)
        #expect(try run("name\nA\n", "--skip", "-1").status == 64)
        #expect(try run("name\nA\n", entity: "Coach").status == 7)
        #expect(try run("name\n").output == "Inserted 0 objects of Player.\n")
    }
}
