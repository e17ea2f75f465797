import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// `GET /events`: what changes in the store, as server-sent events.
struct EventRoute: Sendable {
    let feed: ChangeFeed
    /// How often a client that gets no events gets a comment.
    let keepAlive: Duration

    func add(to router: Router<some RequestContext>) {
        router.get("/events") { request, _ in
            let last = request.headers[.lastEventID].flatMap { $0.isEmpty ? nil : $0 }
            let events = try await self.feed.events(after: last)
            let body = ResponseBody { writer in
                let lines = self.lines(events)
                // Without this, a client that has gone is noticed at the next comment.
                try await request.body.consumeWithInboundCloseHandler { _ in
                    // A server that is to end waits for the end of every response.
                    try await withGracefulShutdownHandler {
                        for await line in lines.stream { try await writer.write(line) }
                    } onGracefulShutdown: {
                        lines.end()
                    }
                } onInboundClosed: {
                    lines.end()
                }
                try await writer.finish(nil)
            }
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
        }
    }

    /// The events as text, with comments between them. It ends for a client that reads too slowly.
    private func lines(
        _ events: AsyncStream<ServerSentEvent>
    ) -> (stream: AsyncStream<ByteBuffer>, end: @Sendable () -> Void) {
        let (stream, lines) = AsyncStream.makeStream(of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(256))
        let tasks = [
            Task {
                for await event in events {
                    if case .dropped = lines.yield(event.buffer) { break }
                }
                lines.finish()
            },
            Task {
                while !Task.isCancelled {
                    try await Task.sleep(for: keepAlive)
                    lines.yield(ServerSentEvent.keepAlive)
                }
            },
        ]
        lines.onTermination = { _ in tasks.forEach { $0.cancel() } }
        return (stream, { lines.finish() })
    }
}

extension HTTPField.Name {
    static let lastEventID = Self("Last-Event-ID")!
}
