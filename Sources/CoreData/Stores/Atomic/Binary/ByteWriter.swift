import Foundation

/// Puts numbers, texts and bytes one after the other, the least significant byte of a number first.
struct ByteWriter {
    private(set) var data = Data()

    mutating func put<N: FixedWidthInteger>(_ number: N) {
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }

    mutating func put(_ number: Double) { put(number.bitPattern) }

    /// A length of four bytes, and the bytes.
    mutating func put(bytes: UnsafeRawBufferPointer) {
        put(UInt32(bytes.count))
        data.append(contentsOf: bytes)
    }

    mutating func put(_ bytes: Data) { bytes.withUnsafeBytes { put(bytes: $0) } }

    mutating func put(_ text: String) {
        var text = text
        text.withUTF8 { put(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Bytes without their length.
    mutating func append(_ bytes: Data) { data.append(bytes) }
}
