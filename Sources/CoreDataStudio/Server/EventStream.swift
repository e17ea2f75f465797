import Hummingbird
import NIOCore
import ServiceLifecycle

/// What is sent to windows without being asked for.
protocol ServerSentEvent: Sendable {
    var name: String { get }
    var json: JSON { get }
}

extension StudioEvent: ServerSentEvent {}
extension StoreEvent: ServerSentEvent {}
extension MappingEvent: ServerSentEvent {}

/// Server-sent events as a response without end.
enum EventStream {
    /// - Parameters:
    ///   - documents: What is told besides: a window has one stream, for a browser opens few connections to a server.
    ///   - last: Gives the event that tells the end of the server, if there is to be one.
    static func response<Event: ServerSentEvent>(
        _ events: AsyncStream<Event>, with documents: AsyncStream<DocumentsEvent>?,
        last: @escaping @Sendable () async -> Event?
    ) -> Response {
        let body = ResponseBody { writer in
            // A tab that reads no more loses events, and notices by the revisions.
            let (lines, feed) = AsyncStream.makeStream(of: ByteBuffer.self, bufferingPolicy: .bufferingNewest(256))
            let tasks = [
                Task {
                    for await event in events { feed.yield(event.buffer) }
                    feed.finish()
                },
                Task {
                    guard let documents else { return }
                    for await event in documents { feed.yield(event.buffer) }
                },
                Task {
                    // That a client went away is noticed when something is written to it.
                    while !Task.isCancelled {
                        feed.yield(ByteBuffer(string: ": here\n\n"))
                        try? await Task.sleep(for: .seconds(15))
                    }
                },
            ]
            defer { tasks.forEach { $0.cancel() } }
            // A server that is to end waits for the end of every response.
            try await withGracefulShutdownHandler {
                for await line in lines { try await writer.write(line) }
            } onGracefulShutdown: {
                Task {
                    if let event = await last() { feed.yield(event.buffer) }
                    feed.finish()
                }
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }
}

extension ServerSentEvent {
    fileprivate var buffer: ByteBuffer {
        var buffer = ByteBuffer(string: "event: \(name)\ndata: ")
        buffer.writeBytes(json.data())
        buffer.writeString("\n\n")
        return buffer
    }
}
