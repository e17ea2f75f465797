import PropertyLists

/// The digests that Core Data's file formats contain.
///
/// They are constants of those formats, not a means of security here: version hashes are SHA-256, digests of models
/// SHA-512, and the compiler derives names of private declarations from MD5.
package enum Digest {
    /// SHA-256 as FIPS 180-4 defines it: 32 bytes.
    package static func sha256(_ message: some Sequence<UInt8>) -> [UInt8] {
        SHA256.hash(Array(message))
    }

    /// SHA-512 as FIPS 180-4 defines it: 64 bytes.
    package static func sha512(_ message: some Sequence<UInt8>) -> [UInt8] {
        SHA512.hash(Array(message))
    }

    /// MD5 as RFC 1321 defines it: 16 bytes.
    package static func md5(_ message: some Sequence<UInt8>) -> [UInt8] {
        MD5.hash(Array(message))
    }
}

extension Digest {
    /// The message with the padding that all three digests share: one set bit, zeros, and the length in bits.
    ///
    /// - Parameters:
    ///   - block: The size of a block in bytes.
    ///   - length: The bytes that the length takes at the end of the last block, at least 8.
    ///   - bigEndian: The byte order of the length.
    static func padded(_ message: [UInt8], block: Int, length: Int, bigEndian: Bool) -> [UInt8] {
        var padded = message
        padded.append(0x80)
        let used = (padded.count + length) % block
        padded.append(contentsOf: repeatElement(0, count: (used == 0 ? 0 : block - used) + length - 8))
        let bits = UInt64(message.count) * 8
        for byte in 0..<8 {
            padded.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * (bigEndian ? 7 - byte : byte))))
        }
        return padded
    }
}

extension FixedWidthInteger {
    /// The bits turned to the right.
    @inline(__always)
    func rotatedRight(_ count: Self) -> Self {
        self &>> count | self &<< (Self(Self.bitWidth) &- count)
    }
}
