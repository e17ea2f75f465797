import Foundation
import StoreBrowsing
import Testing

@Suite("What an argument names: a file or a database")
struct StorePlaceTests {
    @Test(
        "a URL of a database is taken as PostgreSQL's own programs take it",
        arguments: [
            (
                "postgresql://u:pw@h:1/d?schema=s", "postgresql://u:pw@h:1/d?schema=s",
                "postgresql://u:***@h:1/d?schema=s"
            ),
            ("POSTGRESQL://u:pw@h/d", "postgresql://u:pw@h/d", "postgresql://u:***@h/d"),
            ("postgresql://u:pä%40ss@h/d", "postgresql://u:p%C3%A4%40ss@h/d", "postgresql://u:***@h/d"),
            (
                "postgresql://h/d?schema=Ünïcode%20x", "postgresql://h/d?schema=%C3%9Cn%C3%AFcode%20x",
                "postgresql://h/d?schema=%C3%9Cn%C3%AFcode%20x"
            ),
            (
                "postgresql://u:pw@h1:1,h2:2/d", "postgresql://u:pw@/d?host=h1,h2&port=1,2",
                "postgresql://u:***@h1:1,h2:2/d"
            ),
        ])
    func databases(argument: String, url: String, name: String) throws {
        let place = try StorePlace(argument)
        #expect(place.url.absoluteString == url && place.name == name)
        #expect(StorePlace.isDatabase(argument))
    }

    @Test("what messages call a database is an argument for the same database")
    func names() throws {
        for argument in ["postgresql://u@/d?host=h1,h2&port=1,2", "postgresql:///d%40e?host=%2Ftmp,h2&port=1,2"] {
            let place = try StorePlace(argument)
            #expect(try StorePlace(place.name).name == place.name)
        }
    }

    @Test("a path is a path, whatever stands in it")
    func paths() throws {
        for argument in ["/tmp/postgresql:/a.sqlite", "./postgresql:a", "postgresql", "mysql:a", "a@b.sqlite", "ä %20"]
        {
            guard case .file = try StorePlace(argument) else {
                Issue.record("\(argument) is taken for a database")
                continue
            }
        }
    }

    @Test(
        "a URL with a flaw is refused in a sentence without the password",
        arguments: [
            ("postgresql:/app:S3cret@h/d", "with two slashes"), ("Postgres:app:S3cret@h/d", "with two slashes"),
            ("postgresql://app:x@S3cret@h/d", "An @ in a password is written %40."),
            ("postgresql://app:S3cret/x@h/d", "A / in a password is written %2F."),
            ("postgresql://app:12/S3cret@h/d", "A / in a password is written %2F."),
            ("postgresql://app:S3cret@h:port/d", "The host or the port"),
        ])
    func flaws(argument: String, sentence: String) throws {
        let failure = try #require(throws: ToolFailure.self) { _ = try StorePlace(argument) }
        #expect(failure.message.contains(sentence), "\(failure.message)")
        #expect(!failure.message.contains("S3cret"), "\(failure.message)")
        let run = try Command(["inspect", argument])
        #expect(run.status == 1)
        #expect(run.errors.contains(sentence) && !(run.errors + run.output).contains("S3cret"), "\(run.errors)")
    }
}
