extension FixedWidthInteger {
    /// The integer that starts at an offset of some bytes, most significant byte first.
    package init(bigEndianBytes bytes: [UInt8], at offset: Int) {
        self = bytes[offset..<offset + Self.bitWidth / 8].reduce(0) { $0 << 8 | Self($1) }
    }

    /// The bytes of the integer, most significant first.
    package var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> Self($0)) }
    }
}
