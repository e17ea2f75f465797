import CZlib
import Foundation

/// The parts of a binary store's file, each with a checksum.
///
/// ```
/// signature  8 bytes: 89 43 44 53 54 0D 0A 1A ("CDST" between bytes that a transfer as text would change)
/// version    4 bytes: 1
/// parts      4 bytes: how many
/// each part  name (4 bytes), length (8 bytes), CRC-32 of its bytes (4 bytes)
/// checksum   4 bytes: CRC-32 of all bytes before
/// then the bytes of the parts, in the same order
/// ```
struct BinaryFile {
    /// The names of the parts.
    enum Part: String, CaseIterable {
        case label = "META"
        case model = "MODL"
        case entities = "ENTS"
        case rows = "ROWS"
        case members = "MEMB"
    }

    var parts: [Part: Data] = [:]

    static let signature = Data([0x89, 0x43, 0x44, 0x53, 0x54, 0x0D, 0x0A, 0x1A])
    static let version: UInt32 = 1

    init() {}

    func part(_ part: Part) throws -> Data {
        guard let data = parts[part] else { throw DamagedStore("The part \(part.rawValue) is missing.") }
        return data
    }

    // MARK: Writing

    var data: Data {
        var writer = ByteWriter()
        writer.append(Self.signature)
        writer.put(Self.version)
        let all = Part.allCases.compactMap { part in parts[part].map { (part, $0) } }
        writer.put(UInt32(all.count))
        for (part, bytes) in all {
            writer.append(Data(part.rawValue.utf8))
            writer.put(UInt64(bytes.count))
            writer.put(bytes.checksum)
        }
        writer.put(writer.data.checksum)
        for (_, bytes) in all { writer.append(bytes) }
        return writer.data
    }

    // MARK: Reading

    init(_ file: Data) throws {
        guard file.starts(with: Self.signature) else {
            throw DamagedStore("It does not begin as a binary store does.")
        }
        var reader = ByteReader(file.dropFirst(Self.signature.count))
        let version = try reader.number(UInt32.self)
        guard version == Self.version else {
            throw DamagedStore("It has version \(version) of the format; this release reads version \(Self.version).")
        }
        let count = try reader.count(ofAtLeast: 16)
        var entries: [(name: String, length: UInt64, checksum: UInt32)] = []
        for _ in 0..<count {
            let name = String(decoding: try reader.take(4), as: UTF8.self)
            entries.append((name, try reader.number(), try reader.number()))
        }
        let head = file.prefix(Self.signature.count + 8 + count * 16)
        guard try reader.number(UInt32.self) == head.checksum else {
            throw DamagedStore("The checksum of its head is wrong.")
        }
        for entry in entries {
            guard let length = Int(exactly: entry.length) else { throw DamagedStore("The file is cut off.") }
            let bytes = try reader.take(length)
            guard bytes.checksum == entry.checksum else {
                throw DamagedStore("The checksum of the part \(entry.name) is wrong.")
            }
            if let part = Part(rawValue: entry.name) { parts[part] = bytes }
        }
        guard reader.isAtEnd else { throw DamagedStore("There is more in the file than its parts.") }
    }
}

extension Data {
    /// The CRC-32 of the bytes.
    fileprivate var checksum: UInt32 {
        withUnsafeBytes { bytes in
            var sum = crc32(0, nil, 0)
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
                sum = crc32(sum, piece.bindMemory(to: UInt8.self).baseAddress, UInt32(piece.count))
                rest = rest.dropFirst(piece.count)
            }
            return UInt32(sum)
        }
    }
}
