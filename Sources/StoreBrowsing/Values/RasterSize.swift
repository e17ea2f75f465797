import Foundation

/// The measures of a picture, read from its header: nothing is decoded.
package struct RasterSize: Sendable, Hashable {
    package let width: Int
    package let height: Int

    /// - Returns: Nil for kinds other than PNG, GIF, JPEG and WebP, and for a header that is cut or damaged.
    package init?(of data: Data, _ kind: DataKind) {
        let bytes = HeaderBytes(data)
        let size: (Int?, Int?) =
            switch kind {
            case .png: (bytes.big(at: 16, 4), bytes.big(at: 20, 4))
            case .gif: (bytes.little(at: 6, 2), bytes.little(at: 8, 2))
            case .jpeg: Self.jpeg(bytes)
            case .webp: Self.webp(bytes)
            default: (nil, nil)
            }
        guard let width = size.0, let height = size.1, width > 0, height > 0 else { return nil }
        (self.width, self.height) = (width, height)
    }

    /// The measures are in the first frame's header, behind segments that say how long they are.
    private static func jpeg(_ bytes: HeaderBytes) -> (Int?, Int?) {
        var place = 2
        while let mark = bytes.big(at: place, 1), mark == 0xFF, let kind = bytes.big(at: place + 1, 1) {
            if kind == 0xFF {
                place += 1
                continue
            }
            let isFrame = (0xC0...0xCF).contains(kind) && ![0xC4, 0xC8, 0xCC].contains(kind)
            if isFrame { return (bytes.big(at: place + 7, 2), bytes.big(at: place + 5, 2)) }
            guard let length = bytes.big(at: place + 2, 2), length >= 2 else { break }
            place += 2 + length
        }
        return (nil, nil)
    }

    private static func webp(_ bytes: HeaderBytes) -> (Int?, Int?) {
        switch bytes.big(at: 12, 4) {
        case 0x5650_3858:  // VP8X: the canvas
            return (bytes.little(at: 24, 3).map { $0 + 1 }, bytes.little(at: 27, 3).map { $0 + 1 })
        case 0x5650_384C:  // VP8L: 14 bits each
            guard let bits = bytes.little(at: 21, 4) else { return (nil, nil) }
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case 0x5650_3820:  // VP8
            return (bytes.little(at: 26, 2).map { $0 & 0x3FFF }, bytes.little(at: 28, 2).map { $0 & 0x3FFF })
        default: return (nil, nil)
        }
    }
}

/// The first bytes of a file, with numbers in them.
private struct HeaderBytes {
    private let bytes: [UInt8]

    init(_ data: Data) { bytes = Array(data.prefix(1 << 18)) }

    func big(at place: Int, _ count: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    func little(at place: Int, _ count: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
