import Foundation

/// Reads binary property lists of keyed archives from anywhere: damage and malice end in errors.
///
/// Every object is read once and shared by those that refer to it. The bytes of all objects together may not exceed the
/// list's, so that overlapping objects can't multiply; cycles and deep nesting, which archives don't have at this level,
/// are refused.
struct ArchiveReader {
    /// Values within values; an archive's objects lie side by side and refer to each other by number.
    private static let deepestNesting = 32
    private static let trailerSize = 32

    private enum Slot {
        case unread, open
        case read(ArchiveValue)
    }

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let tableStart: Int
    private let rootNumber: Int
    private var slots: [Slot]
    private var remainingBytes: Int

    static func value(of data: Data) throws -> ArchiveValue {
        var reader = try ArchiveReader(Array(data))
        return try reader.object(reader.rootNumber, depth: 0)
    }

    private init(_ bytes: [UInt8]) throws {
        guard bytes.starts(with: Array("bplist00".utf8)), bytes.count >= 8 + Self.trailerSize else {
            throw SecureArchive.corrupt("The data is no keyed archive: it does not start with “bplist00”.")
        }
        let trailer = bytes.count - Self.trailerSize
        let counts = [8, 16, 24].map { Self.unsigned(bytes[(trailer + $0)..<(trailer + $0 + 8)]) }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let table = Int(exactly: counts[2]), (8...trailer).contains(table),
            let count = Int(exactly: counts[0]), count <= (trailer - table) / offsetSize,
            let root = Int(exactly: counts[1])
        else { throw Self.damage("its trailer doesn't fit its size") }
        self.bytes = bytes
        tableStart = table
        rootNumber = root
        slots = Array(repeating: .unread, count: count)
        remainingBytes = table
    }

    private static func unsigned(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    private static func damage(_ what: String) -> CocoaError {
        SecureArchive.corrupt("The archive is damaged: \(what).")
    }
}

// MARK: Objects

extension ArchiveReader {
    private mutating func object(_ number: Int, depth: Int) throws -> ArchiveValue {
        guard slots.indices.contains(number) else { throw Self.damage("it refers to a value that it doesn't hold") }
        switch slots[number] {
        case .read(let value): return value
        case .open: throw Self.damage("a value contains itself")
        case .unread: break
        }
        guard depth <= Self.deepestNesting else { throw Self.damage("its values nest too deep") }
        slots[number] = .open
        let entry = tableStart + number * offsetSize
        guard var cursor = Int(exactly: Self.unsigned(bytes[entry..<entry + offsetSize])) else {
            throw Self.damage("a value lies beyond its end")
        }
        let value = try self.value(at: &cursor, depth: depth)
        slots[number] = .read(value)
        return value
    }

    private mutating func value(at cursor: inout Int, depth: Int) throws -> ArchiveValue {
        let marker = try Int(take(1, &cursor).first ?? 0)
        switch (marker >> 4, marker & 0xF) {
        case (0, 0): return .null
        case (0, 8): return .boolean(false)
        case (0, 9): return .boolean(true)
        case (1, let power) where power <= 4: return .integer(try integer(1 << power, &cursor))
        case (2, 2): return .real(Double(Float(bitPattern: UInt32(Self.unsigned(try take(4, &cursor))))))
        case (2, 3): return .real(Double(bitPattern: Self.unsigned(try take(8, &cursor))))
        case (3, 3): return .date(Double(bitPattern: Self.unsigned(try take(8, &cursor))))
        case (4, let low): return .data(Data(try take(try count(low, &cursor), &cursor)))
        case (5, let low): return .string(try ascii(try count(low, &cursor), &cursor))
        case (6, let low): return .string(try utf16(try count(low, &cursor), &cursor))
        case (8, let low) where low < 8: return .reference(try reference(low + 1, &cursor))
        case (0xA, let low): return .array(try objects(try count(low, &cursor), &cursor, depth: depth))
        case (0xD, let low): return .dictionary(try dictionary(try count(low, &cursor), &cursor, depth: depth))
        default: throw Self.damage("it holds a value of an unknown kind")
        }
    }

    private mutating func objects(_ count: Int, _ cursor: inout Int, depth: Int) throws -> [ArchiveValue] {
        guard count <= bytes.count else { throw Self.damage("a collection is larger than the archive") }
        let numbers = try take(count * referenceSize, &cursor)
        var values: [ArchiveValue] = []
        for start in stride(from: numbers.startIndex, to: numbers.endIndex, by: referenceSize) {
            guard let number = Int(exactly: Self.unsigned(numbers[start..<start + referenceSize])) else {
                throw Self.damage("it refers to a value that it doesn't hold")
            }
            values.append(try object(number, depth: depth + 1))
        }
        return values
    }

    private mutating func dictionary(
        _ count: Int, _ cursor: inout Int, depth: Int
    ) throws -> [String: ArchiveValue] {
        let keys = try objects(count, &cursor, depth: depth)
        let values = try objects(count, &cursor, depth: depth)
        var entries: [String: ArchiveValue] = [:]
        for (key, value) in zip(keys, values) {
            guard let key = key.string, entries.updateValue(value, forKey: key) == nil else {
                throw Self.damage("a dictionary's key is no text, or there twice")
            }
        }
        return entries
    }
}

// MARK: Scalars

extension ArchiveReader {
    /// Without a sign in 1, 2 and 4 bytes; in 8 with one; of 16 the lower half counts if the upper one is its sign.
    private mutating func integer(_ size: Int, _ cursor: inout Int) throws -> Int64 {
        let digits = try take(size, &cursor)
        let number = Int64(bitPattern: Self.unsigned(digits.suffix(8)))
        guard digits.dropLast(8).allSatisfy({ $0 == (number < 0 ? 0xFF : 0) }) else {
            throw Self.damage("it holds an integer of more than 64 bits")
        }
        return number
    }

    private mutating func count(_ low: Int, _ cursor: inout Int) throws -> Int {
        guard low == 0xF else { return low }
        let marker = try Int(take(1, &cursor).first ?? 0)
        guard marker >> 4 == 1, marker & 0xF <= 3 else { throw Self.damage("a count is no number") }
        let count = try integer(1 << (marker & 0xF), &cursor)
        guard (0...Int64(bytes.count)).contains(count) else { throw Self.damage("a count is beyond its size") }
        return Int(count)
    }

    private mutating func reference(_ size: Int, _ cursor: inout Int) throws -> Int {
        guard let number = Int(exactly: Self.unsigned(try take(size, &cursor))) else {
            throw Self.damage("it refers to an object that it doesn't hold")
        }
        return number
    }

    private mutating func ascii(_ count: Int, _ cursor: inout Int) throws -> String {
        let text = try take(count, &cursor)
        guard text.allSatisfy({ $0 < 0x80 }) else { throw Self.damage("a text has bytes that are none") }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func utf16(_ count: Int, _ cursor: inout Int) throws -> String {
        let text = try take(count * 2, &cursor)
        let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map {
            UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }

    private mutating func take(_ count: Int, _ cursor: inout Int) throws -> ArraySlice<UInt8> {
        guard cursor >= 8, cursor <= tableStart, count <= tableStart - cursor else {
            throw Self.damage("a value reaches beyond its end")
        }
        guard count <= remainingBytes else { throw Self.damage("its values overlap") }
        remainingBytes -= count
        defer { cursor += count }
        return bytes[cursor..<cursor + count]
    }
}
