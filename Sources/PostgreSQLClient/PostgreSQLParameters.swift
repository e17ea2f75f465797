import Foundation

/// The values of a statement's parameters, in the server's binary form. Also one row of a `COPY`.
///
/// ```swift
/// var values = PostgreSQLParameters()
/// for player in players {
///     values.removeAll()
///     values.append(int64: player.id)
///     try values.append(text: player.name)
///     try pipeline.add(insert, values)
/// }
/// ```
///
/// The values stand in one buffer, which keeps its memory when it is emptied. So a value costs no allocation.
package struct PostgreSQLParameters: Sendable {
    /// A value in the buffer.
    @usableFromInline
    struct Field {
        @usableFromInline var offset: Int
        /// -1 for NULL.
        @usableFromInline var length: Int32
        @usableFromInline var type: PostgreSQLType

        @inlinable
        @inline(__always)
        init(offset: Int, length: Int32, type: PostgreSQLType) {
            self.offset = offset
            self.length = length
            self.type = type
        }
    }

    /// The values' bytes, one value after the other.
    @usableFromInline var bytes: [UInt8] = []
    @usableFromInline var fields: [Field] = []

    @inlinable
    package init() {}

    @inlinable
    package var count: Int { fields.count }

    /// How much memory the values take.
    @inlinable
    package var byteCount: Int { bytes.count }

    /// Empties the buffer and keeps its memory.
    @inlinable
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
    }

    /// The name of the next value in messages.
    @usableFromInline var next: String { "$\(count + 1)" }

    /// Notes a value that the buffer's end has now, from `start` on.
    @inlinable
    @inline(__always)
    mutating func note(_ type: PostgreSQLType, from start: Int) {
        fields.append(Field(offset: start, length: Int32(truncatingIfNeeded: bytes.count - start), type: type))
    }
}

extension PostgreSQLParameters {
    /// - Parameter type: The type to send where the statement does not say it. The server infers it otherwise.
    @inlinable
    package mutating func appendNull(as type: PostgreSQLType = .unspecified) {
        fields.append(Field(offset: bytes.count, length: -1, type: type))
    }

    @inlinable
    package mutating func append(int16 value: Int16) { append(value, .int2) }

    @inlinable
    package mutating func append(int32 value: Int32) { append(value, .int4) }

    @inlinable
    package mutating func append(int64 value: Int64) { append(value, .int8) }

    @inlinable
    package mutating func append(double value: Double) { append(value.bitPattern, .float8) }

    @inlinable
    package mutating func append(float value: Float) { append(value.bitPattern, .float4) }

    @inlinable
    package mutating func append(bool value: Bool) { append(value ? 1 as UInt8 : 0, .bool) }

    /// - Parameter value: Microseconds since the start of the year 2000 in UTC. The least and the greatest number stand
    ///   for the server's `-infinity` and `infinity`.
    @inlinable
    package mutating func append(timestamp value: Int64) { append(value, .timestamptz) }

    @inlinable
    package mutating func append(uuid value: UUID) {
        let start = bytes.count
        withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
        note(.uuid, from: start)
    }

    @inlinable
    @inline(__always)
    mutating func append(_ value: some FixedWidthInteger, _ type: PostgreSQLType) {
        let start = bytes.count
        bytes.append(bigEndian: value)
        note(type, from: start)
    }
}

extension PostgreSQLParameters {
    /// - Throws: ``PostgreSQLError`` of the kind `invalidParameter` for a text with a NUL character, which the server
    ///   can't have.
    @inlinable
    package mutating func append(text value: String) throws {
        // An own copy: a text in a foreign form is made a native one once.
        var value = value
        try value.withUTF8 { try append(text: UnsafeRawBufferPointer($0)) }
    }

    /// - Parameter value: UTF-8.
    @inlinable
    package mutating func append(text value: UnsafeRawBufferPointer) throws {
        if let start = value.baseAddress, memchr(start, 0, value.count) != nil { throw textWithZero() }
        try append(value, .text)
    }

    @inlinable
    package mutating func append(bytes value: UnsafeRawBufferPointer) throws { try append(value, .bytea) }

    @inlinable
    package mutating func append(bytes value: [UInt8]) throws {
        try value.withUnsafeBytes { try append($0, .bytea) }
    }

    @inlinable
    mutating func append(_ value: UnsafeRawBufferPointer, _ type: PostgreSQLType) throws {
        if value.count > Self.mostBytes { throw tooLarge() }
        let start = bytes.count
        bytes.append(contentsOf: value)
        note(type, from: start)
    }

    /// The server's limit of one value is a gigabyte, and so is that of a message.
    @usableFromInline static var mostBytes: Int { 1 << 30 - 1 }

    @usableFromInline
    func tooLarge() -> PostgreSQLError {
        PostgreSQLError(.invalidParameter, "Parameter \(next) is larger than a gigabyte, which is the server's limit.")
    }

    @usableFromInline
    func textWithZero() -> PostgreSQLError {
        PostgreSQLError(
            .invalidParameter, "Parameter \(next) is a text with a NUL character, which PostgreSQL can't store.")
    }
}
