import StoreBrowsing

/// Reads comma-separated values after RFC 4180. Semicolons or tabulators may stand for the commas: the first record
/// tells (``CSVDelimiter``).
///
/// A quoted field may have commas, line breaks and doubled quotes. A line ends with CRLF, LF or CR; the last one may
/// lack its end. Lines without any character are passed over, and so is a byte order mark.
package final class CSVReader: RecordReader {
    private let input: InputFile
    // Exclusive access is not checked at run time: nothing that is called meanwhile reaches the reader.
    @exclusivity(unchecked) package private(set) var line = 0
    @exclusivity(unchecked) private var nextLine = 1
    /// The fields of the present record, by their places behind its beginning.
    @exclusivity(unchecked) private var fields: ContiguousArray<Field> = []
    @exclusivity(unchecked) private var length = 0
    /// The bytes of a field with doubled quotes.
    @exclusivity(unchecked) private var plain: ContiguousArray<UInt8> = []
    /// What stands between fields.
    @exclusivity(unchecked) private var delimiter = CSVDelimiter.comma
    /// The byte of that, and the greatest byte that ends a field without quotes.
    @exclusivity(unchecked) private var mark = CSVDelimiter.comma.byte
    @exclusivity(unchecked) private var greatestEnd = CSVDelimiter.comma.byte

    private struct Field {
        let start: Int
        let count: Int
        let isQuoted: Bool
        let hasDoubledQuotes: Bool
    }

    static let quote = UInt8(ascii: "\"")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")

    init(_ input: InputFile) { self.input = input }

    /// How many fields the present record has.
    var count: Int { fields.count }

    package func next() throws -> Bool {
        repeat {
            if line == 0 { try begin() }
            input.consume(length)
            length = 0
            line = nextLine
            while true {
                if input.isAtEnd, input.bytes.isEmpty { return false }
                if try scan(input.bytes, isAtEnd: input.isAtEnd) { break }
                try input.more()
            }
        } while isBlank
        return true
    }

    private var isBlank: Bool { fields.count == 1 && fields[0].count == 0 && !fields[0].isQuoted }

    /// Passes over a byte order mark, and looks what stands between fields.
    private func begin() throws {
        while input.bytes.count < 3, !input.isAtEnd { try input.more() }
        if input.bytes.prefix(3).elementsEqual([0xEF, 0xBB, 0xBF]) { input.consume(3) }
        while true {
            if let found = CSVDelimiter(ofFirstRecordIn: input.bytes, isAtEnd: input.isAtEnd) {
                (delimiter, mark, greatestEnd) = (found, found.byte, max(found.byte, Self.carriageReturn))
                return
            }
            try input.more()
        }
    }

    /// Calls `body` with a field. A field without quotes and characters is null.
    @inline(__always)
    func withField<R>(_ index: Int, _ body: (InputValue) throws -> R) rethrows -> R {
        let field = fields[index]
        if field.count == 0, !field.isQuoted { return try body(.null) }
        let bytes = UnsafeBufferPointer(rebasing: input.bytes[field.start..<(field.start + field.count)])
        return field.hasDoubledQuotes ? try withoutDoubles(bytes, body) : try body(.text(bytes))
    }

    private func withoutDoubles<R>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (InputValue) throws -> R
    ) rethrows -> R {
        plain.removeAll(keepingCapacity: true)
        var place = 0
        while place < bytes.count {
            plain.append(bytes[place])
            place += bytes[place] == Self.quote ? 2 : 1
        }
        return try plain.withUnsafeBufferPointer { try body(.text($0)) }
    }

    /// The fields as texts.
    ///
    /// - Throws: `ToolFailure` for bytes that are no UTF-8.
    func texts() throws -> [String] {
        try fields.indices.map { index in
            try withField(index) { value in
                guard case .text(let bytes) = value else { return "" }
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw failure("Field \(index + 1) is no UTF-8 text.")
                }
                return text
            }
        }
    }

    /// The fields as texts; nil for one without quotes and characters.
    func optionalTexts() throws -> [String?] {
        let texts = try texts()
        return fields.indices.map { fields[$0].count == 0 && !fields[$0].isQuoted ? nil : texts[$0] }
    }

    private func failure(_ reason: String, line: Int? = nil) -> ToolFailure {
        ToolFailure(.other, whole: "\(input.name), line \(line ?? self.line): \(reason)")
    }

    // MARK: Finding fields

    /// Finds the fields of the record that begins where the input is.
    ///
    /// - Returns: False where the record's end is not at hand.
    private func scan(_ bytes: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) throws -> Bool {
        fields.removeAll(keepingCapacity: true)
        var place = 0
        var breaks = 0
        while true {
            guard let end = try scanField(bytes, place, isAtEnd: isAtEnd, &breaks) else { return false }
            place = end
            if place == bytes.count {
                guard isAtEnd else { return false }
                break
            }
            if bytes[place] == mark {
                place += 1
                continue
            }
            guard let end = Self.lineEnd(bytes, place, isAtEnd: isAtEnd) else { return false }
            place = end
            breaks += 1
            break
        }
        (length, nextLine) = (place, line + breaks)
        return true
    }

    /// Where the line's end at a place ends; nil where that is not at hand.
    private static func lineEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int, isAtEnd: Bool) -> Int? {
        guard bytes[place] == carriageReturn else { return place + 1 }
        if place + 1 == bytes.count { return isAtEnd ? place + 1 : nil }
        return place + (bytes[place + 1] == lineFeed ? 2 : 1)
    }

    /// Notes the field that begins at a place.
    ///
    /// - Returns: Where it ends; nil where that is not at hand.
    @inline(__always)
    private func scanField(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, isAtEnd: Bool, _ breaks: inout Int
    ) throws -> Int? {
        if start < bytes.count, bytes[start] == Self.quote {
            return try scanQuoted(bytes, start, isAtEnd: isAtEnd, &breaks)
        }
        var place = start
        let (mark, greatestEnd) = (mark, greatestEnd)
        while place < bytes.count {
            let byte = bytes[place]
            // Most bytes are greater than all three.
            if byte <= greatestEnd, byte == mark || byte == Self.lineFeed || byte == Self.carriageReturn { break }
            place += 1
        }
        if place == bytes.count, !isAtEnd { return nil }
        fields.append(Field(start: start, count: place - start, isQuoted: false, hasDoubledQuotes: false))
        return place
    }

    private func scanQuoted(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, isAtEnd: Bool, _ breaks: inout Int
    ) throws -> Int? {
        var (place, hasDoubles) = (start + 1, false)
        while true {
            guard place < bytes.count else {
                if isAtEnd { throw failure("The quote that begins field \(fields.count + 1) has no end.") }
                return nil
            }
            if bytes[place] == Self.lineFeed { breaks += 1 }
            if bytes[place] == Self.quote {
                if place + 1 == bytes.count, !isAtEnd { return nil }
                guard place + 1 < bytes.count, bytes[place + 1] == Self.quote else { break }
                hasDoubles = true
                place += 1
            }
            place += 1
        }
        fields.append(
            Field(start: start + 1, count: place - start - 1, isQuoted: true, hasDoubledQuotes: hasDoubles))
        place += 1
        if place < bytes.count, ![mark, Self.lineFeed, Self.carriageReturn].contains(bytes[place]) {
            throw failure(
                """
                Behind the quote that ends field \(fields.count) there is neither a \(delimiter.rawValue) nor the line's \
                end.
                """,
                line: line + breaks)
        }
        return place
    }
}
