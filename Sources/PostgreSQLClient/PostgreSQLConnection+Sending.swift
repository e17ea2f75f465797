import CPostgreSQL
import Foundation

extension PostgreSQLConnection {
    /// How many bytes are queued before they are sent. From 8,192 on, libpq itself tries to send with each message,
    /// which costs two calls of the system each time while the server is busy.
    private static let mostUnsent = 8_192
    /// How many bytes are sent before results are read.
    private static let mostUnread = 65_536

    /// Queues an execution of a statement, and what has to come before it.
    func queue(_ statement: PostgreSQLStatement, _ values: PostgreSQLParameters, as step: Step) throws {
        guard statement.connection == number else {
            throw PostgreSQLError(.misuse, "The statement is of another connection: \(statement.text)")
        }
        guard preparesStatements else { return try queue(text: statement.text, values, as: step) }
        if statement.isDescribed { try statement.check(values) }
        try queueBegin()
        if statement.name == nil { try queuePrepare(statement) }
        statements.touch(statement)
        let name = statement.name ?? ""
        let code = scratch.with(values) { pointers, lengths, formats in
            PQsendQueryPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 1)
        }
        try sent(code, step, bytes: values.messageSize)
    }

    /// Queues a text that the server does not keep.
    func queue(text: String, _ values: PostgreSQLParameters = PostgreSQLParameters(), as step: Step) throws {
        try queueBegin()
        let types = values.fields.map(\.type)
        let code = types.withUnsafeBufferPointer { types in
            types.withMemoryRebound(to: Oid.self) { types in
                scratch.with(values) { pointers, lengths, formats in
                    PQsendQueryParams(
                        handle, text, Int32(values.count), types.baseAddress, pointers, lengths, formats, 1)
                }
            }
        }
        try sent(code, step, bytes: values.messageSize + text.utf8.count)
    }

    /// Queues the preparation of a statement, and the question for its types.
    func queuePrepare(_ statement: PostgreSQLStatement) throws {
        try queueBegin()
        for name in statements.takeStaleNames() { try queue(text: "DEALLOCATE \(name)", as: .deallocate(name)) }
        let name = statements.newName()
        let code = statement.hints.withUnsafeBufferPointer { types in
            types.withMemoryRebound(to: Oid.self) { types in
                PQsendPrepare(handle, name, statement.text, Int32(types.count), types.baseAddress)
            }
        }
        try sent(code, .prepare(statement), bytes: statement.text.utf8.count)
        statement.name = name
        try sent(PQsendDescribePrepared(handle, name), .describe(statement))
    }

    func sendBegin(_ text: String) -> Int32 { PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 1) }

    /// Notes that libpq took a command.
    func sent(_ code: Int32, _ step: Step, bytes: Int = 0) throws {
        guard code == 1 else { throw notSent() }
        exchange.append(step)
        exchange.needsSync = !step.isSync
        exchange.unsent += bytes + 72
        if case .execution(0, _) = step { setPieces() }
    }

    private func notSent() -> any Error {
        if PQstatus(handle) == CONNECTION_BAD { return lost(.lost(handle)) }
        return PostgreSQLError(.misuse, PostgreSQLError.lost(handle).message)
    }

    /// Asks for pieces of the result, if its execution is the one that the server answers next.
    func setPieces() {
        guard let size = exchange.pieceSize, case .execution = exchange.first else { return }
        if coredata_pq_set_rows_mode(handle, Int32(clamping: size)) != 1 {
            exchange.error = exchange.error ?? PostgreSQLError(.misuse, "The result can't be read in pieces.")
        }
    }

    /// Sends what is queued, if it is much, and reads the results that are there.
    func flushIfNeeded(_ deliver: (Int, PostgreSQLResult) throws -> Void) throws {
        guard exchange.unsent >= Self.mostUnsent else { return }
        try checkLimit()
        exchange.unread += exchange.unsent
        try flush(deliver)
        guard exchange.unread >= Self.mostUnread else { return }
        exchange.unread = 0
        _ = PQconsumeInput(handle)
        try receive(waits: false, deliver)
    }

    /// Sends what is queued. Reads meanwhile: a server that can't get rid of its results takes no more commands.
    func flush(_ deliver: (Int, PostgreSQLResult) throws -> Void) throws {
        exchange.unsent = 0
        while true {
            let code = PQflush(handle)
            if code == 0 { return }
            // The reason is to be read, if the server gave one.
            if code < 0 { return try receive(waits: true, deliver) }
            if try waitForSocket(POLLIN | Int32(POLLOUT)) {
                _ = PQconsumeInput(handle)
                try receive(waits: false, deliver)
            }
        }
    }
}

extension PostgreSQLParameters {
    /// What the values take in a message: their bytes, and for each one a format, a length, a type.
    fileprivate var messageSize: Int { byteCount + 10 * count }
}

/// Memory for the lists that libpq gets, used again for each execution.
struct ValuePointers {
    private var pointers: [UnsafePointer<CChar>?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    /// Where values without bytes are: a null pointer would stand for NULL.
    private static let nothing: StaticString = ""

    /// Calls `body` with the lists, which are valid meanwhile.
    mutating func with<Result>(
        _ values: PostgreSQLParameters,
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        while formats.count < values.count { formats.append(1) }
        pointers.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        return values.bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress ?? UnsafeRawPointer(Self.nothing.utf8Start)
            for field in values.fields {
                pointers.append(
                    field.length < 0 ? nil : (start + field.offset).assumingMemoryBound(to: CChar.self))
                lengths.append(field.length)
            }
            return pointers.withUnsafeBufferPointer { pointers in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        body(pointers.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}
