/// The spellings of text in XML.
enum XMLEscaping {
    /// The value of an attribute, between quotation marks.
    ///
    /// White space but the blank is written as numbers: readers turn it into blanks otherwise.
    static func attribute(_ value: String, leavesGreaterThan: Bool = false) throws -> String {
        try escaped(value) { byte in
            switch byte {
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): leavesGreaterThan ? nil : "&gt;"
            case UInt8(ascii: "\""): "&quot;"
            case UInt8(ascii: "\n"): "&#10;"
            case UInt8(ascii: "\t"): "&#9;"
            case UInt8(ascii: "\r"): "&#13;"
            default: nil
            }
        }
    }

    /// Text between tags.
    static func text(_ value: String) throws -> String {
        try escaped(value) { byte in
            switch byte {
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): "&gt;"
            case UInt8(ascii: "\r"): "&#13;"
            default: nil
            }
        }
    }

    /// The name of an element or an attribute, if it can be one.
    static func name(_ name: String) throws -> String {
        let allowed = name.utf8.enumerated().allSatisfy { position, byte in
            position == 0 ? byte.beginsXMLName : byte.continuesXMLName
        }
        guard !name.isEmpty, allowed else {
            throw ModelDocumentError(
                .unwritableContent, sentence: "'\(name)' cannot be the name of an element or attribute.")
        }
        return try checked(name)
    }

    /// The text itself, if XML can hold it.
    static func checked(_ text: String) throws -> String {
        guard let bad = text.unicodeScalars.first(where: { !$0.isXMLCharacter }) else { return text }
        throw ModelDocumentError(
            .unwritableContent,
            sentence: "XML cannot hold the character U+\(String(bad.value, radix: 16, uppercase: true)) in '\(text)'.")
    }

    private static func escaped(_ value: String, _ spelling: (UInt8) -> StaticString?) throws -> String {
        let value = try checked(value)
        guard value.utf8.contains(where: { spelling($0) != nil }) else { return value }
        var bytes: [UInt8] = []
        for byte in value.utf8 {
            if let name = spelling(byte) {
                name.withUTF8Buffer { bytes += $0 }
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
