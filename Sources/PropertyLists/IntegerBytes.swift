// Inlinable, so that each integer type has code of its own: version hashes of all entities are computed when a store is
// opened.

extension FixedWidthInteger where Self: BitwiseCopyable {
    /// The integer that starts at an offset of some bytes, most significant byte first.
    @inlinable
    package init(bigEndianBytes bytes: [UInt8], at offset: Int) {
        precondition(
            offset >= 0 && offset <= bytes.count - MemoryLayout<Self>.size, "An integer beyond the end of its bytes.")
        self = bytes.withUnsafeBytes { Self(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Self.self)) }
    }

    /// The bytes of the integer, most significant first.
    @inlinable
    package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }

    /// The bytes of the integer, least significant first.
    @inlinable
    package var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
