import Foundation

// Arrays of one dimension, for `= ANY($1)` and `unnest($1)`: one statement serves any number of elements.
extension PostgreSQLParameters {
    package mutating func append(int64s values: some Collection<Int64>) throws {
        try append(values, .int8Array, of: .int8) { $0.append(bigEndian: $1) }
    }

    package mutating func append(int32s values: some Collection<Int32>) throws {
        try append(values, .int4Array, of: .int4) { $0.append(bigEndian: $1) }
    }

    package mutating func append(int16s values: some Collection<Int16>) throws {
        try append(values, .int2Array, of: .int2) { $0.append(bigEndian: $1) }
    }

    package mutating func append(bools values: some Collection<Bool>) throws {
        try append(values, .boolArray, of: .bool) { $0.append($1 ? 1 : 0) }
    }

    /// - Parameter values: Microseconds since the start of the year 2000 in UTC.
    package mutating func append(timestamps values: some Collection<Int64>) throws {
        try append(values, .timestamptzArray, of: .timestamptz) { $0.append(bigEndian: $1) }
    }

    /// - Parameter values: Decimal numbers as in ``append(numeric:)``.
    package mutating func append(numerics values: some Collection<String>) throws {
        let error = PostgreSQLError(
            .invalidParameter, "Parameter \(next) has an element that is no decimal number of PostgreSQL.")
        try append(values, .numericArray, of: .numeric) { bytes, text in
            if !NumericText.append(text[...].utf8, to: &bytes) { throw error }
        }
    }

    package mutating func append(doubles values: some Collection<Double>) throws {
        try append(values, .float8Array, of: .float8) { $0.append(bigEndian: $1.bitPattern) }
    }

    package mutating func append(uuids values: some Collection<UUID>) throws {
        try append(values, .uuidArray, of: .uuid) { bytes, value in
            withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
        }
    }

    package mutating func append(byteArrays values: some Collection<[UInt8]>) throws {
        try append(values, .byteaArray, of: .bytea) { $0.append(contentsOf: $1) }
    }

    /// - Throws: ``PostgreSQLError`` of the kind `invalidParameter` for a text with a NUL character.
    package mutating func append(texts values: some Collection<String>) throws {
        let error = textWithZero()
        try append(values, .textArray, of: .text) { bytes, value in
            if value.utf8.contains(0) { throw error }
            bytes.append(contentsOf: value.utf8)
        }
    }

    /// Appends the array's head, and each element with its length before it.
    private mutating func append<Values: Collection>(
        _ values: Values, _ type: PostgreSQLType, of element: PostgreSQLType,
        _ write: (inout [UInt8], Values.Element) throws -> Void
    ) throws {
        let start = bytes.count
        do {
            appendHead(count: Int32(clamping: values.count), of: element)
            for value in values {
                let place = bytes.count
                bytes.append(bigEndian: 0 as Int32)
                try write(&bytes, value)
                bytes.store(bigEndian: Int32(truncatingIfNeeded: bytes.count - place - 4), at: place)
                if bytes.count - start > Self.mostBytes { throw tooLarge() }
            }
        } catch {
            bytes.removeSubrange(start...)
            throw error
        }
        note(type, from: start)
    }

    /// The number of dimensions, whether there are NULLs, the elements' type; of the dimension its length and the index
    /// of its first element.
    private mutating func appendHead(count: Int32, of element: PostgreSQLType) {
        bytes.append(bigEndian: count == 0 ? 0 : 1 as Int32)
        bytes.append(bigEndian: 0 as Int32)
        bytes.append(bigEndian: element.rawValue)
        if count == 0 { return }
        bytes.append(bigEndian: count)
        bytes.append(bigEndian: 1 as Int32)
    }
}
