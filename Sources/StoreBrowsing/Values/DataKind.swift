import Foundation

/// What data seem to be, by their first bytes.
package enum DataKind: String, Sendable, CaseIterable {
    case jpeg, png, gif, webp, tiff, heic
    case pdf, propertyList, zip, gzip, sqlite, xml, svg, riff, ogg, mp3, mp4, json, text
    case unknown

    /// - Parameters:
    ///   - data: The data, or their beginning.
    ///   - isWhole: Whether nothing follows.
    package init(of data: Data, isWhole: Bool = true) {
        if Self.isSVG(data) {
            self = .svg
        } else if let known = Self.signatures.first(where: { data.starts(with: $0.0) }) {
            self = known.1 == .riff && data.dropFirst(8).starts(with: Array("WEBP".utf8)) ? .webp : known.1
        } else if data.dropFirst(4).starts(with: Array("ftyphei".utf8)) {
            self = .heic
        } else if data.dropFirst(4).starts(with: Array("ftyp".utf8)) {
            self = .mp4
        } else if Self.isJSON(data, isWhole: isWhole) {
            self = .json
        } else {
            self = Self.isText(data) ? .text : .unknown
        }
    }

    private static let signatures: [([UInt8], DataKind)] = [
        ([0xFF, 0xD8, 0xFF], .jpeg), ([0x89, 0x50, 0x4E, 0x47], .png), (Array("GIF8".utf8), .gif),
        (Array("%PDF".utf8), .pdf), (Array("bplist".utf8), .propertyList), (Array("PK\u{3}\u{4}".utf8), .zip),
        ([0x1F, 0x8B], .gzip), ([0x49, 0x49, 0x2A, 0x00], .tiff), ([0x4D, 0x4D, 0x00, 0x2A], .tiff),
        (Array("SQLite format 3".utf8), .sqlite), (Array("<?xml".utf8), .xml), (Array("RIFF".utf8), .riff),
        (Array("OggS".utf8), .ogg), (Array("ID3".utf8), .mp3),
    ]

    /// Whether data are an object or an array of JSON. Of what is cut only the beginning can be told.
    private static func isJSON(_ data: Data, isWhole: Bool) -> Bool {
        guard let first = data.first(where: { !JSONBeginning.isBlank($0) }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return false }
        if isWhole { return (try? JSONSerialization.jsonObject(with: data)) != nil }
        return isUTF8(data) && JSONBeginning.fits(data)
    }

    /// Whether the first bytes are text.
    private static func isText(_ data: Data) -> Bool {
        let start = data.prefix(512)
        guard !start.isEmpty, start.allSatisfy({ $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }) else { return false }
        return isUTF8(start)
    }

    /// Whether bytes are UTF-8; the last character of them may be cut in two.
    private static func isUTF8(_ bytes: Data) -> Bool {
        (0..<4).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    }

    /// The usual ending of a file's name.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .propertyList: "plist"
        case .gzip: "gz"
        case .text, .unknown: "bin"
        case .png, .gif, .webp, .tiff, .heic, .pdf, .zip, .sqlite, .xml, .svg, .riff, .ogg, .mp3, .mp4, .json: rawValue
        }
    }
}
