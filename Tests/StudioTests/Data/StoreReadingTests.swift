import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer
import StoreBrowsing
import Testing

@testable import CoreDataStudio

/// A store that is open for reading, beside programs that change it.
@Suite("A store that is read follows what others save", .timeLimit(.minutes(5))) struct StoreReadingTests {
    private func column(_ session: StoreSession, _ entity: String, _ name: String) async throws -> [String] {
        let request = RowsRequest(query: RowQuery(entity: entity), from: 0, count: 50, columns: [name])
        return try await session.rows(request)["rows"]?.array?.map { $0["cells"]?.array?.first?.text ?? "" } ?? []
    }

    /// Waits until windows are told that the store is another one.
    private func told(_ events: AsyncStream<StoreEvent>) async -> Bool {
        for await event in events { if case .store = event { return true } }
        return false
    }

    @Test("What another program saves is read while that program goes on, and no file is made or changed for it")
    func live() async throws {
        let store = try SampleStore.shop()
        let session = try StoreSession(.file(store.url))
        let events = await session.followedEvents()
        let program = try OtherProgram(store.url)
        for city in ["Rome", "Oslo", "Lima"] {
            try program.change { try $0.order(1)?.setValue(city, forKey: "city") }
            let before = try store.files()
            #expect(await told(events))
            #expect(try await column(session, "Order", "city").first == city)
            #expect(try await session.entityCounts()["Order"]?.all == 12)
            #expect(try store.files() == before)
        }
    }

    @Test("A reading that is under way when the store is closed throws") func closed() throws {
        let store = try SampleStore.shop()
        let session = try QuerySession(OpenedStore(.file(store.url)) { _ in })
        let reference = try session.objectID("Order/p1").reference
        let coordinator = try #require(session.context.persistentStoreCoordinator)
        try coordinator.persistentStores.forEach(coordinator.remove)
        #expect(throws: ToolFailure.self) { try session.objectID(of: reference) }
        #expect(throws: ToolFailure.self) { try session.objectID("Order/p1") }
    }

    @Test("A program that writes without a log is followed, and so is one that puts another file in the place")
    func otherWays() async throws {
        let store = try SampleStore.people(3)
        let session = try StoreSession(.file(store.url))
        let events = await session.followedEvents()
        try store.execute("UPDATE ZPERSON SET ZNAME = 'Ann', Z_OPT = 2 WHERE Z_PK = 1")
        #expect(await told(events))
        #expect(try await column(session, "Person", "name").first == "Ann")
        let other = try SampleStore.people(5)
        try Data(contentsOf: other.url).write(to: store.url, options: .atomic)
        #expect(await told(events))
        #expect(try await column(session, "Person", "name").count == 5)
    }

    @Test("Without a window nothing is read anew; the next window has what was saved meanwhile") func noWindow()
        async throws
    {
        let store = try SampleStore.people(2)
        let session = try StoreSession(.file(store.url))
        var events: AsyncStream<StoreEvent>? = await session.followedEvents()
        try store.execute("UPDATE ZPERSON SET ZNAME = 'Ann', Z_OPT = 2 WHERE Z_PK = 1")
        #expect(await told(try #require(events)))
        events = nil
        while await session.following.task != nil { try await Task.sleep(for: .milliseconds(50)) }
        #expect(await session.following.task == nil)
        try store.execute("UPDATE ZPERSON SET ZNAME = 'Bob', Z_OPT = 3 WHERE Z_PK = 1")
        let next = await session.followedEvents()
        #expect(await told(next))
        #expect(try await column(session, "Person", "name").first == "Bob")
    }

    @Test("A store that was migrated, or is gone, stays as it was read, and windows are told why")
    func notReadable() async throws {
        let store = try SampleStore.people(4)
        let session = try StoreSession(.file(store.url))
        let events = await session.followedEvents()
        let (shop, later) = (try SampleStore.shop(), try SampleStore.people(6))
        try Data(contentsOf: shop.url).write(to: store.url, options: .atomic)
        #expect(await told(events))
        #expect(try await session.countsJSON()["problem"]?.text?.contains("another model") == true)
        #expect(try await column(session, "Person", "name").count == 4)
        try FileManager.default.removeItem(at: store.url)
        #expect(await told(events))
        let problem = try await session.countsJSON()["problem"]?.text ?? ""
        #expect(problem.contains("no file"))
        #expect(try await column(session, "Person", "name").count == 4)
        try Data(contentsOf: later.url).write(to: store.url, options: .atomic)
        #expect(await told(events))
        #expect(try await session.countsJSON()["problem"] == .null)
        #expect(try await column(session, "Person", "name").count == 6)
    }

    @Test("A store that can't tell of what others save is read nevertheless, and a note says why")
    func withoutWatch() async throws {
        let store = try SampleStore.people(3)
        let session = try StoreSession(.file(store.url)) { _ in throw ToolFailure(.other, "The server refuses LISTEN.")
        }
        #expect(try await column(session, "Person", "name").count == 3)
        let notes = ["What other programs save does not appear by itself: The server refuses LISTEN."]
        #expect(try await session.schema()["notes"] == .array(notes.map(JSON.text)))
        #expect(try await StoreSession(.file(store.url)).schema()["notes"] == [])
    }

    @Test("A database that is read tells of what others save") func database() async throws {
        let address = try PostgreSQLServer.shared.newDatabase()
        let url = try #require(URL(string: address))
        try SampleStore.recordHistory(in: .postgreSQL, at: url)
        let session = try StoreSession(StorePlace(url.absoluteString))
        #expect(try await column(session, "City", "name") == ["Boston", "Rome"])
        let events = await session.followedEvents()
        try SampleStore.recordCity("Paris", in: .postgreSQL, at: url)
        #expect(await told(events))
        #expect(try await column(session, "City", "name") == ["Boston", "Rome", "Paris"])
    }
}
