import CoreData
import Foundation

extension StoreSession {
    private static let partSize = 500

    /// Prepares an export.
    ///
    /// - Returns: Where the browser can fetch it.
    /// - Throws: What is wrong with the query or its columns.
    func prepareExport(_ request: ExportRequest) async throws -> JSON {
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
        let references = try await list(request.query)
        try await write(Data(export.start().utf8))
        var place = 0
        while place < references.count {
            let part = Array(references[place..<min(place + Self.partSize, references.count)])
            let isFirst = place == 0
            let text = try await background.read { try export.part(part, isFirst: isFirst, $0) }
            try await write(Data(text.utf8))
            place += part.count
        }
        try await write(Data(export.end(isEmpty: references.isEmpty).utf8))
    }
}
