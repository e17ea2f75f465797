import Foundation

// MARK: - Texts

extension PredicateLexer {
    mutating func string(quote: Unicode.Scalar) throws(PredicateFormatError) -> String {
        let start = position
        position += 1
        var units: [UInt16] = []
        while let scalar = current {
            position += 1
            if scalar == quote { return String(decoding: units, as: UTF16.self) }
            if scalar == "\\" {
                units.append(contentsOf: try escape())
            } else {
                units.append(contentsOf: UTF16.encode(scalar).map(Array.init) ?? [])
            }
        }
        throw error("the text that starts here has no closing \(quote)", at: start)
    }

    private mutating func escape() throws(PredicateFormatError) -> [UInt16] {
        let start = position - 1
        guard let scalar = current else { throw error("a character has to follow the backslash", at: start) }
        position += 1
        switch scalar {
        case "n": return [10]
        case "r": return [13]
        case "t": return [9]
        case "a": return [7]
        case "b": return [8]
        case "f": return [12]
        case "v": return [11]
        case "0"..."7":
            position -= 1
            return [UInt16(try digits(1...3, radix: 8, of: start))]
        case "x", "X": return [UInt16(try digits(1...2, radix: 16, of: start))]
        // Surrogates may come in two escapes, and meet when the units are decoded.
        case "u", "U": return [UInt16(try digits(4...4, radix: 16, of: start))]
        default: return UTF16.encode(scalar).map(Array.init) ?? []
        }
    }

    private mutating func digits(_ count: ClosedRange<Int>, radix: Int, of start: Int) throws(PredicateFormatError)
        -> Int
    {
        var value = 0
        var read = 0
        while read < count.upperBound, let digit = current.flatMap({ Character($0).hexDigitValue }), digit < radix {
            value = value * radix + digit
            read += 1
            position += 1
        }
        guard read >= count.lowerBound else {
            throw error("\(count.lowerBound) digits have to follow in this escape", at: start)
        }
        return value
    }
}

// MARK: - Numbers

extension PredicateLexer {
    mutating func number() throws(PredicateFormatError) -> PredicateValue {
        let start = position
        let value = prefixedInteger() ?? decimalNumber()
        guard let value else { throw error("a number has to have digits", at: start) }
        if let scalar = current, scalar == "_" || scalar.properties.isAlphabetic {
            throw error("a number can't run into a word", at: position)
        }
        return value
    }

    /// `0x1F`, `0o17`, `0b11`
    private mutating func prefixedInteger() -> PredicateValue? {
        guard current == "0", let radix = radix(of: scalar(at: position + 1)) else { return nil }
        let digits = scalars[(position + 2)...].prefix { (Character($0).hexDigitValue ?? 99) < radix }
        guard let value = UInt64(String(String.UnicodeScalarView(digits)), radix: radix) else { return nil }
        position += 2 + digits.count
        return PredicateValue(value)
    }

    private func radix(of letter: Unicode.Scalar?) -> Int? {
        switch letter {
        case "x", "X": 16
        case "o", "O": 8
        case "b", "B": 2
        default: nil
        }
    }

    private mutating func decimalNumber() -> PredicateValue? {
        let start = position
        skipDigits()
        var isWhole = true
        if current == ".", isDigit(at: position + 1) {
            isWhole = false
            position += 1
            skipDigits()
        }
        if current == "e" || current == "E" {
            let sign = scalar(at: position + 1)
            let digits = position + (sign == "+" || sign == "-" ? 2 : 1)
            if isDigit(at: digits) {
                isWhole = false
                position = digits
                skipDigits()
            }
        }
        let text = String(String.UnicodeScalarView(scalars[start..<position]))
        if isWhole, let value = UInt64(text) { return PredicateValue(value) }
        return Double(text).map { .double($0) }
    }

    private mutating func skipDigits() {
        while isDigit(at: position) { position += 1 }
    }

    private func isDigit(at position: Int) -> Bool {
        scalar(at: position).map { ("0"..."9").contains($0) } ?? false
    }
}
