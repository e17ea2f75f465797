import CoreData
import Foundation
import ModelDocument
import ModelLint
import StoreBrowsing
import Testing

@testable import ModelExchange

@Suite("Drafts of models")
struct DraftTests {
    private func draft(_ name: String) throws -> ModelDraft {
        let url = ExchangeSamples.fixtures.appendingPathComponent("Sources/\(name)")
        let source = try DraftSource.source(Data(contentsOf: url), named: name)
        return try source.draft(named: name)
    }

    /// A listing that one can read: what the draft says of entities and properties, and its notes.
    static func listing(_ draft: ModelDraft) -> String {
        var lines: [String] = []
        for entity in draft.model.entities {
            let info = entity.userInfo?.entries.map { "\($0.key)=\($0.value.string ?? "?")" } ?? []
            lines.append(([entity.name] + info).joined(separator: " "))
            for attribute in entity.attributes {
                var parts = ["  \(attribute.name)\(attribute.isOptional ? "?" : ""): \(attribute.type.documentName)"]
                if let value = attribute.defaultValueString { parts.append("default “\(value)”") }
                if let value = attribute.minValueString { parts.append("min \(value)") }
                if let value = attribute.maxValueString { parts.append("max \(value)") }
                if let value = attribute.regularExpressionString { parts.append("pattern \(value)") }
                parts += attribute.userInfo?.entries.map { "\($0.key)=\($0.value.string ?? "?")" } ?? []
                lines.append(parts.joined(separator: " "))
            }
            for relationship in entity.relationships {
                let many = relationship.isToMany ? "[]" : relationship.isOptional ? "?" : ""
                let info = relationship.userInfo?.entries.map { " \($0.key)=\($0.value.string ?? "?")" }.joined() ?? ""
                lines.append(
                    "  \(relationship.name): \(relationship.destinationName ?? "")\(many) inverse \(relationship.inverseName ?? "-") \(relationship.deleteRule)\(info)"
                )
            }
            for tuple in entity.uniquenessConstraints {
                lines.append("  unique \(tuple.names.joined(separator: ", "))")
            }
            for index in entity.fetchIndexes {
                let elements = index.elements.map { ($0.propertyName ?? "") + ($0.isAscending ? "" : " descending") }
                lines.append("  index \(index.name): \(elements.joined(separator: ", "))")
            }
        }
        return (lines + [""] + draft.notes).joined(separator: "\n") + "\n"
    }

    private func expectClean(_ model: Model, _ location: SourceLocation = #_sourceLocation) throws {
        let findings = ModelLint.diagnostics(of: model)
        #expect(findings.isEmpty, "\(findings.map(\.description))", sourceLocation: location)
        // The document is read as it was written, and compiled.
        let written = ModelDraft(model: model, notes: []).document(named: "D").versions[0].model
        let read = try Model(contents: written.contents())
        #expect(read.entities == written.entities, sourceLocation: location)
        _ = try NSManagedObjectModel(document: read.plain)
    }

    @Test(
        "the drafts are as they were looked at",
        arguments: ["Shop.sqlite.sql", "Library.postgresql.sql", "Blog.mysql.sql", "orders.json"])
    func expected(name: String) throws {
        let draft = try draft(name)
        let text = Self.listing(draft)
        let file = "Expected/\(name).txt"
        if ProcessInfo.processInfo.environment["COREDATA_RECORD"] == "1" {
            try Data(text.utf8).write(to: ExchangeSamples.fixtures.appendingPathComponent(file))
        }
        #expect(try text == ExchangeSamples.fixture(file))
        try expectClean(draft.model)
    }

    @Test("a database in SQLite gives the draft of its script")
    func database() throws {
        let file = try SQLiteFile()
        try file.run(ExchangeSamples.fixture("Sources/Shop.sqlite.sql"))
        let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
        let (draft, name) = try DraftSource.draft(file.path)
        #expect(name == "Tables")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == before)
        #expect(draft.model.entities == (try self.draft("Shop.sqlite.sql")).model.entities)
        #expect(draft.notes.contains("active_customers is a view, and was left out."))
        #expect(draft.notes.contains("stamp is a trigger, and was left out."))
        #expect(draft.notes.contains { $0.contains("the check (rating BETWEEN 0 AND 5)") })
        try expectClean(draft.model)
    }

    @Test("scripts of SQL Server end statements by GO; a missing semicolon is told")
    func otherEnds() throws {
        let text = """
            CREATE TABLE [dbo].[Order Details] ([OrderID] [int] NOT NULL, [Discount] [real] DEFAULT ((0)),
                CONSTRAINT [PK] PRIMARY KEY CLUSTERED ([OrderID] ASC))
            GO
            CREATE TABLE a (go INT PRIMARY KEY, name NVARCHAR(20))
            CREATE TABLE b (id INT PRIMARY KEY)
            """
        let draft = try DraftSource.sql(text).draft(named: "a.sql")
        #expect(draft.model.entities.map(\.name) == ["OrderDetail", "A"])
        #expect(draft.model[entity: "OrderDetail"]?[attribute: "discount"]?.defaultValueString == "0")
        #expect(draft.notes.contains { $0.hasPrefix("Behind a a semicolon is missing") })
    }

    @Test("what can't be a draft is told with its line")
    func failures() throws {
        for (name, text, sentence) in [
            ("a.sql", "SELECT 1;", "no CREATE TABLE"), ("a.sql", "CREATE TABLE a (b TEXT);\n'", "line 2"),
            ("a.sql", "/* no end", "line 1"), ("a.json", "[1, 2]", "no object"), ("a.json", "{\n\"a\": }", "line 2"),
            ("a.jsonl", "{\"a\": 1}\n{\"a\"", "line 2"), ("a.json", String(repeating: "[", count: 100_000), "too deep"),
            ("a.json", "", "no object"), ("a.txt", "", "nothing that a model"),
            ("a.json", "{\"a\": \"\\u12\"}", "escape"),
        ] {
            let failure = #expect(throws: ToolFailure.self) {
                try DraftSource.source(Data(text.utf8), named: name).draft(named: name)
            }
            #expect(failure?.message.contains(sentence) == true, "\(failure?.message ?? "none") lacks \(sentence)")
        }
        let keys = (0..<300).map { "\"k\($0)\": {\"k\($0)x\": {\"y\($0)\": 1}}" }.joined(separator: ", ")
        #expect(throws: ToolFailure.self) { try DraftSource.json(Array("{\(keys)}".utf8)).draft(named: "a.json") }
    }

    @Test("texts that no document can hold are replaced, and defaults and patterns of them left out")
    func controlCharacters() throws {
        let script = """
            CREATE TABLE a (id INTEGER PRIMARY KEY, "b\u{0}c" VARCHAR(9) DEFAULT 'x\u{1}y' COMMENT 'n\u{0}t',
            kind ENUM('one', 't\u{2}o'));
            """
        let draft = try DraftSource.sql(script).draft(named: "A.sql")
        let model = draft.document(named: "A").currentModel
        #expect(try Model(contents: model.contents()).entities == model.entities)
        let attributes = try #require(model.entities.first?.attributes)
        #expect(attributes.allSatisfy { $0.defaultValueString == nil && $0.regularExpressionString == nil })
        for part in ["default with", "one of several texts with"] {
            let isTold = draft.notes.contains { $0.contains("\(part) characters that no document can hold") }
            #expect(isTold, "\(draft.notes)")
        }
    }

    @Test("hostile names of tables and members become names that a model can have")
    func hostileNames() throws {
        let columns = ExchangeSamples.hostileNames.filter { !$0.contains("\0") }
        let tables = columns.map { name in
            let quoted = name.replacing("\"", with: "\"\"")
            let list = columns.enumerated().map { "\"\($0.element.replacing("\"", with: "\"\""))\($0.offset)\" TEXT" }
            return "CREATE TABLE \"\(quoted)\" (\(list.joined(separator: ", ")));"
        }
        let draft = try DraftSource.sql(tables.joined(separator: "\n")).draft(named: "a.sql")
        #expect(draft.model.entities.count == columns.count)
        #expect(draft.model.entities.allSatisfy { $0.attributes.count == columns.count })
        // Letter case alone may be the difference of two names in a model: that is a warning of its own.
        #expect(ModelLint.diagnostics(of: draft.model).filter { $0.severity == .error }.isEmpty)
        let members = try JSONSerialization.data(
            withJSONObject: Dictionary(uniqueKeysWithValues: columns.map { ($0, [$0: ["x": 1]]) }))
        let sample = try DraftSource.json([UInt8](members)).draft(named: "a.json")
        #expect(ModelLint.diagnostics(of: sample.model).filter { $0.severity == .error }.isEmpty)
    }

    @Test(
        "singulars, plurals and words",
        arguments: [
            ("order_items", "OrderItem"), ("People", "Person"), ("CATEGORIES", "Category"), ("address", "Address"),
            ("boxes", "Box"), ("status", "Status"), ("HTTPRequests", "HttpRequest"), ("user-data", "UserData"),
            ("2fa_codes", "Entity2faCode"), ("news", "News"), ("bus", "Bus"), ("größen", "Größen"), ("", "Entity"),
        ])
    func names(table: String, entity: String) {
        #expect(DraftName.entity(table) == entity)
    }

    @Test(
        "plurals of inverses",
        arguments: [
            ("orderItem", "orderItems"), ("person", "people"), ("category", "categories"), ("day", "days"),
            ("box", "boxes"), ("class", "classes"), ("series", "series"), ("child", "children"),
        ])
    func plurals(one: String, many: String) {
        #expect(EnglishPlural.plural(one) == many)
        #expect(EnglishPlural.singular(many) == one)
    }
}

extension Model {
    /// The model with plain objects: the tests have no classes for it.
    var plain: Model {
        var model = self
        for index in model.entities.indices { model.entities[index].representedClass = nil }
        return model
    }
}
