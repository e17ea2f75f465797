import CoreData
import Foundation
import Testing

@testable import CoreDataStudio

/// Texts that are sent as bytes, and identifiers from before a save.
@Suite("Long texts, and objects by their old identifiers") struct StoreTextTests {
    private let store: SampleStore
    private let session: StoreSession
    private let other: OtherProgram

    init() throws {
        (store, session, other) = try SampleStore.editedShop()
    }

    @Test("A text of any length becomes the value of an attribute, byte by byte") func longText() async throws {
        let text = "\u{FEFF}" + String(repeating: "Line with é\r\n", count: 400_000)
        _ = try await session.setText(Data(text.utf8), "Order/p1", "remark", client: nil)
        #expect(try await session.bytes("Order/p1", "remark", 0..<8 << 20) == Data(text.utf8))
        #expect(try await session.saveEdits(StepRequest())["saved"] == true)
        #expect(try other.read { try $0.order(1)?.value(forKey: "remark") } as? String == text)
        try await session.close()
    }

    @Test(
        "Bytes that are no text, and texts that are no value, are refused and change nothing",
        arguments: [
            ([0x61, 0xFF], "Order/p1", "remark", "no text in UTF-8"), ([0x61], "Order/p1", "number", "whole number"),
            ([0x61], "Order/p1", "lineCount", "lineCount"), ([0x61], "Order/p99", "remark", "Order/p99"),
            ([0x61], "Order/p1", "nothing", "nothing"), ([0x61], "Order/p1", "lines", "lines"),
        ] as [([UInt8], String, String, String)])
    func refusals(bytes: [UInt8], object: String, key: String, words: String) async throws {
        do {
            _ = try await session.setText(Data(bytes), object, key, client: nil)
            Issue.record("\(key) of \(object) was set")
        } catch { #expect(StudioError(error).message.contains(words), "\(error)") }
        #expect(try await session.changes()["count"] == 0)
        try await session.close()
    }

    @Test("What was new is found by its old identifier after a save, in every request") func oldIdentifiers()
        async throws
    {
        func edit(_ action: StoreAction) async throws -> JSON { try await session.edit(EditRequest(action: action)) }
        let old = try #require(
            try await edit(.create(entity: "Order", owner: nil, relationship: nil))["created"]?.array?.first?.text)
        _ = try await edit(.set(object: old, key: "number", value: "50"))
        _ = try await edit(.set(object: old, key: "remark", value: "new"))
        _ = try await edit(.add(object: old, key: "tags", members: ["Tag/p1"]))
        let new = try #require(try await session.saveEdits(StepRequest())["identifiers"]?[old]?.text)
        #expect(new.hasPrefix("Order/p"))

        let one = RowQuery(entity: "Order", object: old)
        let tags = RowQuery(entity: "Tag", member: RowQuery.Membership(object: old, relationship: "tags"))
        for (query, id) in [(one, new), (tags, "Tag/p1")] {
            let rows = try await session.rows(RowsRequest(query: query, from: 0, count: 10, columns: []))
            #expect(rows["rows"]?.array?.compactMap { $0["id"]?.text } == [id])
            #expect(try await session.total(query) == ["total": 1])
            #expect(try await session.explain(query)["statements"]?.array?.isEmpty == false)
            let export = ExportRequest(query: query, columns: [], format: .csv)
            #expect(try await session.prepareExport(export)["address"] != nil)
        }
        #expect(try await session.object(ObjectRequest(object: old))["id"] == .text(new))
        #expect(try await session.bytes(old, "remark", 0..<100) == Data("new".utf8))
        #expect(try await session.history(HistoryRequest(object: old))["transactions"] != nil)
        // With changes, too.
        _ = try await edit(.set(object: old, key: "remark", value: "newer"))
        #expect(try await session.bytes(old, "remark", 0..<100) == Data("newer".utf8))
        let row = try await session.rows(RowsRequest(query: one, from: 0, count: 10, columns: ["remark"]))["rows"]
        #expect(row?.array?.first?["cells"] == ["newer"] && row?.array?.first?["id"] == .text(new))
        try await session.close()
    }
}
