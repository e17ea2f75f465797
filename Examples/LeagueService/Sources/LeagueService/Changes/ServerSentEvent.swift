import Hummingbird

/// One event of `GET /events`.
struct ServerSentEvent: Sendable {
    enum Name: String, Sendable {
        /// The stream has begun.
        case ready
        /// A transaction.
        case changes
        /// More changed than events tell: lists have to be read anew.
        case reload
    }

    let name: Name
    /// What a client sends as `Last-Event-ID` when it connects again.
    let id: String?
    let data: JSON

    var buffer: ByteBuffer {
        var buffer = ByteBuffer()
        if let id { buffer.writeString("id: \(id)\n") }
        // JSON of one line: no value can begin a line of its own.
        buffer.writeString("event: \(name.rawValue)\ndata: ")
        buffer.writeBytes(data.data)
        buffer.writeString("\n\n")
        return buffer
    }

    /// A comment, by which the server notices that a client has gone, and a proxy that the stream lives.
    static let keepAlive = ByteBuffer(string: ": keep-alive\n\n")
}
