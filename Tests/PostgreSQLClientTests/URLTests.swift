import Foundation
import PostgreSQLClient
import Testing

@Suite("URLs")
struct URLTests {
    private static let own: Set<String> = ["schema", "pool"]

    @Test(arguments: [
        (
            "postgresql://u:pw@h:5433/d?schema=a%20b&sslmode=require", "postgresql://u:pw@h:5433/d?sslmode=require",
            "a b"
        ),
        ("postgresql://h/d?schema=a", "postgresql://h/d", "a"),
        ("postgresql://h/d?sslmode=disable&schema=", "postgresql://h/d?sslmode=disable", ""),
        ("postgres://u:p?w@h/d?schema=x", "postgres://u:p?w@h/d", "x"),
        ("host=h schema='a \\'b' dbname=d", "host=h  dbname=d", "a 'b"),
        ("schema = a", "", "a"),
    ])
    func ownOptionsAreSplitOff(text: String, rest: String, schema: String) throws {
        let url = try PostgreSQLURL(text, options: Self.own)
        #expect(url.options == ["schema": schema])
        #expect(url.connectionString.split(separator: " ") == rest.split(separator: " "))
    }

    @Test
    func thePartsAreWhatLibpqUnderstands() throws {
        let url = try PostgreSQLURL("postgresql://some%20one:pw@[::1]:5433/a%2Fb?sslmode=require")
        #expect(url.user == "some one")
        #expect(url.host == "::1")
        #expect(url.port == "5433")
        #expect(url.database == "a/b")
        #expect(url.parameters["sslmode"] == "require")
        #expect(url.parameters["password"] == nil)
        #expect(try PostgreSQLURL("postgresql:///d?host=%2Ftmp%2Fx").host == "/tmp/x")
        #expect(try PostgreSQLURL("postgresql://%2Ftmp%2Fx/d").host == "/tmp/x")
        let empty = try PostgreSQLURL("postgresql://")
        #expect([empty.user, empty.host, empty.port, empty.database].allSatisfy { $0 == nil })
    }

    @Test(arguments: [
        ("postgresql://u:secret@h:5433/d", "postgresql://u:***@h:5433/d"),
        ("postgresql://u@h/d?password=secret", "postgresql://u:***@?"),
        ("postgresql://h/d?user=u&sslpassword=secret&sslmode=require", "sslmode=require&sslpassword=***"),
        ("host=h user=u password='secret \\'secret' dbname=d", "postgresql://u:***@"),
        ("postgresql://u:sec%20ret@[::1]:1/d?schema=s", "postgresql://u:***@[::1]:1/d?schema=s"),
        ("postgresql://u:secret@h1:1,h2:2/d", "postgresql://u:***@h1:1,h2:2/d"),
        ("postgresql:///d?host=%2Ftmp%2Fx&password=secret", "postgresql://:***@/d?host=%2Ftmp%2Fx"),
    ])
    func theRedactedTextHasNoPassword(text: String, part: String) throws {
        let redacted = try PostgreSQLURL(text, options: Self.own).redacted
        #expect(!redacted.contains("sec"))
        #expect(redacted.contains(part) || part.hasSuffix("?") && redacted.hasPrefix(part.dropLast()), "\(redacted)")
    }

    @Test
    func aRedactedTextIsTheSameDatabase() throws {
        for text in [
            "postgresql://u@h:5433/d?sslmode=require", "postgresql://u@h1:1,h2:2/d%20e", "host=/tmp/x dbname='a b'",
            "postgresql://[::1]:5433/", "postgresql://h",
        ] {
            let url = try PostgreSQLURL(text)
            #expect(try PostgreSQLURL(url.redacted).parameters == url.parameters, "\(url.redacted)")
        }
    }

    @Test(arguments: [
        "postgresql://u:secret@[::1/d", "host=h password='secret", "secret",
        "password=x secret", "postgresql://u:secret%@h/d", "postgresql://u:secret@h/d?schema=%zz", "host=h\0",
        "postgresql://u@h/d?password=secret&x", "mysql://u:secret@h/d", "postgresql://u:x@secret@h/d",
        "postgresql://u:a?b@secret@h/d", "POSTGRES://u:x@secret@h?sslmode=require", "postgresql:/u:secret@h/d",
    ])
    func flawsAreReportedWithoutThePassword(text: String) {
        let found = error { _ = try PostgreSQLURL(text, options: Self.own) }
        #expect(found?.kind == .invalidURL)
        #expect(found.map { "\($0)".contains("secret") } == false)
    }

    @Test
    func anAtInAPasswordIsToldOf() throws {
        let found = error { _ = try PostgreSQLURL("postgresql://u:sec@ret@h/d") }
        #expect(found?.message.contains("An @ in a password is written %40.") == true)
        #expect(try PostgreSQLURL("postgresql://u:sec%40ret@h/d@e?application_name=a@b").database == "d@e")
    }

    @Test(arguments: [
        "postgresql://u:12/3@host/db", "postgresql://u:/3@host/db", "postgresql://u:secret/3@host/db?sslmode=require",
        "POSTGRES://u:12/3/4@[::1]:5/db", "postgresql://u:12/3@h1:1,h2:2/db",
    ])
    func aSlashInAPasswordIsToldOf(text: String) throws {
        for read in [{ _ = try PostgreSQLURL(text) }, { _ = try PostgreSQLURL.urlText(text) }] {
            let found = error(read)
            #expect(found?.kind == .invalidURL)
            #expect(found?.message.contains("A / in a password is written %2F") == true)
            #expect(found.map { "\($0)".contains("12") || "\($0)".contains("secret") } == false)
        }
    }

    @Test(arguments: [
        ("postgresql://h:5/d?application_name=a@b/c", "d"), ("postgresql://[::1]/d@e", "d@e"),
        ("postgresql://h/d@e", "d@e"), ("postgresql://h:5/d%40e", "d@e"), ("postgresql://u:12%2F3@h:5/d@e", "d@e"),
    ])
    func anAtBehindTheHostIsNoPasswordsEnd(text: String, database: String) throws {
        #expect(try PostgreSQLURL(text).database == database)
    }

    @Test
    func theSchemeMayBeInLargeLetters() throws {
        let url = try PostgreSQLURL("POSTGRESQL://u@h/D?schema=S", options: Self.own)
        #expect(url.connectionString == "postgresql://u@h/D" && url.options == ["schema": "S"])
    }

    @Test(arguments: [
        ("postgresql://uml:pä%40ss@h/base", "postgresql://uml:p%C3%A4%40ss@h/base"),
        ("Postgres://h/d?schema=Ünïcode%20x", "postgres://h/d?schema=%C3%9Cn%C3%AFcode%20x"),
        ("postgresql://u:p#w|[x]?y@[::1]:5/b#c d", "postgresql://u:p%23w%7C%5Bx%5D%3Fy@[::1]:5/b%23c%20d"),
        ("postgresql://u:p:w@h1:1,h2:2/d?sslmode=disable", "postgresql://u:p:w@/d?host=h1,h2&port=1,2&sslmode=disable"),
        ("postgresql://[::1]:5,%2Ftmp,h?dbname=d", "postgresql:///?host=::1,%2Ftmp,h&port=5,,&dbname=d"),
        ("postgresql://u@h1,h2", "postgresql://u@/?host=h1,h2&port=,"),
        ("postgresql://h1:1,h2:2/d?host=a,b", "postgresql:///d?host=h1,h2&port=1,2&host=a,b"),
        ("postgresql:///d?user=a@b", "postgresql:///d?user=a@b"),
    ])
    func aURLOfFoundationMeansTheSame(text: String, expected: String) throws {
        let converted = try PostgreSQLURL.urlText(text)
        #expect(converted == expected)
        #expect(URL(string: converted, encodingInvalidCharacters: false)?.absoluteString == converted)
        // libpq may refuse spaces.
        let (url, other) = try (
            PostgreSQLURL(text.replacing(" ", with: "%20"), options: Self.own),
            PostgreSQLURL(converted, options: Self.own)
        )
        #expect(other.parameters == url.parameters && other.options == url.options)
        #expect(other.redacted == url.redacted)
    }

    @Test(arguments: [
        ("postgresql://u@h/d", "postgresql://u@h:5432/d", true), ("postgresql://u@H/d", "host=h user=x dbname=d", true),
        ("postgresql://u@h:5433/d", "postgresql://u@h/d", false), ("postgresql://u@h/d", "postgresql://u@h/e", false),
        ("postgresql://a@h", "postgresql://b@h", false), ("postgresql://a@h", "postgresql://b@h/a", true),
        ("postgresql://u@h1,h2/d", "postgresql://u@h1:5432,h2:5432/d", true),
        ("host=h1,h2 port=7 user=u dbname=d", "postgresql://u@h1:7,h2:7/d", true),
        ("postgresql://u@h1:7,h2/d", "postgresql://u@h1:7,h2:7/d", false),
        ("host=/tmp/A user=u dbname=d", "host=/tmp/a user=u dbname=d", false),
    ])
    func theSameDatabaseIsToldFromOthers(one: String, other: String, isSame: Bool) throws {
        #expect(try (PostgreSQLURL(one).identity == PostgreSQLURL(other).identity) == isSame)
    }

    @Test
    func aWrongOptionIsNamed() {
        let found = error { _ = try PostgreSQLURL("postgresql://h/d?sslmod=require") }
        #expect(found?.message.contains("sslmod") == true)
    }

    @Test(arguments: ["postgresql://u@h/d", "postgresql://u@h/d?sslmode=disable", "host=h dbname=d", "postgresql://h"])
    func theDatabaseCanBeReplaced(text: String) throws {
        let url = try PostgreSQLURL(text)
        let other = try PostgreSQLURL(url.connectionString(database: "a b'c/ü"))
        #expect(other.database == "a b'c/ü")
        #expect(other.host == "h")
        #expect(other.user == url.user)
    }
}
