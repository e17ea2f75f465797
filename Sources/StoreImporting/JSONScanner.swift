/// Goes through an object of JSON, and makes no values of it.
struct JSONScanner {
    /// The key of a member.
    struct Key {
        /// As it is written, quotes left out.
        let bytes: UnsafeBufferPointer<UInt8>
        /// The keys of the objects around it, each with a point behind it.
        let prefix: String
        fileprivate let hasEscapes: Bool

        var text: String {
            guard hasEscapes else { return prefix + String(decoding: bytes, as: UTF8.self) }
            var plain: ContiguousArray<UInt8> = []
            JSONScanner.unescape(bytes, into: &plain)
            return prefix + String(decoding: plain, as: UTF8.self)
        }
    }

    /// Why a text is no object of JSON.
    struct Problem: Error {
        let reason: String
        let place: Int
    }

    typealias Body = (Int, Key, InputValue) throws -> Void

    private var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    private var place = 0
    private var members = 0
    /// The bytes of a text with escapes.
    private var plain: ContiguousArray<UInt8> = []
    private static let deepest = 32

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }

    /// Calls `body` with each member of an object.
    mutating func scan(_ text: UnsafeBufferPointer<UInt8>, _ body: Body) throws {
        (bytes, place, members) = (text, 0, 0)
        // A byte order mark may stand before the first line.
        if bytes.prefix(3).elementsEqual([0xEF, 0xBB, 0xBF]) { place = 3 }
        passBlanks()
        guard next == UInt8(ascii: "{") else { throw problem("The line is no object of JSON") }
        try scanObject("", 0, body)
        passBlanks()
        if place < bytes.count { throw problem("Something follows the object") }
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private func problem(_ reason: String) -> Problem { Problem(reason: reason, place: place) }

    private mutating func passBlanks() { while let next, Self.isBlank(next) { place += 1 } }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        passBlanks()
        guard next == UInt8(ascii: mark) else { return false }
        place += 1
        return true
    }

    private mutating func scanObject(_ prefix: String, _ depth: Int, _ body: Body) throws {
        guard depth < Self.deepest else { throw problem("Objects are nested too deep") }
        place += 1
        if take("}") { return }
        repeat {
            passBlanks()
            guard next == UInt8(ascii: "\"") else { throw problem("A key is missing") }
            let (text, hasEscapes) = try scanText()
            let key = Key(bytes: text, prefix: prefix, hasEscapes: hasEscapes)
            guard take(":") else { throw problem("A colon is missing") }
            passBlanks()
            if next == UInt8(ascii: "{") {
                try scanObject(key.text + ".", depth + 1, body)
            } else {
                let index = members
                members += 1
                try scanValue { try body(index, key, $0) }
            }
        } while take(",")
        guard take("}") else { throw problem("The end of an object is missing") }
    }

    private mutating func scanValue(_ body: (InputValue) throws -> Void) throws {
        switch next {
        case UInt8(ascii: "\""):
            let (text, hasEscapes) = try scanText()
            guard hasEscapes else { return try body(.text(text)) }
            Self.unescape(text, into: &plain)
            try plain.withUnsafeBufferPointer { try body(.text($0)) }
        case UInt8(ascii: "t"): try scanWord("true", .bool(true), body)
        case UInt8(ascii: "f"): try scanWord("false", .bool(false), body)
        case UInt8(ascii: "n"): try scanWord("null", .null, body)
        case UInt8(ascii: "["):
            try passList(0)
            try body(.list)
        default: try scanNumber(body)
        }
    }

    private mutating func scanWord(
        _ word: StaticString, _ value: InputValue, _ body: (InputValue) throws -> Void
    ) throws {
        let length = word.utf8CodeUnitCount
        guard bytes[place...].prefix(length).elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: length))
        else { throw problem("A value is missing") }
        place += length
        try body(value)
    }

    private mutating func scanNumber(_ body: (InputValue) throws -> Void) throws {
        let start = place
        while let next, Self.isPartOfNumber(next) { place += 1 }
        guard place > start, bytes[start] == UInt8(ascii: "-") || Self.isDigit(bytes[start]) else {
            place = start
            throw problem("A value is missing")
        }
        try body(.number(UnsafeBufferPointer(rebasing: bytes[start..<place])))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
    }

    /// Passes over an array: no attribute takes one.
    private mutating func passList(_ depth: Int) throws {
        guard depth < Self.deepest else { throw problem("Arrays are nested too deep") }
        place += 1
        if take("]") { return }
        repeat {
            passBlanks()
            switch next {
            case UInt8(ascii: "["): try passList(depth + 1)
            case UInt8(ascii: "{"): try scanObject("", depth + 1) { _, _, _ in }
            default: try scanValue { _ in }
            }
        } while take(",")
        guard take("]") else { throw problem("The end of an array is missing") }
    }

    // MARK: Texts

    /// Passes over a text.
    ///
    /// - Returns: What is between its quotes, and whether that has escapes.
    private mutating func scanText() throws -> (UnsafeBufferPointer<UInt8>, hasEscapes: Bool) {
        place += 1
        let start = place
        var hasEscapes = false
        while let byte = next, byte != UInt8(ascii: "\"") {
            if byte < 0x20 { throw problem("A text has a control character") }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                try checkEscape()
            } else {
                place += 1
            }
        }
        guard place < bytes.count else { throw problem("The end of a text is missing") }
        place += 1
        return (UnsafeBufferPointer(rebasing: bytes[start..<(place - 1)]), hasEscapes)
    }

    private mutating func checkEscape() throws {
        guard place + 1 < bytes.count else { throw problem("The end of a text is missing") }
        switch bytes[place + 1] {
        case UInt8(ascii: "u"):
            guard Self.unit(bytes, place) != nil else { throw problem("An escape is malformed") }
            place += 6
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            place += 2
        default: throw problem("An escape is malformed")
        }
    }

    /// The number of `\u12AB` at a place.
    private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> UInt16? {
        guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var value: UInt16 = 0
        for byte in bytes[(place + 2)..<(place + 6)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    /// Writes a checked text without its escapes. Half of a surrogate pair becomes U+FFFD.
    private static func unescape(_ text: UnsafeBufferPointer<UInt8>, into plain: inout ContiguousArray<UInt8>) {
        plain.removeAll(keepingCapacity: true)
        var place = 0
        while place < text.count {
            guard text[place] == UInt8(ascii: "\\") else {
                plain.append(text[place])
                place += 1
                continue
            }
            switch text[place + 1] {
            case UInt8(ascii: "u"):
                place = appendUnits(text, place, to: &plain)
                continue
            case UInt8(ascii: "b"): plain.append(0x08)
            case UInt8(ascii: "f"): plain.append(0x0C)
            case UInt8(ascii: "n"): plain.append(0x0A)
            case UInt8(ascii: "r"): plain.append(0x0D)
            case UInt8(ascii: "t"): plain.append(0x09)
            case let other: plain.append(other)
            }
            place += 2
        }
    }

    /// Writes the characters of the `\u12AB` that follow each other from a place on.
    ///
    /// - Returns: The place behind them.
    private static func appendUnits(
        _ text: UnsafeBufferPointer<UInt8>, _ start: Int, to plain: inout ContiguousArray<UInt8>
    ) -> Int {
        var (units, place): ([UInt16], Int) = ([], start)
        while let unit = unit(text, place) {
            units.append(unit)
            place += 6
        }
        plain.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
        return place
    }
}
