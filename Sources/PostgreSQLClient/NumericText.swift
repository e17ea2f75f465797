/// The server's binary form of a `numeric`: digits to the base 10,000, with the weight of the first one.
///
/// The text is a sign, digits with an optional point, and an optional exponent: `-12.50`, `.5`, `1e-20`.
enum NumericText {
    /// Appends the binary form of a text. False if the text is no number that the server can have.
    static func append(_ text: Substring.UTF8View, to bytes: inout [UInt8]) -> Bool {
        guard let number = DecimalDigits(text) else { return false }
        let groups = number.groups
        guard let weight = Int16(exactly: groups.weight), number.scale <= mostScale,
            let count = Int16(exactly: groups.digits.count)
        else { return false }
        bytes.append(bigEndian: count)
        bytes.append(bigEndian: weight)
        bytes.append(bigEndian: number.isNegative && count > 0 ? negative : 0)
        bytes.append(bigEndian: UInt16(number.scale))
        for digit in groups.digits { bytes.append(bigEndian: digit) }
        return true
    }

    /// The text of a binary form, as the server would write it; nil if it is malformed, infinite or not a number.
    static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count >= 8, let start = bytes.baseAddress else { return nil }
        let count = Int(BigEndian.load(start, as: Int16.self))
        let weight = Int(BigEndian.load(start + 2, as: Int16.self))
        let sign = BigEndian.load(start + 4, as: UInt16.self)
        let scale = Int(BigEndian.load(start + 6, as: UInt16.self))
        guard count >= 0, bytes.count == 8 + 2 * count, sign == 0 || sign == negative, scale <= mostScale else {
            return nil
        }
        var groups: [Int16] = []
        groups.reserveCapacity(count)
        for index in 0..<count {
            let digit = BigEndian.load(start + 8 + 2 * index, as: Int16.self)
            guard 0..<10_000 ~= digit else { return nil }
            groups.append(digit)
        }
        return text(groups, weight: weight, isNegative: sign == negative, scale: scale)
    }

    private static let negative: UInt16 = 0x4000
    private static let mostScale = 16_383

    private static func text(_ groups: [Int16], weight: Int, isNegative: Bool, scale: Int) -> String {
        /// The digits of the group with this weight, which may be one that is not sent because it is zero.
        func append(_ place: Int, to text: inout [UInt8]) {
            let index = weight - place
            var group = groups.indices.contains(index) ? groups[index] : 0
            for unit: Int16 in [1_000, 100, 10, 1] {
                text.append(UInt8(ascii: "0") + UInt8(group / unit))
                group %= unit
            }
        }
        var whole: [UInt8] = []
        if weight >= 0 { for place in stride(from: weight, through: 0, by: -1) { append(place, to: &whole) } }
        var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
        let significant = whole.drop { $0 == UInt8(ascii: "0") }
        text += significant.isEmpty ? [UInt8(ascii: "0")] : Array(significant)
        if scale > 0 {
            var fraction: [UInt8] = []
            for place in 1...(scale + 3) / 4 { append(-place, to: &fraction) }
            text.append(UInt8(ascii: "."))
            text += fraction.prefix(scale)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// A decimal number: `digits` with the point before the one at `point`.
private struct DecimalDigits {
    var isNegative = false
    /// Values 0 to 9, without zeros in front.
    var digits: [UInt8] = []
    /// How many of the digits are before the point: less than none, or more than there are, for large exponents.
    var point = 0
    /// How many digits behind the point the text has.
    var scale = 0

    init?(_ text: Substring.UTF8View) {
        var rest = text[...]
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            rest.removeFirst()
        }
        let end = rest.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? rest.endIndex
        guard readDigits(rest[..<end]) else { return nil }
        if end < rest.endIndex {
            guard let exponent = Int(Substring(rest[rest.index(after: end)...])), abs(exponent) <= 200_000 else {
                return nil
            }
            point += exponent
            scale = max(0, scale - exponent)
        }
        dropZeros()
    }

    private mutating func readDigits(_ text: Substring.UTF8View) -> Bool {
        var places: Int?
        for byte in text {
            if byte == UInt8(ascii: "."), places == nil {
                places = digits.count
                continue
            }
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return false }
            digits.append(byte - UInt8(ascii: "0"))
        }
        point = places ?? digits.count
        scale = digits.count - point
        return !digits.isEmpty
    }

    private mutating func dropZeros() {
        let zeros = digits.prefix { $0 == 0 }.count
        digits.removeFirst(zeros)
        point -= zeros
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { point = 0 }
    }

    /// Groups of four digits, counted from the point, and the weight of the first.
    var groups: (digits: [Int16], weight: Int) {
        if digits.isEmpty { return ([], 0) }
        // A shift rounds towards less, as groups of a fraction need it.
        let weight = (point - 1) >> 2
        let before = (weight + 1) * 4 - point
        var groups: [Int16] = []
        var place = -before
        while place < digits.count {
            var group: Int16 = 0
            for index in place..<(place + 4) {
                group = group * 10 + Int16(digits.indices.contains(index) ? digits[index] : 0)
            }
            groups.append(group)
            place += 4
        }
        return (groups, weight)
    }
}
