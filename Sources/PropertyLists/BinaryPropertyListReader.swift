import Foundation

/// Reads the objects of one binary property list (`bplist00`), each at most once.
///
/// A hostile file may list one object many times, let objects overlap, or nest them into each other. So decoded objects
/// are remembered and shared, the payloads of all objects together may not exceed the file (those of an honest one
/// never do), and cycles and deep nesting are errors.
struct BinaryPropertyListReader {
    private static let greatestDepth = 128
    private static let trailerSize = 32

    let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    let offsetTable: Int
    private let rootNumber: Int
    private var objects: [State]
    var unclaimedBytes: Int

    /// How far the decoding of an object has come.
    private enum State {
        case unread
        case beingRead
        case read(PropertyListValue)
    }

    init(_ bytes: [UInt8]) throws {
        guard bytes.starts(with: "bplist0".utf8), bytes.count >= 8 + Self.trailerSize else {
            throw corruptList("The data is no binary property list: it does not start with “bplist00”.")
        }
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerSize
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        offsetTable = try Self.count(in: bytes, at: trailer + 24)
        rootNumber = try Self.count(in: bytes, at: trailer + 16)
        unclaimedBytes = trailer

        let objectCount = try Self.count(in: bytes, at: trailer + 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), (8...trailer).contains(offsetTable),
            objectCount <= (trailer - offsetTable) / offsetSize
        else {
            throw corruptList("The binary property list is damaged: its trailer does not fit its size.")
        }
        objects = Array(repeating: .unread, count: objectCount)
    }

    /// The value that the list consists of.
    mutating func root() throws -> PropertyListValue {
        try object(rootNumber, depth: 0)
    }

    /// An 8-byte count of the trailer; no count exceeds the file.
    private static func count(in bytes: [UInt8], at offset: Int) throws -> Int {
        let count = UInt64(bigEndianBytes: bytes, at: offset)
        guard count <= UInt64(bytes.count) else {
            throw corruptList(
                "The binary property list is damaged: its trailer counts \(count) in \(bytes.count) bytes.")
        }
        return Int(count)
    }
}

// MARK: - Objects

extension BinaryPropertyListReader {
    private mutating func object(_ number: Int, depth: Int) throws -> PropertyListValue {
        guard objects.indices.contains(number) else {
            throw corruptList(
                "The binary property list is damaged: it refers to object \(number) of \(objects.count).")
        }
        switch objects[number] {
        case .read(let value):
            return value
        case .beingRead:
            throw corruptList("The binary property list is damaged: object \(number) contains itself.")
        case .unread:
            guard depth < Self.greatestDepth else {
                throw corruptList("The binary property list nests deeper than \(Self.greatestDepth) levels.")
            }
            objects[number] = .beingRead
            let value = try decoded(number, depth: depth)
            objects[number] = .read(value)
            return value
        }
    }

    private mutating func decoded(_ number: Int, depth: Int) throws -> PropertyListValue {
        var cursor = try unsigned(at: offsetTable + number * offsetSize, size: offsetSize)
        let marker = try claimByte(at: &cursor)
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0: return try singleton(marker)
        case 0x1: return try integer(size: 1 << low, at: &cursor)
        case 0x2: return .real(try real(size: 1 << low, at: &cursor))
        case 0x3: return .date(try real(size: 1 << low, at: &cursor))
        case 0x4: return .data(Data(try claim(try count(low, at: &cursor), at: &cursor)))
        case 0x5: return .string(try ascii(count: try count(low, at: &cursor), at: &cursor))
        case 0x6: return .string(try utf16(count: try count(low, at: &cursor), at: &cursor))
        case 0x8: return .uid(try uid(size: low + 1, at: &cursor))
        case 0xA: return .array(try array(count: try count(low, at: &cursor), at: &cursor, depth: depth))
        case 0xD: return .dictionary(try dictionary(count: try count(low, at: &cursor), at: &cursor, depth: depth))
        default: throw corruptList("The binary property list has an object of unknown kind \(marker).")
        }
    }

    private func singleton(_ marker: UInt8) throws -> PropertyListValue {
        switch marker {
        case 0x00: return .null
        case 0x08: return .boolean(false)
        case 0x09: return .boolean(true)
        default: throw corruptList("The binary property list has an object of unknown kind \(marker).")
        }
    }

    private mutating func array(count: Int, at cursor: inout Int, depth: Int) throws -> [PropertyListValue] {
        try references(count: count, at: &cursor).map { try object($0, depth: depth + 1) }
    }

    private mutating func dictionary(
        count: Int, at cursor: inout Int, depth: Int
    ) throws -> [String: PropertyListValue] {
        let keys = try references(count: count, at: &cursor)
        let values = try references(count: count, at: &cursor)
        var entries: [String: PropertyListValue] = [:]
        for (key, value) in zip(keys, values) {
            guard let name = try object(key, depth: depth + 1).string else {
                throw corruptList("The binary property list is damaged: a dictionary's key is no string.")
            }
            guard entries.updateValue(try object(value, depth: depth + 1), forKey: name) == nil else {
                throw corruptList("The binary property list is damaged: a dictionary has the key “\(name)” twice.")
            }
        }
        return entries
    }

    private mutating func references(count: Int, at cursor: inout Int) throws -> [Int] {
        let (size, overflow) = count.multipliedReportingOverflow(by: referenceSize)
        guard !overflow else { throw truncated() }
        let start = cursor
        _ = try claim(size, at: &cursor)
        return try (0..<count).map { try unsigned(at: start + $0 * referenceSize, size: referenceSize) }
    }
}
