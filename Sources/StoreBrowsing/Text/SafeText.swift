/// Text from a store, made harmless for a terminal.
///
/// A terminal obeys control characters, and bidirectional marks make a line read otherwise than it is stored.
package enum SafeText {
    /// Whether a scalar commands a terminal, breaks a line or turns the order of what is shown.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The text with line breaks and other harmful characters made visible, so that a value stays in its row.
    package static func singleLine(_ text: String) -> String {
        replacing(text) { scalar in
            switch scalar {
            case "\n": "⏎"
            case "\t": " "
            default: "\u{FFFD}"
            }
        }
    }

    /// The text with its line breaks and tabulators, without other harmful characters.
    package static func lines(_ text: String) -> String {
        replacing(text) { ["\n", "\r", "\t"].contains($0) ? String($0) : "\u{FFFD}" }
    }

    /// A line for a message: breaks between lines stay, and all else is made visible.
    package static func message(_ text: String) -> String {
        replacing(text) { $0 == "\n" ? "\n" : "\u{FFFD}" }
    }

    /// `\u001b` and the like, as JSON writes a character.
    package static func escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    /// The text with each harmful scalar replaced.
    package static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var out = ""
        for scalar in text.unicodeScalars {
            if isHarmful(scalar) { out += replacement(scalar) } else { out.unicodeScalars.append(scalar) }
        }
        return out
    }
}
