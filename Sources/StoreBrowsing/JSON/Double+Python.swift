extension Double {
    /// The number as Python's `repr` spells it: the shortest digits that read back the same, plain from 0.0001 up to
    /// but not including 10¹⁶, else with an exponent of two digits at least.
    package var pythonRepresentation: String {
        if isNaN { return "NaN" }
        if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
        let decimal = ShortestDecimal(magnitude)
        let sign = self.sign == .minus ? "-" : ""
        let isPlain = self == 0 || (-3...16).contains(decimal.pointPosition)
        return sign + (isPlain ? decimal.plain : decimal.scientific)
    }
}

/// The shortest decimal digits of a finite number that is not negative: `0.digits × 10^pointPosition`.
package struct ShortestDecimal {
    package var digits: String
    package var pointPosition: Int

    package init(_ number: Double) {
        // Swift's description has the shortest digits; only where it puts point and exponent is its own.
        let parts = number.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let all = mantissa.joined()
        let significant = all.drop { $0 == "0" }
        pointPosition = mantissa[0].count + exponent - (all.count - significant.count)
        digits = String(significant)
        while digits.hasSuffix("0") { digits.removeLast() }
        if digits.isEmpty { (digits, pointPosition) = ("0", 1) }
    }

    /// Without an exponent, and with a point always: `120.0`, `0.05`.
    package var plain: String {
        if pointPosition <= 0 {
            return "0." + String(repeating: "0", count: -pointPosition) + digits
        }
        if digits.count <= pointPosition {
            return digits + String(repeating: "0", count: pointPosition - digits.count) + ".0"
        }
        let point = digits.index(digits.startIndex, offsetBy: pointPosition)
        return digits[..<point] + "." + digits[point...]
    }

    /// With an exponent: `1e-05`, `1.5e+20`.
    package var scientific: String {
        let exponent = pointPosition - 1
        let rest = digits.dropFirst()
        let size = String(exponent.magnitude)
        return digits.prefix(1) + (rest.isEmpty ? "" : "." + rest) + "e" + (exponent < 0 ? "-" : "+")
            + (size.count < 2 ? "0" : "") + size
    }
}
