/// What stands between the fields of a record.
enum CSVDelimiter: String, CaseIterable {
    // In the order in which they are taken where a record has several of them as often.
    case comma, semicolon, tabulator

    var byte: UInt8 {
        switch self {
        case .comma: UInt8(ascii: ",")
        case .semicolon: UInt8(ascii: ";")
        case .tabulator: UInt8(ascii: "\t")
        }
    }

    /// The one that a file's first record has most often outside of quotes. It is the comma where the record has none
    /// of them.
    ///
    /// - Parameter isAtEnd: Whether nothing follows the bytes.
    /// - Returns: Nil where the record's end is not at hand.
    init?(ofFirstRecordIn bytes: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) {
        guard let counts = Self.counts(bytes, isAtEnd: isAtEnd) else { return nil }
        self = Self.allCases.reduce(CSVDelimiter.comma) { (counts[$1] ?? 0) > (counts[$0] ?? 0) ? $1 : $0 }
    }

    private enum Place {
        case fieldStart, plain, quoted, behindQuote
    }

    /// How often the first record that has a character has each of them.
    private static func counts(_ bytes: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) -> [CSVDelimiter: Int]? {
        var counts: [CSVDelimiter: Int] = [:]
        var place = Place.fieldStart
        for byte in bytes.drop(while: isLineEnd) {
            if place == .quoted {
                if byte == CSVReader.quote { place = .behindQuote }
            } else if byte == CSVReader.quote, place != .plain {
                // Behind a quote it is the second one of two, which stand for one in the field.
                place = .quoted
            } else if isLineEnd(byte) {
                return counts
            } else if let delimiter = allCases.first(where: { $0.byte == byte }) {
                counts[delimiter, default: 0] += 1
                place = .fieldStart
            } else {
                place = .plain
            }
        }
        return isAtEnd ? counts : nil
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == CSVReader.lineFeed || byte == CSVReader.carriageReturn
    }
}
