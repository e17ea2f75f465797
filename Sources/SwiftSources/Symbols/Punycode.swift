/// Names that are not ASCII, as symbols spell them: RFC 3492 with the digits a to z and A to J, and `_` as delimiter.
///
/// An ASCII character that no name has (those of raw identifiers) is encoded too, at 0xD800 above its value.
enum Punycode {
    static func encode(_ name: String) -> [UInt8] {
        let scalars = name.unicodeScalars.map { $0.value < 128 && !isNameByte($0.value) ? $0.value + 0xD800 : $0.value }
        var output = scalars.filter { $0 < 128 }.map { UInt8($0) }
        let basic = output.count
        if basic > 0 { output.append(UInt8(ascii: "_")) }
        var (handled, code, delta, bias) = (basic, UInt32(128), 0, 72)
        while handled < scalars.count, let smallest = scalars.filter({ $0 >= code }).min() {
            delta += Int(smallest - code) * (handled + 1)
            code = smallest
            for scalar in scalars {
                if scalar < code { delta += 1 }
                guard scalar == code else { continue }
                append(delta, bias: bias, to: &output)
                bias = adaptedBias(delta, count: handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return output
    }

    /// Appends a number of variable length.
    private static func append(_ number: Int, bias: Int, to output: inout [UInt8]) {
        var (rest, k) = (number, 36)
        while true {
            let threshold = k <= bias ? 1 : min(26, k - bias)
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            k += 36
        }
        output.append(digit(rest))
    }

    private static func adaptedBias(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var (delta, k) = (isFirst ? delta / 700 : delta / 2, 0)
        delta += delta / count
        while delta > 455 {
            delta /= 35
            k += 36
        }
        return k + 36 * delta / (delta + 38)
    }

    private static func digit(_ value: Int) -> UInt8 {
        value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "A") + UInt8(value - 26)
    }

    private static func isNameByte(_ value: UInt32) -> Bool {
        value == 0x5f || value == 0x24 || (0x30...0x39).contains(value) || (0x41...0x5a).contains(value)
            || (0x61...0x7a).contains(value)
    }
}
