import Foundation
import Testing

@testable import CoreDataStudio

/// A store is evidence: it stays as it is, byte for byte, whatever is looked at.
@Suite struct StoreEvidenceTests {
    @Test("Browsing, filtering and exporting leave every file as it was", arguments: SampleStore.appleStores)
    func untouched(name: String) async throws {
        let store = try SampleStore.apple(name)
        let before = try store.files()
        do {
            let session = try StoreSession(.file(store.url))
            let schema = try await session.schema()
            _ = try await session.entityCounts()
            for entity in schema["entities"]?.array ?? [] {
                let entityName = entity["name"]?.text ?? ""
                let columns = (entity["properties"]?.array ?? []).compactMap { $0["name"]?.text }
                let query = RowQuery(
                    entity: entityName, predicate: "TRUEPREDICATE",
                    sort: [RowQuery.Sort(key: "objectID", ascending: false)])
                let answer = try await session.rows(
                    RowsRequest(query: query, from: 0, count: 200, columns: columns))
                for row in answer["rows"]?.array ?? [] {
                    _ = try await session.object(ObjectRequest(object: row["id"]?.text ?? ""))
                }
                _ = try await session.explain(query)
                try await session.export(ExportRequest(query: query, columns: columns, format: .jsonl)) { _ in }
            }
            #expect(try store.files() == before)
        }
        #expect(try store.files() == before)
    }

    @Test("A folder that can't be written to is no obstacle") func readOnlyFolder() async throws {
        let store = try SampleStore.apple("objcio-moody/Moody.moody")
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store.url.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: store.folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: store.folder.path) }
        let session = try StoreSession(.file(store.url))
        #expect(try await session.list(RowQuery(entity: "Mood")).count == 4)
    }

    @Test("What is no store is refused with a sentence") func noStore() throws {
        let store = try SampleStore.apple("objcio-moody/Moody.moody")
        let text = store.folder.appending(path: "notes.txt")
        try Data("Hello there".utf8).write(to: text)
        for url in [text, store.folder, store.folder.appending(path: "nothing.sqlite")] {
            #expect(throws: StudioFailure.self) { try StudioServer(document: nil, store: .file(url)) }
        }
    }
}
