import StoreBrowsing

/// A value of JSON, with numbers as they are written and members in their order.
enum SampleValue: Hashable {
    case null
    case bool(Bool)
    case number(String)
    case text(String)
    case array([SampleValue])
    case object([Member])

    struct Member: Hashable {
        let key: String
        let value: SampleValue
    }
}

/// Reads the values of a text in JSON: one, or one behind the other as in JSON lines.
struct SampleReader {
    private let bytes: [UInt8]
    private var place = 0
    private let name: String
    private static let deepest = 64

    init(_ bytes: [UInt8], name: String) {
        (self.bytes, self.name) = (bytes, name)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    /// - Throws: ``ToolFailure`` with the line of what is no JSON.
    mutating func values() throws -> [SampleValue] {
        var values: [SampleValue] = []
        passBlanks()
        while place < bytes.count {
            values.append(try value(0))
            passBlanks()
        }
        return values
    }

    private func failure(_ reason: String) -> ToolFailure {
        let line = 1 + bytes[..<min(place, bytes.count)].count { $0 == 0x0A }
        return ToolFailure(.damaged, "\(name), line \(line): \(whole: reason)")
    }

    private mutating func passBlanks() {
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        passBlanks()
        guard place < bytes.count, bytes[place] == UInt8(ascii: mark) else { return false }
        place += 1
        return true
    }

    private mutating func value(_ depth: Int) throws -> SampleValue {
        guard depth < Self.deepest else { throw failure("Values are nested too deep.") }
        passBlanks()
        guard place < bytes.count else { throw failure("A value is missing.") }
        switch bytes[place] {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default: return try word()
        }
    }

    private mutating func word() throws -> SampleValue {
        for (word, value) in [("true", SampleValue.bool(true)), ("false", .bool(false)), ("null", .null)]
        where bytes[place...].starts(with: word.utf8) {
            place += word.utf8.count
            return value
        }
        throw failure("Something is here that is no value of JSON.")
    }

    private mutating func number() throws -> String {
        let start = place
        let marks = Set("+-.eE0123456789".utf8)
        while place < bytes.count, marks.contains(bytes[place]) { place += 1 }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        guard Double(text) != nil else { throw failure("“\(text.prefix(40))” is no number.") }
        return text
    }

    private mutating func array(_ depth: Int) throws -> SampleValue {
        place += 1
        var items: [SampleValue] = []
        if take("]") { return .array([]) }
        repeat { items.append(try value(depth + 1)) } while take(",")
        guard take("]") else { throw failure("The end of an array is missing.") }
        return .array(items)
    }

    private mutating func object(_ depth: Int) throws -> SampleValue {
        place += 1
        var members: [SampleValue.Member] = []
        if take("}") { return .object([]) }
        repeat {
            passBlanks()
            guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { throw failure("A key is missing.") }
            let key = try text()
            guard take(":") else { throw failure("A colon is missing.") }
            members.append(.init(key: key, value: try value(depth + 1)))
        } while take(",")
        guard take("}") else { throw failure("The end of an object is missing.") }
        return .object(members)
    }

    // MARK: Texts

    private mutating func text() throws -> String {
        place += 1
        var units: [UInt8] = []
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            guard bytes[place] >= 0x20 else { throw failure("A text has a control character.") }
            if bytes[place] == UInt8(ascii: "\\") {
                try appendEscape(&units)
            } else {
                units.append(bytes[place])
                place += 1
            }
        }
        guard place < bytes.count else { throw failure("The end of a text is missing.") }
        place += 1
        guard let text = String(validating: units, as: UTF8.self) else { throw failure("A text is no UTF-8.") }
        return text
    }

    private mutating func appendEscape(_ units: inout [UInt8]) throws {
        guard place + 1 < bytes.count else { throw failure("The end of a text is missing.") }
        let plain: [UInt8: UInt8] = [
            UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
            UInt8(ascii: "t"): 0x09, UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
            UInt8(ascii: "/"): UInt8(ascii: "/"),
        ]
        if let byte = plain[bytes[place + 1]] {
            units.append(byte)
            place += 2
            return
        }
        var codes: [UInt16] = []
        while let code = code() { codes.append(code) }
        guard !codes.isEmpty else { throw failure("An escape is malformed.") }
        units += String(decoding: codes, as: UTF16.self).utf8
    }

    /// The number of `\u12AB`, if that is next.
    private mutating func code() -> UInt16? {
        guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u"),
            let code = UInt16(String(decoding: bytes[(place + 2)..<(place + 6)], as: UTF8.self), radix: 16)
        else { return nil }
        place += 6
        return code
    }
}
