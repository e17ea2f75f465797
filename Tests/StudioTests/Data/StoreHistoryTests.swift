import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer
import StoreBrowsing
import Testing

@testable import CoreDataStudio

/// What the page is told of a store's history, from a file and from a database.
@Suite struct StoreHistoryTests {
    private func numbers(_ answer: JSON) -> [Int] {
        (answer["transactions"]?.array ?? []).compactMap { $0["number"]?.integer }
    }

    /// All transactions that fit, read part by part.
    private func all(_ session: StoreSession, _ request: HistoryRequest) async throws -> [JSON] {
        var (request, found) = (request, [JSON]())
        while true {
            let answer = try await session.history(request)
            found += answer["transactions"]?.array ?? []
            guard let next = answer["next"]?.integer else { return found }
            request.before = next
        }
    }

    private func check(_ session: StoreSession) async throws {
        #expect(try await session.schema()["hasHistory"] == true)
        let first = try await session.history(HistoryRequest())
        #expect(self.numbers(first) == Array((154...203).reversed()))
        #expect(first["next"] == 154)
        let transactions = try await all(session, HistoryRequest())
        let numbers = transactions.compactMap { $0["number"]?.integer }
        #expect(numbers == Array((1...203).reversed()))

        let (newest, deletion, oldest) = (transactions[0], transactions[1], transactions[202])
        #expect(newest["author"] == .null && newest["inserted"] == 1)
        #expect(deletion["author"] == "app" && deletion["context"] == "main" && deletion["deleted"] == 1)
        let deleted = try #require(deletion["changes"]?.array?.first { $0["kind"] == "deleted" })
        #expect(deleted["object"] == "Person/p2")
        #expect(deleted["kept"] == [["name": "name", "value": "Person 2"]])
        #expect(oldest["inserted"] == 31)
        let update = try #require(transactions[2]["changes"]?.array?.first)
        #expect(update["kind"] == "updated" && update["properties"] == ["number"])
    }

    @Test("Transactions come with their changes, the newest first, each once") func transactions() async throws {
        let store = try SampleStore.history()
        let before = try store.files()
        try await check(try StoreSession(.file(store.url)))
        #expect(try store.files() == before)
    }

    @Test("A database is browsed by its URL, its history included, and no password is shown")
    func database() async throws {
        let address = try PostgreSQLServer.shared.newDatabase()
        let url = try #require(URL(string: address.replacing("postgres@", with: "postgres:secret@")))
        try SampleStore.recordHistory(in: .postgreSQL, at: url)
        let session = try StoreSession(StorePlace(url.absoluteString))
        try await check(session)
        let schema = try await session.schema()
        #expect(schema["name"]?.text?.hasPrefix("postgresql://") == true)
        #expect(!String(decoding: schema.data(), as: UTF8.self).contains("secret"))
        #expect(try await session.entityCounts()["Person"]?.all == 29)
        let query = RowQuery(
            entity: "Person", predicate: "city.name == 'Boston' AND number >= 190",
            sort: [RowQuery.Sort(key: "number", ascending: false)])
        let rows = try await session.rows(RowsRequest(query: query, from: 0, count: 3, columns: ["number", "city"]))
        #expect(rows["rows"]?.array?.compactMap { $0["cells"]?.array?.first?.text } == ["199", "198", "197"])
        let object = try await session.object(ObjectRequest(object: "City/p1"))
        #expect(object["title"] == "Boston")
    }

    @Test("Filters by author, entity and object leave out what does not fit, and nothing else")
    func filters() async throws {
        let store = try SampleStore.history()
        let session = try StoreSession(.file(store.url))
        let widget = try await all(session, HistoryRequest(author: "widget"))
        #expect(widget.count == 20 && widget.allSatisfy { $0["author"] == "widget" })
        #expect(try await all(session, HistoryRequest(author: "")).count == 1)
        #expect(try await all(session, HistoryRequest(author: "nothing")).isEmpty)
        let cities = try await all(session, HistoryRequest(entity: "City"))
        let numbers = cities.compactMap { $0["number"]?.integer }
        #expect(numbers.first == 203 && numbers.last == 1)
        #expect(
            cities.flatMap { $0["changes"]?.array ?? [] }.allSatisfy { $0["object"]?.text?.hasPrefix("City/") == true })
        let one = try await all(session, HistoryRequest(object: "Person/p2"))
        // Inserted, then updated with every thirtieth transaction from the second one on, then deleted.
        #expect(one.count == 1 + 7 + 1)
        #expect(one.allSatisfy { $0["changes"]?.array?.count == 1 })
        await #expect(throws: ToolFailure.self) { try await session.history(HistoryRequest(entity: "Nothing")) }
        await #expect(throws: ToolFailure.self) { try await session.history(HistoryRequest(object: "Person/x")) }
    }

    @Test("A binary store, which is read as a whole, is browsed, and stays as it is") func binary() async throws {
        let store = try SampleStore.people(1)
        let url = store.folder.appending(path: "People.store")
        try SampleStore.recordHistory(in: .binary, at: url)
        let before = try store.files()
        let session = try StoreSession(.file(url))
        #expect(try await session.entityCounts()["Person"]?.all == 29)
        let query = RowQuery(
            entity: "Person", predicate: "number >= 190", sort: [RowQuery.Sort(key: "number", ascending: false)])
        let rows = try await session.rows(RowsRequest(query: query, from: 0, count: 3, columns: ["number", "city"]))
        #expect(rows["rows"]?.array?.compactMap { $0["cells"]?.array?.first?.text } == ["199", "198", "197"])
        let members = RowQuery(
            entity: "Person", member: RowQuery.Membership(object: "City/p1", relationship: "people"))
        #expect(try await session.total(members) == ["total": 29])
        #expect(try await session.schema()["hasHistory"] == false)
        #expect(try store.files() == before)
    }

    @Test("A store without history has no transactions") func without() async throws {
        let store = try SampleStore.people(3)
        let session = try StoreSession(.file(store.url))
        #expect(try await session.schema()["hasHistory"] == false)
        #expect(try await session.history(HistoryRequest()) == ["transactions": [], "next": .null])
    }

    @Test("The history that Apple's framework recorded is shown") func apple() async throws {
        let store = try SampleStore.apple("cartkit-swiftdata/CartKitSwiftData_v1.sqlite")
        let session = try StoreSession(.file(store.url))
        let answer = try await session.history(HistoryRequest())
        #expect(answer["transactions"]?.array?.count == 1)
        #expect(answer["next"] == .null)
    }
}

extension JSON {
    fileprivate var integer: Int? { if case .integer(let number) = self { number } else { nil } }
}
