import CoreData
import Foundation
import Testing

@testable import CoreDataStudio

/// Files that become objects in the studio, as values.
@Suite("Importing files into a store that is edited") struct StoreImportTests {
    private let store: SampleStore
    private let session: StoreSession

    init() throws {
        store = try SampleStore.shop()
        session = try StoreSession(.file(store.url), isEdited: true)
    }

    private func give(_ name: String, _ text: String) async throws -> JSON {
        try await session.takeImport(Data(text.utf8), name: name)
    }

    private func carryOut(
        _ entity: String, _ columns: [String: String], key: String? = nil, skipsErrors: Bool = false,
        isTrial: Bool = false
    ) async throws -> JSON {
        let plan = ImportPlan(
            entity: entity, columns: columns, key: key, skipsErrors: skipsErrors, isTrial: isTrial)
        return try await session.importFile(ImportRequest(plan: plan))
    }

    private func products() throws -> [String: NSManagedObject.Values] {
        let program = try OtherProgram(store.url)
        return try program.read { context in
            let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Product"))
            return Dictionary(uniqueKeysWithValues: all.map { ($0.value(forKey: "name") as? String ?? "", $0.values) })
        }
    }

    @Test("A file is shown with its columns, their first values and what they seem to be") func preview() async throws {
        let found = try await give(
            "Products.csv",
            "name,price,page,since,fresh\r\nDates,2.50,,2026-01-02,true\r\n\"Figs, dried\",3,,2026-02-03,false\r\n")
        #expect(found["count"] == 2 && found["isTooLong"] == false)
        let columns = found["columns"]?.array ?? []
        #expect(columns.compactMap { $0["title"]?.text } == ["name", "price", "page", "since", "fresh"])
        #expect(columns.compactMap { $0["type"]?.text } == ["text", "number", "empty", "date", "boolean"])
        #expect(columns[0]["samples"] == ["Dates", "Figs, dried"] && columns[2]["samples"] == [.null, .null])
    }

    @Test("Columns of the same title are told apart by a number, and no column is dropped") func equalTitles()
        async throws
    {
        let found = try await give("Products.csv", "name,name,name 2,,\nDates,Figs,Apples,x,y\n")
        let columns = found["columns"]?.array ?? []
        #expect(
            columns.compactMap { $0["title"]?.text } == ["name", "name 3", "name 2", "Column 4", "Column 5"])
        #expect(columns.map { $0["samples"] } == [["Dates"], ["Figs"], ["Apples"], ["x"], ["y"]])
        let answer = try await carryOut("Product", ["name 3": "name"])
        #expect(answer["report"]?["created"] == 1)
        #expect(try await session.saveEdits(StepRequest())["saved"] == true)
        #expect(try products().keys.contains("Figs"))
    }

    @Test(
        "What stands between fields is told by the first record",
        arguments: [
            ("name;price\nDates;2,50\n", ["name", "price"]), ("name\tprice\nDates\t2;5\n", ["name", "price"]),
            ("name;x,price\na,b\n", ["name;x", "price"]), ("\"name;a;b;c\",price\na,b\n", ["name;a;b;c", "price"]),
            ("\n\r\n\"a\"\"\n,,,\";b;c\n1;2;3\n", ["a\"\n,,,", "b", "c"]), ("name\nDates; figs\n", ["name"]),
        ]) func delimiters(text: String, titles: [String]) async throws
    {
        let found = try await give("Products.csv", text)
        #expect(found["columns"]?.array?.compactMap { $0["title"]?.text } == titles)
    }

    @Test(
        "Records become new objects, with values and relationships, as one step",
        arguments: [
            ("Lines.csv", "count,of,note\r\n4,Cheese,x\r\n5,Apple,y\r\n"),
            ("Lines.jsonl", "{\"count\": 4, \"of\": \"Cheese\"}\n\n{\"of\": \"Apple\", \"count\": \"5\"}\n"),
            (
                "Lines.json",
                "[\n {\"count\": 4, \"of\": \"Cheese\"},\n {\"of\": \"Apple\",\n \"count\": 5, \"note\": \"]}\"}\n]\n"
            ),
        ]) func records(name: String, text: String) async throws
    {
        _ = try await give(name, text)
        let columns = ["count": "quantity", "of": "product.name"]
        let trial = try await carryOut("Line", columns, isTrial: true)
        #expect(trial["report"] == ["created": 2, "updated": 0, "failed": 0, "errors": []])
        #expect(trial["state"]?["count"] == 0)
        let answer = try await carryOut("Line", columns)
        #expect(answer["state"]?["undo"] == "Import Line" && answer["state"]?["count"] == 2)
        let request = RowsRequest(query: RowQuery(entity: "Line"), from: 0, count: 2, columns: ["quantity", "product"])
        let rows = try await session.rows(request)["rows"]?.array ?? []
        #expect(rows.compactMap { $0["cells"]?.array?.first?.text }.sorted() == ["4", "5"])
        #expect(Set(rows.compactMap { $0["cells"]?.array?.last?["title"]?.text }) == ["Cheese", "Apple"])
        _ = try await session.undoEdit(StepRequest())
        #expect(try await session.changes()["count"] == 0)
    }

    @Test("With a key, objects that are there are changed") func key() async throws {
        _ = try await give("Products.csv", "name,price\nApple,1.25\nDates,2\nDates,3\n")
        let answer = try await carryOut("Product", ["name": "name", "price": "price"], key: "name")
        // Two records with the same new key are one object.
        #expect(answer["report"] == ["created": 1, "updated": 1, "failed": 0, "errors": []])
        #expect(answer["state"]?["count"] == 2)
        #expect(try await session.saveEdits(StepRequest())["saved"] == true)
        let products = try products()
        #expect(products.count == 4)
        #expect(products["Apple"]?["price"] == "1.25" && products["Dates"]?["price"] == "3")
    }

    @Test("Errors are told with line and column, and keep all out, or are passed over") func errors() async throws {
        _ = try await give("Lines.csv", "count,of\n4,Cheese\nfour,Apple\n5,Wine\n")
        let columns = ["count": "quantity", "of": "product.name"]
        let refused = try await carryOut("Line", columns)
        #expect(refused["report"]?["failed"] == 2 && refused["state"]?["count"] == 0)
        let errors = refused["report"]?["errors"]?.array ?? []
        #expect(errors.map { $0["line"] } == [3, 4] && errors.map { $0["column"] } == ["count", "of"])
        #expect(errors[0]["message"]?.text?.contains("whole number") == true)
        #expect(errors[1]["message"]?.text == "There is no Product with the name “Wine”.")
        let passed = try await carryOut("Line", columns, skipsErrors: true)
        #expect(passed["report"]?["created"] == 1 && passed["state"]?["count"] == 1)
    }

    /// The errors of a report: line, column and message.
    private func errors(_ answer: JSON) -> [String] {
        (answer["report"]?["errors"]?.array ?? []).map { error in
            let line = error["line"].flatMap { if case .integer(let line) = $0 { line } else { nil } } ?? 0
            return "\(line) \(error["column"]?.text ?? ""): \(error["message"]?.text ?? "")"
        }
    }

    /// Carries out a plan, of which the trial has to tell the same.
    private func carryOutTried(
        _ entity: String, _ columns: [String: String], key: String? = nil, skipsErrors: Bool = false
    ) async throws -> JSON {
        let before = try await session.changes()
        let trial = try await carryOut(entity, columns, key: key, skipsErrors: skipsErrors, isTrial: true)
        #expect(try await session.changes() == before)
        let answer = try await carryOut(entity, columns, key: key, skipsErrors: skipsErrors)
        #expect(trial["report"] == answer["report"])
        return answer
    }

    @Test("A text or a key that several objects have is an error of its line") func ambiguous() async throws {
        let program = try OtherProgram(store.url)
        try program.change { context in
            NSEntityDescription.insertNewObject(forEntityName: "Product", into: context).setValue(
                "Apple", forKey: "name")
        }
        try program.close()
        await session.storeChanged()
        _ = try await give("Lines.csv", "count,of\n4,Cheese\n5,Apple\n")
        let lines = try await carryOutTried("Line", ["count": "quantity", "of": "product.name"], skipsErrors: true)
        #expect(errors(lines) == ["3 of: There are several Product with the name “Apple”."])
        #expect(lines["report"]?["created"] == 1)
        _ = try await session.discardEdits(StepRequest())
        _ = try await give("Products.csv", "name,weight\nBread,1\nApple,2\nDates,3\n")
        let products = try await carryOutTried("Product", ["name": "name", "weight": "weight"], key: "name")
        #expect(errors(products) == ["3 name: There are several Product with the name “Apple”."])
        #expect(products["state"]?["count"] == 0)
    }

    @Test("What the model forbids is told by line, by the trial too: bounds, required values and relationships")
    func rules() async throws {
        _ = try await give("Lines.csv", "count,of\n0,Cheese\n4,Apple\n100,Apple\n5,\n,Bread\n")
        let lines = try await carryOutTried("Line", ["count": "quantity", "of": "product.name"], skipsErrors: true)
        #expect(errors(lines).map { $0.prefix(7) } == ["2 count", "4 count"])
        #expect(lines["report"]?["created"] == 3)
        _ = try await session.discardEdits(StepRequest())

        _ = try await give("Products.jsonl", "{\"name\": null}\n{\"name\": \"Dates\"}\n{}\n")
        let products = try await carryOutTried("Product", ["name": "name"])
        #expect(errors(products).map { $0.prefix(33) } == ["1 name: name is a required value."])
        #expect(products["state"]?["count"] == 0)

        _ = try await give("Lines.csv", "order\n3\n\"\"\n")
        let orders = try await carryOutTried("Line", ["order": "order.number"], skipsErrors: true)
        #expect(errors(orders).map { $0.prefix(8) } == ["3 order:"])
    }

    @Test("A value that has to be unique is compared with the file, the store and what is staged")
    func unique() async throws {
        let action: JSON = ["kind": "set", "object": "Order/p3", "key": "number", "value": "30"]
        _ = try await session.edit(JSONDecoder().decode(EditRequest.self, from: (["action": action] as JSON).data()))
        let text = "[{\"n\": 3}, {\"n\": 30}, {\"n\": 40},\n{\"n\": 40}, {\"n\": 12}, {\"n\": 41}]"
        _ = try await give("Orders.json", text)
        let answer = try await carryOutTried("Order", ["n": "number"], skipsErrors: true)
        #expect(
            errors(answer) == [
                "1 n: The value of number has to be unique. Order/p3 has it already.",
                "2 n: The value of number has to be unique. Line 1 has it already.",
                "2 n: The value of number has to be unique. Order/p12 has it already.",
            ])
        #expect(answer["report"]?["created"] == 3)
        #expect(try await session.saveEdits(StepRequest())["saved"] == true)
    }

    @Test("A hundred thousand records are checked in seconds, and no more than 200 errors are listed")
    func many() async throws {
        let records = (0..<100_000).map { "\($0 + 100),\($0 % 2 == 0 ? "yes" : "no")" }
        _ = try await give("Orders.csv", "n,paid\n" + records.joined(separator: "\n"))
        let plan = ["n": "number", "paid": "isPaid"]
        let trial = try await carryOut("Order", plan, isTrial: true)
        #expect(trial["report"] == ["created": 100_000, "updated": 0, "failed": 0, "errors": []])
        let again = (0..<100_000).map { "\($0 % 1000 + 100),no" }
        _ = try await give("Orders.csv", "n,paid\n" + again.joined(separator: "\n"))
        let wrong = try await carryOut("Order", plan, isTrial: true)
        #expect(wrong["report"]?["created"] == 1000 && wrong["report"]?["failed"] == 99_000)
        #expect(wrong["report"]?["errors"]?.array?.count == 200)
        #expect(try await session.changes()["count"] == 0)
    }

    @Test("The windows are told how many records are read, in order and before the import ends") func told()
        async throws
    {
        let events = await session.events()
        let lines = (0..<4500).map { "\($0 % 99 + 1)" }.joined(separator: "\n")
        _ = try await give("Lines.csv", "count\n" + lines)
        _ = try await session.importFile(
            ImportRequest(plan: ImportPlan(entity: "Line", columns: ["count": "quantity"]), client: "w"))
        var counts: [Int] = []
        for await event in events {
            if case .progress(let count, let client) = event {
                #expect(client == "w")
                counts.append(count)
            }
            if case .changes = event { break }
        }
        #expect(counts == [1000, 2000, 3000, 4000])
    }

    @Test(
        "A file that is none, or a plan that does not fit, changes nothing",
        arguments: [
            ("Orders.csv", "a,b\n1\n", "fields"), ("Orders.json", "{\"a\": 1}", "array"),
            ("Orders.json", "[{\"a\": 1}", "end"),
            ("Orders.json", "[1]", "object"), ("Orders.json", "[{}] x", "something else"), ("Orders.exe", "a", ".csv"),
            ("Orders.jsonl", "{\"a\": [1]}", "array"), ("Orders.csv", "", "no line"),
        ]) func wrongFiles(name: String, text: String, words: String) async throws
    {
        do {
            _ = try await give(name, text)
            Issue.record("\(name) was taken")
        } catch {
            #expect(StudioError(error).message.contains(words), "\(error)")
        }
    }

    @Test(
        "A plan that does not fit the model is refused",
        arguments: [
            ("Robot", ["a": "x"], nil as String?, "Robot"), ("Note", ["a": "text"], nil, "abstract"),
            ("Order", ["a": "color"], nil, "color"), ("Order", ["a": "lines.quantity"], nil, "to-one"),
            ("Order", ["a": "lineCount"], nil, "derived"),
            ("Order", ["a": "number", "b": "number"], nil, "Two columns"),
            ("Order", ["a": "number"], "b", "tell objects apart"),
        ]) func wrongPlans(entity: String, columns: [String: String], key: String?, words: String) async throws
    {
        _ = try await give("Orders.csv", "a,b\n1,2\n")
        do {
            _ = try await carryOut(entity, columns, key: key)
            Issue.record("\(columns) was carried out")
        } catch {
            #expect(StudioError(error).message.contains(words), "\(error)")
        }
        #expect(try await session.changes()["count"] == 0)
    }
}

extension NSManagedObject {
    fileprivate typealias Values = [String: String]

    fileprivate var values: Values {
        entity.attributesByName.keys.reduce(into: [:]) { $0[$1] = value(forKey: $1).map { "\($0)" } }
    }
}
