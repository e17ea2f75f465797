import CPostgreSQL
import Foundation

/// Writes the rows of a `COPY … FROM STDIN`.
package struct PostgreSQLCopyWriter: ~Copyable {
    fileprivate let connection: PostgreSQLConnection
    fileprivate let isBinary: Bool
    private var buffer: [UInt8] = []
    private static let mostBuffered = 65_536

    fileprivate init(connection: PostgreSQLConnection, isBinary: Bool) {
        self.connection = connection
        self.isBinary = isBinary
    }

    /// Writes a row in the binary format. Each value has the type of its column, as in binary there is no conversion.
    package mutating func write(_ row: PostgreSQLParameters) throws {
        guard isBinary else { throw PostgreSQLError(.misuse, "Rows of values are for COPY … (FORMAT binary).") }
        guard let count = Int16(exactly: row.count) else {
            throw PostgreSQLError(.invalidParameter, "A row has more than 32,767 values.")
        }
        buffer.append(bigEndian: count)
        row.bytes.withUnsafeBytes { bytes in
            for field in row.fields {
                buffer.append(bigEndian: field.length)
                if field.length > 0 {
                    buffer.append(contentsOf: bytes[field.offset..<(field.offset + Int(field.length))])
                }
            }
        }
        if buffer.count >= Self.mostBuffered { try send() }
    }

    /// Writes bytes as they are: lines of a text, or a part of a file in the binary format.
    package mutating func write(bytes: UnsafeRawBufferPointer) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.mostBuffered { try send() }
    }

    /// The signature, no flags, no extension of the header.
    fileprivate mutating func writeHeader() {
        buffer += Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0x00]
        buffer += [UInt8](repeating: 0, count: 8)
    }

    fileprivate mutating func writeTrailer() { buffer.append(bigEndian: -1 as Int16) }

    fileprivate mutating func send() throws {
        if buffer.isEmpty { return }
        try connection.checkLimit()
        // libpq reads no error of the server before the end: after a cancellation there is nothing to go on for.
        if connection.exchange.isCancelling || connection.canceller.isRequested { throw CopyEnded() }
        let code = buffer.withUnsafeBytes { bytes in
            PQputCopyData(
                connection.handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
        buffer.removeAll(keepingCapacity: true)
        // The connection is in no state for it; the reason is read at the end.
        guard code == 1 else { throw CopyEnded() }
        try connection.flushCopy()
    }
}

/// The server takes no more rows.
private struct CopyEnded: Error {}

extension PostgreSQLConnection {
    /// Writes rows into a table with the server's fastest way.
    ///
    /// ```swift
    /// try connection.copyIn("COPY player (id, name) FROM STDIN (FORMAT binary)") { writer in
    ///     for player in players { try writer.write(player.values) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - text: A `COPY … FROM STDIN`. With `FORMAT binary`, header and trailer are written here.
    ///   - body: Writes the rows. If it throws, the server takes none of them. An error of the server is noticed
    ///     behind the last row.
    /// - Returns: The number of rows.
    @discardableResult
    package func copyIn(
        _ text: String, _ body: (inout PostgreSQLCopyWriter) throws -> Void
    ) throws -> Int {
        // Nothing else can be sent with a COPY: what it needs of the session is set by the transaction.
        if case .none = transactionState, !keepsSession { return try transaction { try copyIn(text, body) } }
        if case .toBegin = transactionState { try request { try queueBegin() } }
        try begin()
        guard PQexitPipelineMode(handle) == 1 else { throw lost(.lost(handle)) }
        var rowCount = 0
        if let isBinary = try startCopy(text) {
            try endCopy(failure: fillCopy(isBinary, body))
            rowCount = try readCopyEnd()
        }
        guard PQenterPipelineMode(handle) == 1 else { throw lost(.lost(handle)) }
        try finish()
        return rowCount
    }

    /// Whether the server wants binary rows; nil if it refused the statement.
    private func startCopy(_ text: String) throws -> Bool? {
        guard PQsendQuery(handle, text) == 1 else { throw lost(.lost(handle)) }
        try flushCopy()
        guard let result = try nextCopyResult() else { return nil }
        if PQresultStatus(result.handle) == PGRES_COPY_IN { return PQbinaryTuples(result.handle) == 1 }
        if PQresultStatus(result.handle) == PGRES_COPY_OUT || PQresultStatus(result.handle) == PGRES_COPY_BOTH {
            throw lost(PostgreSQLError(.misuse, "`copyIn` is for COPY … FROM STDIN alone."))
        }
        exchange.error = exchange.error ?? PostgreSQLError(.misuse, "The statement is no COPY … FROM STDIN.")
        _ = try readCopyEnd()
        return nil
    }

    /// Writes the rows, and returns what `body` threw.
    private func fillCopy(
        _ isBinary: Bool, _ body: (inout PostgreSQLCopyWriter) throws -> Void
    ) throws -> (any Error)? {
        var writer = PostgreSQLCopyWriter(connection: self, isBinary: isBinary)
        do {
            if isBinary { writer.writeHeader() }
            try body(&writer)
            if isBinary { writer.writeTrailer() }
            try writer.send()
            return nil
        } catch {
            if !exchange.isActive { throw error }
            return error
        }
    }

    private func endCopy(failure: (any Error)?) throws {
        if let failure, !(failure is CopyEnded) { exchange.error = exchange.error ?? failure }
        // If it fails, the error is read next.
        _ = PQputCopyEnd(handle, failure == nil ? nil : "The client gave up.")
        try flushCopy()
    }

    /// Sends what is queued.
    fileprivate func flushCopy() throws {
        while true {
            let code = PQflush(handle)
            if code == 0 { return }
            if code < 0 { throw lost(.lost(handle)) }
            if try waitForSocket(POLLIN | Int32(POLLOUT)) { _ = PQconsumeInput(handle) }
        }
    }

    /// Reads results up to the end of the statement.
    ///
    /// - Returns: The number of rows.
    private func readCopyEnd() throws -> Int {
        var rowCount = 0
        while let result = try nextCopyResult() {
            if PQresultStatus(result.handle) == PGRES_COPY_IN {
                throw lost(PostgreSQLError(.connectionLost, "The server did not end a COPY."))
            }
            rowCount = result.affectedRows ?? rowCount
        }
        return rowCount
    }

    /// The next result that is no error; nil at the end.
    private func nextCopyResult() throws -> PostgreSQLResult? {
        while true {
            while PQisBusy(handle) != 0 { try waitForInput() }
            guard let next = PQgetResult(handle) else {
                if PQstatus(handle) == CONNECTION_BAD { throw lost(.lost(handle)) }
                return nil
            }
            let result = PostgreSQLResult(handle: next)
            switch PQresultStatus(next) {
            case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE: try noteCopyError(PostgreSQLError(result: next))
            default: return result
            }
        }
    }

    private func noteCopyError(_ error: PostgreSQLError) throws {
        if error.kind == .connectionLost || PQstatus(handle) == CONNECTION_BAD {
            var error = error
            error.kind = .connectionLost
            throw lost(error)
        }
        exchange.error = exchange.error ?? timed(error)
    }
}
