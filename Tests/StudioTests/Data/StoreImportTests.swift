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
        #expect(answer["report"]?["updated"] == 1)
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
