import Foundation

/// Takes apart what ``ByteWriter`` puts together. Bytes that are not there are reported as damage.
struct ByteReader {
    private var rest: Data

    init(_ data: Data) { rest = data }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number<N: FixedWidthInteger & BitwiseCopyable>(_ type: N.Type = N.self) throws -> N {
        let bytes = try take(MemoryLayout<N>.size)
        return N(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(as: N.self) })
    }

    mutating func double() throws -> Double { Double(bitPattern: try number()) }

    /// Bytes with a length of four bytes before them.
    mutating func bytes() throws -> Data { try take(Int(try number(UInt32.self))) }

    mutating func text() throws -> String {
        guard let text = String(data: try bytes(), encoding: .utf8) else {
            throw DamagedStore("A text is not valid UTF-8.")
        }
        return text
    }

    /// How many things follow, each of which takes some bytes: a damaged count must not take memory.
    mutating func count(ofAtLeast size: Int) throws -> Int {
        let count = Int(try number(UInt32.self))
        guard count * size <= rest.count else { throw DamagedStore("The file is cut off.") }
        return count
    }

    mutating func take(_ count: Int) throws -> Data {
        guard count <= rest.count else { throw DamagedStore("The file is cut off.") }
        let bytes = rest.prefix(count)
        rest = rest.dropFirst(count)
        return bytes
    }
}
