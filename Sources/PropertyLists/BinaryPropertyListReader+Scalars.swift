import Foundation

extension BinaryPropertyListReader {
    /// The count in a marker's low bits, or in the integer object that follows.
    mutating func count(_ low: Int, at cursor: inout Int) throws -> Int {
        guard low == 0x0F else { return low }
        let marker = try claimByte(at: &cursor)
        guard marker >> 4 == 0x1, case .integer(let number) = try integer(size: 1 << Int(marker & 0x0F), at: &cursor),
            let count = Int(exactly: number), count >= 0
        else {
            throw corruptList("The binary property list is damaged: an object's count is no number.")
        }
        return count
    }

    /// An integer: without a sign in 1, 2 and 4 bytes, with one in 8; 16 bytes hold what 8 can't, and may hold the
    /// rest.
    mutating func integer(size: Int, at cursor: inout Int) throws -> PropertyListValue {
        guard size <= 16 else { throw corruptList("The binary property list has an integer of \(size) bytes.") }
        let digits = try claim(size, at: &cursor)
        let low = digits.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let value = Int64(bitPattern: low)
        guard size == 16 else { return .integer(value) }
        let high = digits.prefix(8)
        if high.allSatisfy({ $0 == 0 }) { return value < 0 ? .unsigned(low) : .integer(value) }
        guard value < 0, high.allSatisfy({ $0 == 0xFF }) else {
            throw corruptList("The binary property list has an integer beyond 64 bits.")
        }
        return .integer(value)
    }

    mutating func real(size: Int, at cursor: inout Int) throws -> Double {
        let digits = Array(try claim(size, at: &cursor))
        switch size {
        case 4: return Double(Float(bitPattern: UInt32(bigEndianBytes: digits, at: 0)))
        case 8: return Double(bitPattern: UInt64(bigEndianBytes: digits, at: 0))
        default: throw corruptList("The binary property list has a real number of \(size) bytes.")
        }
    }

    mutating func uid(size: Int, at cursor: inout Int) throws -> Int {
        let digits = try claim(size, at: &cursor)
        guard let number = Int(exactly: digits.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }),
            digits.dropLast(8).allSatisfy({ $0 == 0 })
        else {
            throw corruptList("The binary property list has a reference beyond 63 bits.")
        }
        return number
    }

    mutating func ascii(count: Int, at cursor: inout Int) throws -> String {
        let text = try claim(count, at: &cursor)
        guard text.allSatisfy({ $0 < 0x80 }) else {
            throw corruptList("The binary property list is damaged: an ASCII string has other characters.")
        }
        return String(decoding: text, as: UTF8.self)
    }

    mutating func utf16(count: Int, at cursor: inout Int) throws -> String {
        let (size, overflow) = count.multipliedReportingOverflow(by: 2)
        guard !overflow else { throw truncated() }
        let text = Array(try claim(size, at: &cursor))
        let units = (0..<count).map { UInt16(bigEndianBytes: text, at: 2 * $0) }
        guard let string = String(validating: units, as: UTF16.self) else {
            throw corruptList("The binary property list is damaged: a string is no valid UTF-16.")
        }
        return string
    }
}

// MARK: - Bytes

extension BinaryPropertyListReader {
    /// The next bytes of an object's payload, taken from what all objects together may claim.
    mutating func claim(_ size: Int, at cursor: inout Int) throws -> ArraySlice<UInt8> {
        guard cursor >= 8, cursor <= offsetTable, size <= offsetTable - cursor else { throw truncated() }
        guard size <= unclaimedBytes else {
            throw corruptList("The binary property list is damaged: its objects overlap.")
        }
        unclaimedBytes -= size
        defer { cursor += size }
        return bytes[cursor..<cursor + size]
    }

    mutating func claimByte(at cursor: inout Int) throws -> UInt8 {
        let start = cursor
        _ = try claim(1, at: &cursor)
        return bytes[start]
    }

    /// An offset or a reference: not part of any payload.
    func unsigned(at offset: Int, size: Int) throws -> Int {
        let value = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: value) else { throw truncated() }
        return number
    }

    func truncated() -> CocoaError {
        corruptList("The binary property list is damaged: an object reaches beyond its end.")
    }
}
