import CoreData
import StoreBrowsing

/// Writes values into a line: the same bytes as `CSV`, `RowPrinter.tabbed` and `JSONWriter` give for a `JSONValue`,
/// without making one. What is not plain goes through these.
struct FieldWriter {
    /// The forms that can be written value by value.
    enum Form {
        case csv(CSV)
        case tsv
        case json
    }

    private let form: Form
    let isJSON: Bool
    /// Which bytes below 0x80 stand in a line as they are: a bit each.
    private let plainLow: UInt64
    private let plainHigh: UInt64
    /// Whether a field that begins like a formula is disarmed.
    private let disarms: Bool
    /// Whether a blank at the beginning or the end needs quotes.
    private let quotesBlanks: Bool
    private let writer = JSONWriter(layout: .compact)

    init(_ form: Form) {
        self.form = form
        let marks: String
        switch form {
        case .csv(let csv): (isJSON, disarms, quotesBlanks, marks) = (false, !csv.isExact, true, ",\"")
        case .tsv: (isJSON, disarms, quotesBlanks, marks) = (false, false, false, "\\")
        case .json: (isJSON, disarms, quotesBlanks, marks) = (true, false, false, "\"\\")
        }
        var bits: (low: UInt64, high: UInt64) = (~0 << 32, ~(1 << 63))
        for mark in marks.utf8 {
            if mark < 64 { bits.low &= ~(1 << UInt64(mark)) } else { bits.high &= ~(1 << UInt64(mark - 64)) }
        }
        (plainLow, plainHigh) = bits
    }

    // MARK: What a line is made of

    /// A text that has nothing to be escaped, as the form has it.
    func quoted(_ text: String) -> [UInt8] { Array((isJSON ? "\"\(text)\"" : text).utf8) }

    func null(_ out: inout ByteBuffer) {
        if isJSON { out.append(Self.null) }
    }

    func bool(_ flag: Bool, _ out: inout ByteBuffer) { out.append(flag ? Self.yes : Self.no) }

    private static let null = Array("null".utf8)
    private static let yes = Array("true".utf8)
    private static let no = Array("false".utf8)

    @inline(__always)
    func mark(_ out: inout ByteBuffer) {
        if isJSON { out.append(UInt8(ascii: "\"")) }
    }

    /// A text as a store has it.
    func text(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
        guard isPlain(bytes) else { return value(.string(String(decoding: bytes, as: UTF8.self)), &out) }
        mark(&out)
        out.append(bytes)
        mark(&out)
    }

    /// Data as base64.
    func base64(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
        // Six bits of ones, and one less, are “/” and “+”, which a spreadsheet takes for the beginning of a formula.
        if disarms, let first = bytes.first, first >> 2 == 62 {
            return value(.string(SQLValue.base64(bytes)), &out)
        }
        mark(&out)
        out.append(base64: bytes)
        mark(&out)
    }

    /// A date as a number of seconds since 2001, as text in UTC; false where it has no plain form.
    func date(_ seconds: Double, _ out: inout ByteBuffer) -> Bool {
        guard seconds.magnitude < 1e11 else { return false }
        return date(milliseconds: ISODate.smallMilliseconds(seconds), &out)
    }

    func date(milliseconds: Int64, _ out: inout ByteBuffer) -> Bool {
        var (number, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        if rest < 0 { (number, rest) = (number - 1, rest + 86_400_000) }
        let (year, month, day) = ISODate.date(smallDaysSince2001: Int(number))
        guard (0...9999).contains(year) else { return false }
        mark(&out)
        out.append(year, digits: 4)
        out.append(UInt8(ascii: "-"))
        out.append(month, digits: 2)
        out.append(UInt8(ascii: "-"))
        out.append(day, digits: 2)
        out.append(UInt8(ascii: "T"))
        let seconds = Int(rest) / 1000
        out.append(seconds / 3600, digits: 2)
        out.append(UInt8(ascii: ":"))
        out.append(seconds / 60 % 60, digits: 2)
        out.append(UInt8(ascii: ":"))
        out.append(seconds % 60, digits: 2)
        out.append(UInt8(ascii: "."))
        out.append(Int(rest) % 1000, digits: 3)
        out.append(UInt8(ascii: "Z"))
        mark(&out)
        return true
    }

    /// Any value, in the form's own way.
    func value(_ value: JSONValue, _ out: inout ByteBuffer) {
        switch form {
        case .json: out.append(writer.string(value))
        case .csv(let csv): out.append(csv.field(value.fieldText))
        case .tsv: out.append(RowPrinter.tabbed(value.fieldText))
        }
    }

    // MARK: Plain texts

    /// Whether a text stands in a line byte for byte.
    private func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return true }
        if quotesBlanks, first == UInt8(ascii: " ") || last == UInt8(ascii: " ") { return false }
        switch first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"): if disarms { return false }
        default: break
        }
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x80 {
                let bits = byte < 64 ? plainLow : plainHigh
                guard bits >> UInt64(byte & 63) & 1 == 1 else { return false }
                index += 1
            } else {
                let length = Self.plainLength(bytes, index)
                if length == 0 { return false }
                index += length
            }
        }
        return true
    }

    /// The length of a character beyond ASCII that no form escapes; 0 for one that has to be looked at, or is none.
    ///
    /// U+0080 to U+00BF, Arabic and general punctuation and the full-width forms have some that are escaped: they are
    /// looked at.
    private static func plainLength(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
        let length: Int
        switch bytes[index] {
        case 0xC3...0xD7, 0xDA...0xDF: length = 2
        case 0xE1, 0xE3...0xEC: length = 3
        case 0xF1...0xF3: length = 4
        case 0xF0: length = index + 1 < bytes.count && bytes[index + 1] >= 0x90 ? 4 : 0
        default: return 0
        }
        guard length > 0, index + length <= bytes.count else { return 0 }
        for place in (index + 1)..<(index + length) where bytes[place] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
