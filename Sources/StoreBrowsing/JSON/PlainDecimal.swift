/// Decimals without exponent and without zeros at the end, whatever form a store has them in.
package enum PlainDecimal {
    /// The number of a decimal literal, plainly: `1.50` is `1.5`, `1e+22` is a one and 22 zeros. What is no number
    /// stays as it is.
    package static func text(_ literal: String) -> String {
        guard let number = Number(literal) else { return literal }
        return number.plain
    }

    /// The parts of a decimal literal.
    private struct Number {
        var sign = ""
        var whole = ""
        var fraction = ""
        var exponent = 0

        init?(_ literal: String) {
            var rest = Substring(literal.trimmingPrefix { $0.isWhitespace })
            while rest.last?.isWhitespace == true { rest.removeLast() }
            if let first = rest.first, first == "-" || first == "+" {
                sign = first == "-" ? "-" : ""
                rest.removeFirst()
            }
            whole = Self.digits(&rest)
            if rest.first == "." {
                rest.removeFirst()
                fraction = Self.digits(&rest)
            }
            guard !whole.isEmpty || !fraction.isEmpty else { return nil }
            if rest.first == "e" || rest.first == "E" {
                // An exponent of five digits is no number of any store, but would be a very long text.
                guard let exponent = Int(rest.dropFirst()), exponent.magnitude < 10_000 else { return nil }
                self.exponent = exponent
                rest = ""
            }
            guard rest.isEmpty else { return nil }
        }

        private static func digits(_ rest: inout Substring) -> String {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest.removeFirst(digits.count)
            return String(digits)
        }

        var plain: String {
            var digits = whole + fraction
            var point = whole.count + exponent
            if point < 0 {
                digits = String(repeating: "0", count: -point) + digits
                point = 0
            } else if point > digits.count {
                digits += String(repeating: "0", count: point - digits.count)
            }
            let split = digits.index(digits.startIndex, offsetBy: point)
            var tail = digits[split...]
            while tail.last == "0" { tail.removeLast() }
            let head = digits[..<split].drop { $0 == "0" }
            return sign + (head.isEmpty ? "0" : head) + (tail.isEmpty ? "" : "." + tail)
        }
    }
}
