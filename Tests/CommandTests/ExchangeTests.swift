import Foundation
import Testing

@Suite("coredata model export and draft")
struct ExchangeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var league: String {
        Samples.package.appendingPathComponent("Examples/LeagueManager/League.xcdatamodeld").path
    }

    @Test("a model is written to a file or to standard output", arguments: ["dbml", "mermaid", "sql", "postgresql"])
    func export(language: String) throws {
        let file = folder.url.appendingPathComponent("League.txt")
        let written = try Command(["model", "export", league, "--as", language, "-o", file.path])
        #expect(written.status == 0 && written.output.isEmpty && written.errors.isEmpty, "\(written.errors)")
        let printed = try Command(["model", "export", league, "--as", language])
        #expect(try String(contentsOf: file, encoding: .utf8) == printed.output)
        // Players have the table of their root, persons.
        #expect(printed.output.lowercased().contains("person"))
    }

    @Test("a store's model is exported, and what is none is a failure of its own")
    func sources() throws {
        let store = try Command(["model", "export", Samples.path("objcio-moody/Moody.moody"), "--as", "mermaid"])
        #expect(store.status == 0 && store.output.hasPrefix("erDiagram\n"))
        #expect(try Command(["model", "export", "/nowhere", "--as", "dbml"]).status == 2)
        #expect(try Command(["model", "export", league, "--as", "xml"]).status == 64)
        #expect(try Command(["model", "export", league]).status == 64)
    }

    @Test("a draft is made beside, lints clean and compiles")
    func draft() throws {
        let sources = Samples.package.appendingPathComponent("Tests/ModelExchangeTests/Fixtures/Sources")
        for name in ["Shop.sqlite.sql", "Library.postgresql.sql", "Blog.mysql.sql", "orders.json"] {
            let document = folder.url.appendingPathComponent("\(name).xcdatamodeld")
            let draft = try Command(
                ["model", "draft", sources.appendingPathComponent(name).path, "-o", document.path])
            #expect(draft.status == 0 && draft.errors.isEmpty, "\(draft.errors)")
            #expect(draft.output.split(separator: "\n").last?.contains(" entities, ") == true)
            let lint = try Command(["model", "lint", "--strict", document.path])
            #expect(lint.status == 0 && lint.output.isEmpty, "\(lint.output)")
            let compiled = try Command(
                ["compile", document.path, "-o", folder.url.appendingPathComponent("\(name).momd").path])
            #expect(compiled.status == 0, "\(compiled.errors)")
            let again = try Command(
                ["model", "draft", sources.appendingPathComponent(name).path, "-o", document.path])
            #expect(again.status == 1 && again.errors.contains("is there already"))
        }
    }

    @Test("what no draft can be made of is told")
    func failures() throws {
        #expect(try Command(["model", "draft", "/nowhere.sql"]).status == 2)
        let text = try folder.file("notes.txt", Data("x".utf8))
        #expect(try Command(["model", "draft", text.path]).status == 5)
        let store = try Command(["model", "draft", Samples.path("objcio-moody/Moody.moody")])
        #expect(store.status == 1 && store.errors.contains("is a store of Core Data"), "\(store.errors)")
        #expect(try Command(["model", "draft", text.path, "-o", "X.xcdatamodel"]).status == 64)
        let odd = try Command(["studio", "Shop.xcdatamodeld", "--from", text.path])
        #expect(odd.status == 64)
    }
}
