import AsyncHTTPClient
import Foundation
import NIOCore

@testable import LeagueService

/// Reads `GET /events` as a browser does.
struct EventReader {
    struct Event: Sendable {
        var name = ""
        var id: String?
        var data: JSON = .null

        var changes: [JSON] { data["changes"].list }
    }

    private var bytes: AsyncThrowingStream<ByteBuffer, any Error>.Iterator
    private var lines: [String] = []
    private var rest = ""
    /// The comments that came.
    private(set) var comments = 0
    /// The id of the last event that had one.
    private(set) var last: String?

    /// - Parameter last: The id of the last event that was read before.
    init(port: Int, after last: String? = nil) async throws {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/events")
        if let last { request.headers.add(name: "Last-Event-ID", value: last) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        guard response.status == .ok else { throw Refused(status: Int(response.status.code)) }
        let body = response.body
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: ByteBuffer.self, throwing: (any Error).self)
        let task = Task {
            do {
                for try await part in body { continuation.yield(part) }
                continuation.finish()
            } catch { continuation.finish(throwing: error) }
        }
        continuation.onTermination = { _ in task.cancel() }
        bytes = stream.makeAsyncIterator()
    }

    struct Refused: Error { let status: Int }

    /// The next event; nil at the end of the stream.
    mutating func next() async throws -> Event? {
        var event = Event()
        while let line = try await nextLine() {
            if line.hasPrefix(":") {
                comments += 1
            } else if line.hasPrefix("id: ") {
                event.id = String(line.dropFirst(4))
                last = event.id
            } else if line.hasPrefix("event: ") {
                event.name = String(line.dropFirst(7))
            } else if line.hasPrefix("data: ") {
                event.data = try JSONDecoder().decode(JSON.self, from: Data(line.dropFirst(6).utf8))
            } else if line.isEmpty, !event.name.isEmpty {
                return event
            }
        }
        return nil
    }

    /// The changes of the next event that has some.
    mutating func nextChanges() async throws -> [JSON] {
        while let event = try await next() { if !event.changes.isEmpty { return event.changes } }
        return []
    }

    /// Reads until a comment comes.
    mutating func nextComment() async throws {
        while let line = try await nextLine() { if line.hasPrefix(":") { return } }
    }

    private mutating func nextLine() async throws -> String? {
        while lines.isEmpty {
            guard let part = try await bytes.next() else { return nil }
            rest += String(buffer: part)
            var parts = rest.components(separatedBy: "\n")
            rest = parts.removeLast()
            lines = parts
        }
        return lines.removeFirst()
    }
}
