import Foundation
import Testing

@testable import CoreDataStudio

@Suite("Stores that are migrated at the same time") struct ExchangedStoresTests {
    @Test("A store is closed for as long as its own migration takes, whatever becomes of others") func ends()
        async throws
    {
        let stores = [try SampleStore.shop(), try SampleStore.shop()]
        let sessions = try stores.map { try StoreSession(.file($0.url), isEdited: true) }
        let documents = OpenedDocuments(
            sessions, editsStores: true, recent: RecentDocuments(in: stores[0].folder.appending(path: "Recent")))
        for session in sessions { try await session.close() }
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            try await documents.exchange(sessions[0]) {
                begin.finish()
                for await _ in ended {}
            }
        }
        for await _ in begun {}
        try await documents.exchange(sessions[1]) {}
        await #expect { try await documents.things("d1").requiredStore() } throws: {
            ($0 as? StudioError)?.code == .inUse
        }
        let other = try await documents.things("d2").requiredStore()
        #expect(try await other.schema()["entities"]?.array?.isEmpty == false)
        end.finish()
        try await first.value
        let new = try await documents.things("d1").requiredStore()
        #expect(new !== sessions[0])
        for store in [new, other] { try await store.close() }
    }
}
