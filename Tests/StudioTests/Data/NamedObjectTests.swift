import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer
import StoreBrowsing
import Testing

@testable import CoreDataStudio

/// Filters that the page makes of values: they find the objects with the value in every kind of store.
@Suite("Filters by values and by objects") struct NamedObjectTests {
    private func rows(_ session: StoreSession, _ predicate: String?) async throws -> [JSON] {
        let request = RowsRequest(
            query: RowQuery(entity: "Reading", predicate: predicate), from: 0, count: 50, columns: ["score", "owner"])
        return try await session.rows(request)["rows"]?.array ?? []
    }

    private func found(_ session: StoreSession, _ predicate: String) async throws -> [String] {
        try await rows(session, predicate).compactMap { $0["id"]?.text }
    }

    private func check(_ session: StoreSession) async throws {
        var (scores, owners) = (0, [String]())
        for row in try await rows(session, nil) {
            let (id, cells) = (row["id"]?.text ?? "", row["cells"]?.array ?? [])
            if let score = cells[0].text.flatMap(Float.init) {
                scores += 1
                #expect(try await found(session, "score == \(Double(score))") == [id], "\(score)")
            }
            // Two owners have one title, and the title of the third is cut.
            if let owner = cells[1]["id"]?.text?.replacing("/", with: "_") {
                owners.append(owner)
                #expect(try await found(session, "owner == $\(owner)") == [id])
                let others = try await found(session, "owner != nil AND NOT (owner == $\(owner))")
                #expect(others.count == 2 && !others.contains(id))
            }
        }
        #expect(scores == 5 && Set(owners).count == 3)
        #expect(try await found(session, "owner == $Owner_p99") == [])
        #expect(try await found(session, "owner == nil").count == 3)
    }

    @Test("An SQLite store") func sqlite() async throws {
        let store = try SampleStore.readings()
        try await check(try StoreSession(.file(store.url)))
        try await check(try StoreSession(.file(store.url), isEdited: true))
    }

    @Test("A binary store, which is read as a whole") func binary() async throws {
        let store = try SampleStore("Readings.store")
        try SampleStore.recordReadings(in: .binary, at: store.url)
        try await check(try StoreSession(.file(store.url)))
    }

    @Test("A database") func database() async throws {
        let url = try #require(URL(string: try PostgreSQLServer.shared.newDatabase()))
        try SampleStore.recordReadings(in: .postgreSQL, at: url)
        try await check(try StoreSession(StorePlace(url.absoluteString)))
    }

    @Test(
        "A variable that names no object of the model is refused",
        arguments: ["owner == $Robot_p1", "owner == $Owner_p", "owner == $Owner", "owner == $Owner_p0"])
    func refusals(predicate: String) async throws {
        let store = try SampleStore.readings()
        let session = try StoreSession(.file(store.url))
        do {
            Issue.record("\(predicate) found \(try await found(session, predicate))")
        } catch {
            #expect(StudioError(error).code == .invalidQuery, "\(error)")
        }
    }

    @Test("The statement that is told has the object's key") func explained() async throws {
        let store = try SampleStore.readings()
        let session = try StoreSession(.file(store.url))
        let answer = try await session.explain(RowQuery(entity: "Reading", predicate: "owner == $Owner_p2"))
        #expect(answer["statements"]?.array?.first?["text"]?.text?.contains("ZOWNER") == true)
    }
}
