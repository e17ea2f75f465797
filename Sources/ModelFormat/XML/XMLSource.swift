import Foundation

/// The text of a document as it is parsed: UTF-8 without byte order mark, lines ending in line feeds, and no character
/// that XML cannot hold.
struct XMLSource {
    let bytes: [UInt8]
    /// Whether the first line ended in carriage return and line feed.
    let hasWindowsLineEnds: Bool

    /// - Throws: `ModelDocumentError` `damagedXML`, with the line.
    init(_ data: Data) throws {
        var bytes = [UInt8](data)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        try Self.checkEncoding(bytes)
        try Self.checkCharacters(bytes)
        let firstFeed = bytes.firstIndex(of: UInt8(ascii: "\n"))
        hasWindowsLineEnds = firstFeed.map { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") } ?? false
        self.bytes = bytes.contains(UInt8(ascii: "\r")) ? Self.withLineFeeds(bytes) : bytes
    }

    /// Refuses what is not UTF-8, which is all that Xcode writes.
    private static func checkEncoding(_ bytes: [UInt8]) throws {
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        throw ModelDocumentError(
            .damagedXML, "The document is damaged: this is not UTF-8 text.",
            line: bytes.firstLine { String(validating: $0, as: UTF8.self) == nil })
    }

    private static func checkCharacters(_ bytes: [UInt8]) throws {
        for (position, byte) in bytes.enumerated() {
            let isControl = byte < 0x20 && !byte.isXMLSpace
            guard isControl || byte == 0xEF, isControl || isNoncharacter(bytes[position...]) else { continue }
            let line = bytes[..<position].count { $0 == UInt8(ascii: "\n") } + 1
            throw ModelDocumentError(
                .damagedXML, "The document is damaged: there is a character that XML cannot hold.", line: line)
        }
    }

    /// U+FFFE and U+FFFF.
    private static func isNoncharacter(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: [0xEF, 0xBF, 0xBE]) || bytes.starts(with: [0xEF, 0xBF, 0xBF])
    }

    private static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (position, byte) in bytes.enumerated() {
            let isEndOfPair =
                byte == UInt8(ascii: "\n") && position > 0 && bytes[position - 1] == UInt8(ascii: "\r")
            if isEndOfPair { continue }
            result.append(byte == UInt8(ascii: "\r") ? UInt8(ascii: "\n") : byte)
        }
        return result
    }
}

extension [UInt8] {
    /// The number, from 1, of the first line that fulfils a condition. The lines are looked at one by one: an array of
    /// them could be many times as large as the text.
    func firstLine(where condition: (ArraySlice<UInt8>) -> Bool) -> Int? {
        var (start, number) = (startIndex, 1)
        while true {
            let end = self[start...].firstIndex(of: UInt8(ascii: "\n")) ?? endIndex
            if condition(self[start..<end]) { return number }
            guard end < endIndex else { return nil }
            (start, number) = (end + 1, number + 1)
        }
    }
}
