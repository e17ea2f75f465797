import CPostgreSQL
import Foundation

extension PostgreSQLResult {
    /// The bytes of a value, without a copy; nil for NULL.
    ///
    /// They are valid as long as the result lives. The compiler may release a result after its last use: keep it with
    /// `withExtendedLifetime`, or use it behind the last use of the bytes.
    @inlinable
    @inline(__always)
    package func bytes(_ row: Int, _ column: Int) throws -> UnsafeRawBufferPointer? {
        guard let field = try field(row, column) else { return nil }
        return UnsafeRawBufferPointer(start: field.start, count: field.count)
    }

    /// An integer of two, four or eight bytes.
    @inlinable
    package func int64(_ row: Int, _ column: Int) throws -> Int64? {
        guard let field = try field(row, column) else { return nil }
        switch field.count {
        case 8: return Int64(bigEndian: field.start.loadUnaligned(as: Int64.self))
        case 4: return Int64(Int32(bigEndian: field.start.loadUnaligned(as: Int32.self)))
        case 2: return Int64(Int16(bigEndian: field.start.loadUnaligned(as: Int16.self)))
        default: throw malformed(row, column, "an integer")
        }
    }

    /// An integer of two or four bytes.
    @inlinable
    package func int32(_ row: Int, _ column: Int) throws -> Int32? {
        guard let field = try field(row, column) else { return nil }
        switch field.count {
        case 4: return Int32(bigEndian: field.start.loadUnaligned(as: Int32.self))
        case 2: return Int32(Int16(bigEndian: field.start.loadUnaligned(as: Int16.self)))
        default: throw malformed(row, column, "an integer of four bytes")
        }
    }

    @inlinable
    package func int16(_ row: Int, _ column: Int) throws -> Int16? {
        try fixed(row, column, "an integer of two bytes")
    }

    @inlinable
    package func bool(_ row: Int, _ column: Int) throws -> Bool? {
        guard let byte: UInt8 = try fixed(row, column, "a boolean") else { return nil }
        if byte > 1 { throw malformed(row, column, "a boolean") }
        return byte == 1
    }

    /// A `float8` or a `float4`.
    @inlinable
    package func double(_ row: Int, _ column: Int) throws -> Double? {
        guard let field = try field(row, column) else { return nil }
        switch field.count {
        case 8: return Double(bitPattern: UInt64(bigEndian: field.start.loadUnaligned(as: UInt64.self)))
        case 4: return Double(Float(bitPattern: UInt32(bigEndian: field.start.loadUnaligned(as: UInt32.self))))
        default: throw malformed(row, column, "a floating-point number")
        }
    }

    @inlinable
    package func float(_ row: Int, _ column: Int) throws -> Float? {
        guard let bits: UInt32 = try fixed(row, column, "a floating-point number of four bytes") else { return nil }
        return Float(bitPattern: bits)
    }

    /// Microseconds since the start of the year 2000 in UTC. The least and the greatest number stand for the server's
    /// `-infinity` and `infinity`.
    @inlinable
    package func timestamp(_ row: Int, _ column: Int) throws -> Int64? { try fixed(row, column, "a timestamp") }

    @inlinable
    package func uuid(_ row: Int, _ column: Int) throws -> UUID? {
        guard let field = try field(row, column) else { return nil }
        guard field.count == 16 else { throw malformed(row, column, "a UUID") }
        return UUID(uuid: field.start.loadUnaligned(as: uuid_t.self))
    }

    @inlinable
    package func string(_ row: Int, _ column: Int) throws -> String? {
        guard let field = try field(row, column) else { return nil }
        let characters = UnsafeBufferPointer(
            start: field.start.assumingMemoryBound(to: UInt8.self), count: field.count)
        // Three times as fast as `String(validating:as:)`: where nothing had to be repaired, the bytes are the same.
        let text = String(decoding: characters, as: UTF8.self)
        let isSame = text.utf8.withContiguousStorageIfAvailable { own -> Bool in
            guard own.count == characters.count else { return false }
            guard let first = own.baseAddress else { return true }
            return memcmp(first, field.start, own.count) == 0
        }
        if isSame != true { throw malformed(row, column, "a text in UTF-8") }
        return text
    }

    /// A decimal number as text, with all digits that the server has of it.
    ///
    /// - Throws: ``PostgreSQLError`` also for `NaN` and the infinite values, which no decimal number of an app is.
    package func numeric(_ row: Int, _ column: Int) throws -> String? {
        guard let bytes = try bytes(row, column) else { return nil }
        guard type(ofColumn: column) == .numeric, let text = NumericText.text(bytes) else {
            throw malformed(row, column, "a decimal number")
        }
        return text
    }
}

extension PostgreSQLResult {
    /// Where a value is. NULL has no bytes, so that most values need no question whether they are NULL.
    @inlinable
    @inline(__always)
    func field(_ row: Int, _ column: Int) throws -> (start: UnsafeRawPointer, count: Int)? {
        let row = Int32(clamping: row)
        let column = Int32(clamping: column)
        let count = PQgetlength(handle, row, column)
        if count <= 0 {
            try check(row, column)
            if PQgetisnull(handle, row, column) != 0 { return nil }
        }
        guard let start = PQgetvalue(handle, row, column) else { throw missing(row, column) }
        return (UnsafeRawPointer(start), Int(count))
    }

    @inlinable
    @inline(__always)
    func fixed<T: FixedWidthInteger>(_ row: Int, _ column: Int, _ expected: StaticString) throws -> T? {
        guard let field = try field(row, column) else { return nil }
        guard field.count == MemoryLayout<T>.size else { throw malformed(row, column, expected) }
        return T(bigEndian: field.start.loadUnaligned(as: T.self))
    }

    @usableFromInline
    func check(_ row: Int32, _ column: Int32) throws {
        guard 0..<rowCount ~= Int(row), 0..<columnCount ~= Int(column) else { throw missing(row, column) }
    }

    @usableFromInline
    func missing(_ row: Int32, _ column: Int32) -> PostgreSQLError {
        let message = "There is no column \(column) in row \(row): the result has \(rowCount) rows of \(columnCount)."
        return PostgreSQLError(.misuse, message)
    }

    @usableFromInline
    func malformed(_ row: Int, _ column: Int, _ expected: StaticString) -> PostgreSQLError {
        let name = name(ofColumn: column) ?? "\(column)"
        let type = type(ofColumn: column).rawValue
        let count = PQgetlength(handle, Int32(clamping: row), Int32(clamping: column))
        let message = "Column \(name) of row \(row) is not \(expected): the type is \(type), the length \(count) bytes."
        return PostgreSQLError(.malformedValue, message)
    }
}
