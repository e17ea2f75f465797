import Foundation

/// Goes through the beginning of a JSON text whose end is not at hand, and makes no values of it.
struct JSONBeginning {
    /// What can come next.
    private enum Expectation {
        case value, firstElement, key, firstKey, colon, end, nothing
    }

    private let bytes: [UInt8]
    private var place = 0
    private var expected = Expectation.value
    /// What ends the arrays and objects that are open.
    private var closers: [UInt8] = []

    private init(_ data: Data) { bytes = Array(data) }

    /// Whether bytes can be the beginning of JSON: there is no error before their end.
    static func fits(_ data: Data) -> Bool {
        var beginning = JSONBeginning(data)
        return beginning.passAll()
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }

    private mutating func passAll() -> Bool {
        while place < bytes.count {
            if Self.isBlank(bytes[place]) {
                place += 1
            } else if !passToken() {
                return false
            }
        }
        return true
    }

    private mutating func passToken() -> Bool {
        let byte = bytes[place]
        switch expected {
        case .value: return passValue()
        case .firstElement: return byte == UInt8(ascii: "]") ? close() : passValue()
        case .firstKey: return byte == UInt8(ascii: "}") ? close() : passKey()
        case .key: return passKey()
        case .colon: return pass(":", expecting: .value)
        case .end:
            if byte == closers.last { return close() }
            return pass(",", expecting: closers.last == UInt8(ascii: "}") ? .key : .value)
        case .nothing: return false
        }
    }

    private mutating func pass(_ mark: Unicode.Scalar, expecting next: Expectation) -> Bool {
        guard bytes[place] == UInt8(ascii: mark) else { return false }
        (place, expected) = (place + 1, next)
        return true
    }

    private mutating func close() -> Bool {
        closers.removeLast()
        place += 1
        endValue()
        return true
    }

    private mutating func endValue() { expected = closers.isEmpty ? .nothing : .end }

    // MARK: Values

    private mutating func passKey() -> Bool {
        guard bytes[place] == UInt8(ascii: "\""), passText() else { return false }
        expected = .colon
        return true
    }

    private mutating func passValue() -> Bool {
        switch bytes[place] {
        case UInt8(ascii: "{"): return open("}", expecting: .firstKey)
        case UInt8(ascii: "["): return open("]", expecting: .firstElement)
        case UInt8(ascii: "\""): return end(passText())
        case UInt8(ascii: "t"): return end(passWord("true"))
        case UInt8(ascii: "f"): return end(passWord("false"))
        case UInt8(ascii: "n"): return end(passWord("null"))
        default: return end(passNumber())
        }
    }

    private mutating func open(_ closer: Unicode.Scalar, expecting next: Expectation) -> Bool {
        closers.append(UInt8(ascii: closer))
        (place, expected) = (place + 1, next)
        return true
    }

    private mutating func end(_ isPassed: Bool) -> Bool {
        endValue()
        return isPassed
    }

    private mutating func passText() -> Bool {
        place += 1
        while place < bytes.count {
            let byte = bytes[place]
            if byte < 0x20 { return false }
            place += 1
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\"), !passEscape() { return false }
        }
        return true
    }

    /// Passes over what stands behind a backslash.
    private mutating func passEscape() -> Bool {
        guard place < bytes.count else { return true }
        let byte = bytes[place]
        place += 1
        guard byte == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(byte) }
        let digits = bytes[place...].prefix(4)
        place += digits.count
        return digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    private mutating func passWord(_ word: String) -> Bool {
        let found = bytes[place...].prefix(word.utf8.count)
        place += found.count
        return word.utf8.starts(with: found)
    }

    private mutating func passNumber() -> Bool {
        let digits = bytes[place...].prefix { "+-.eE0123456789".utf8.contains($0) }
        place += digits.count
        guard let first = digits.first, first == UInt8(ascii: "-") || Character(Unicode.Scalar(first)).isNumber else {
            return false
        }
        // The last one may be cut.
        return place == bytes.count || Double(String(decoding: digits, as: UTF8.self)) != nil
    }
}
