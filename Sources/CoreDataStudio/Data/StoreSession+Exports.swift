import CoreData
import Foundation
import StoreBrowsing

extension StoreSession {
    /// Prepares an export.
    ///
    /// - Returns: Where the browser can fetch it.
    /// - Throws: What is wrong with the query or its columns.
    func prepareExport(_ request: ExportRequest) async throws -> JSON {
        let request = ExportRequest(
            query: try await current(request.query), columns: request.columns, format: request.format)
        _ = try await screen.read { session in
            let first = try RowFinder(request.query, session).first(1)
            return try RowExport(request).part(first, isFirst: true, session)
        }
        return ["address": .text("/api/store/export?ticket=\(tickets.add(request))")]
    }

    /// What a ticket is for.
    ///
    /// - Throws: `missingToken` for a ticket that is none, or was used.
    func takeExport(_ ticket: String) throws -> ExportRequest {
        guard let request = tickets.take(ticket) else {
            throw StudioError(.missingToken, "This download was fetched already, or waited for too long. Export anew.")
        }
        return request
    }

    /// Writes an export part by part, as fast as the browser takes it.
    nonisolated func export(_ request: ExportRequest, _ write: (Data) async throws -> Void) async throws {
        let export = RowExport(request)
        // One state of a file, whatever others save meanwhile.
        let reader = background.kept
        let references = try await list(request.query)
        if request.format == .sqlite { return try await writeDatabase(export, request, references, reader, write) }
        try await write(Data(export.start().utf8))
        var parts = try await reader.read { try export.parts($0) }
        var isFirst = true
        while let part = parts.next(of: references) {
            let text = try await reader.read { [isFirst] in try export.part(part, isFirst: isFirst, $0) }
            try await write(Data(text.utf8))
            parts.note(text.utf8.count)
            isFirst = isFirst && text.isEmpty
        }
        try await write(Data(export.end(isEmpty: references.isEmpty).utf8))
    }

    /// Writes a table into a database of its own, which is sent when it is whole.
    private nonisolated func writeDatabase(
        _ export: RowExport, _ request: ExportRequest, _ references: [ObjectReference], _ reader: ReadingQueue,
        _ write: (Data) async throws -> Void
    ) async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: url) }
        try await reader.read { session in
            let database = try RowDatabase(at: url, table: request.query.entity, titles: export.titles)
            var parts = try export.parts(session)
            while let part = parts.next(of: references) {
                var bytes = 0
                try export.forEach(part, session) {
                    try database.write([.string($0)] + $1)
                    bytes += $1.reduce(0) { $0 + $1.textBytes }
                }
                parts.note(bytes)
                session.context.reset()
            }
            try database.finish()
        }
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        while let part = try file.read(upToCount: 1 << 20), !part.isEmpty { try await write(part) }
    }
}

extension JSONValue {
    /// How many bytes a text has; data is one in base64.
    fileprivate var textBytes: Int { if case .string(let text) = self { text.utf8.count } else { 0 } }
}
