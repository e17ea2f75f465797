/// Numbers as the server sends and expects them: the most significant byte first.
enum BigEndian {
    /// Reads a number. The memory need not be aligned, and must have the number's bytes.
    @inline(__always)
    static func load<T: FixedWidthInteger>(_ memory: UnsafeRawPointer, as type: T.Type) -> T {
        T(bigEndian: memory.loadUnaligned(as: T.self))
    }
}

extension [UInt8] {
    /// Appends a number.
    @inlinable
    @inline(__always)
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// Replaces the four bytes from `place` on by a number.
    @usableFromInline
    mutating func store(bigEndian value: Int32, at place: Int) {
        Swift.withUnsafeBytes(of: value.bigEndian) { source in
            for (offset, byte) in source.enumerated() { self[place + offset] = byte }
        }
    }
}
