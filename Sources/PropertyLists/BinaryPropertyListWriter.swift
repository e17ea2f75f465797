import Foundation

/// Writes one binary property list; strings, numbers, dates, data and references that are equal are written once.
struct BinaryPropertyListWriter {
    /// What keeps equal scalars apart from unequal ones: reals by their bits, text by its code units.
    private enum Scalar: Hashable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case unsigned(UInt64)
        case real(UInt64)
        case date(UInt64)
        case data(Data)
        case string([UInt16])
        case uid(Int)
    }

    /// An object with its references known, but not yet how many bytes a reference takes.
    private enum Node {
        case scalar([UInt8])
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private var nodes: [Node] = []
    private var numbers: [Scalar: Int] = [:]

    mutating func data(root: PropertyListValue) -> Data {
        let rootNumber = add(root)
        let referenceSize = Self.size(for: nodes.count - 1)
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for node in nodes {
            offsets.append(bytes.count)
            bytes += encoded(node, referenceSize: referenceSize)
        }
        let offsetTable = bytes.count
        let offsetSize = Self.size(for: offsetTable)
        for offset in offsets {
            bytes += Self.bytes(offset, size: offsetSize)
        }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        bytes += [nodes.count, rootNumber, offsetTable].flatMap { Self.bytes($0, size: 8) }
        return Data(bytes)
    }
}

// MARK: - Numbering

extension BinaryPropertyListWriter {
    /// The number of the value's object, which is added if need be. Containers come before their elements.
    private mutating func add(_ value: PropertyListValue) -> Int {
        switch value {
        case .null: return add(.null, [0x00])
        case .boolean(let flag): return add(.boolean(flag), [flag ? 0x09 : 0x08])
        case .integer(let number): return add(.integer(number), Self.integer(number))
        case .unsigned(let number): return add(.unsigned(number), Self.unsigned(number))
        case .real(let number): return add(.real(number.bitPattern), [0x23] + number.bitPattern.bigEndianBytes)
        case .date(let seconds): return add(.date(seconds.bitPattern), [0x33] + seconds.bitPattern.bigEndianBytes)
        case .data(let data): return add(.data(data), Self.header(0x40, count: data.count) + Array(data))
        case .string(let text): return add(.string(Array(text.utf16)), Self.string(text))
        case .uid(let number): return add(.uid(number), Self.uid(number))
        case .array(let elements): return add(elements)
        case .dictionary(let entries): return add(entries)
        }
    }

    private mutating func add(_ scalar: Scalar, _ bytes: @autoclosure () -> [UInt8]) -> Int {
        if let number = numbers[scalar] { return number }
        numbers[scalar] = nodes.count
        nodes.append(.scalar(bytes()))
        return nodes.count - 1
    }

    private mutating func add(_ elements: [PropertyListValue]) -> Int {
        let number = nodes.count
        nodes.append(.array([]))
        nodes[number] = .array(elements.map { add($0) })
        return number
    }

    private mutating func add(_ entries: [String: PropertyListValue]) -> Int {
        let number = nodes.count
        nodes.append(.dictionary(keys: [], values: []))
        let sorted = entries.sorted { $0.key < $1.key }
        let keys = sorted.map { add(.string($0.key)) }
        nodes[number] = .dictionary(keys: keys, values: sorted.map { add($0.value) })
        return number
    }
}

// MARK: - Bytes

extension BinaryPropertyListWriter {
    private func encoded(_ node: Node, referenceSize: Int) -> [UInt8] {
        switch node {
        case .scalar(let bytes):
            bytes
        case .array(let elements):
            Self.header(0xA0, count: elements.count) + elements.flatMap { Self.bytes($0, size: referenceSize) }
        case .dictionary(let keys, let values):
            Self.header(0xD0, count: keys.count) + (keys + values).flatMap { Self.bytes($0, size: referenceSize) }
        }
    }

    private static func header(_ kind: UInt8, count: Int) -> [UInt8] {
        count < 0x0F ? [kind | UInt8(count)] : [kind | 0x0F] + integer(Int64(count))
    }

    private static func string(_ text: String) -> [UInt8] {
        let utf8 = Array(text.utf8)
        if utf8.allSatisfy({ $0 < 0x80 }) { return header(0x50, count: utf8.count) + utf8 }
        return header(0x60, count: text.utf16.count) + text.utf16.flatMap { $0.bigEndianBytes }
    }

    /// Without a sign in 1, 2 or 4 bytes where that suffices, else with one in 8.
    private static func integer(_ number: Int64) -> [UInt8] {
        switch number {
        case 0...0xFF: [0x10, UInt8(number)]
        case 0...0xFFFF: [0x11] + UInt16(number).bigEndianBytes
        case 0...0xFFFF_FFFF: [0x12] + UInt32(number).bigEndianBytes
        default: [0x13] + number.bigEndianBytes
        }
    }

    /// 16 bytes: 8 would have a sign.
    private static func unsigned(_ number: UInt64) -> [UInt8] {
        [0x14] + [UInt8](repeating: 0, count: 8) + number.bigEndianBytes
    }

    private static func uid(_ number: Int) -> [UInt8] {
        let size = size(for: number)
        return [0x80 | UInt8(size - 1)] + bytes(number, size: size)
    }

    private static func bytes(_ number: Int, size: Int) -> [UInt8] {
        number.bigEndianBytes.suffix(size)
    }

    /// The bytes that a number takes: 1, 2, 4 or 8.
    private static func size(for number: Int) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}
