// The parts that XML documents are made of: names, values, references, declarations, comments.

extension XMLReader {
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Moves past a text, if it comes next.
    mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        let matches = text.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + count]) }
        if matches { position += count }
        return matches
    }

    /// Moves past white space; always true, to be used in conditions.
    @discardableResult
    mutating func skipSpace() -> Bool {
        while let byte = peek, byte.isXMLSpace { position += 1 }
        return true
    }

    /// The bytes up to an end mark, past which the reader moves.
    mutating func through(_ end: StaticString, of what: String) throws -> ArraySlice<UInt8> {
        let begin = position
        while position < bytes.count {
            let stop = position
            if take(end) { return bytes[begin..<stop] }
            position += 1
        }
        throw damage("The \(what) that begins here does not end.", at: begin)
    }

    func text(of bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    mutating func name(of what: String) throws -> String {
        let begin = position
        if let byte = peek, byte.beginsXMLName { position += 1 }
        guard position > begin else { throw damage("The name of the \(what) should be here.") }
        while let byte = peek, byte.continuesXMLName { position += 1 }
        return text(of: bytes[begin..<position])
    }

    mutating func attributeValue(of name: String) throws -> String {
        skipSpace()
        guard take("=") else { throw damage("The attribute '\(name)' has no value.") }
        skipSpace()
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw damage("The value of the attribute '\(name)' should begin with a quotation mark.")
        }
        let begin = position
        position += 1
        var value: [UInt8] = []
        while let byte = peek, byte != quote {
            switch byte {
            case UInt8(ascii: "&"):
                value += try reference()
                continue
            case UInt8(ascii: "<"):
                throw damage("The value of the attribute '\(name)' holds a '<', or has no end.")
            case UInt8(ascii: ">"): layout.hasPlainGreaterThan = true
            default: break
            }
            value.append(byte.isXMLSpace ? UInt8(ascii: " ") : byte)
            position += 1
        }
        guard peek == quote else { throw damage("The value of the attribute '\(name)' has no end.", at: begin) }
        position += 1
        return text(of: value[...])
    }

    /// Reads a reference to a character: one of XML's five names, or a number.
    mutating func reference() throws -> [UInt8] {
        let begin = position
        position += 1
        let isHexadecimal = take("#x")
        let isNumber = isHexadecimal || take("#")
        let nameStart = position
        // The longest that means anything is `&#x10FFFF;`, but zeros may lead.
        while let byte = peek, byte.continuesXMLName, position - nameStart < 32 { position += 1 }
        let word = text(of: bytes[nameStart..<position])
        guard take(";") else { throw damage("A '&' stands here that begins no reference.", at: begin) }
        guard isNumber else {
            guard let byte = Self.namedCharacters[word] else {
                throw damage("The entity '&\(word);' is not declared: documents of Apple's tools have none.", at: begin)
            }
            return [byte]
        }
        guard let code = UInt32(word, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(code),
            scalar.isXMLCharacter
        else { throw damage("'&#\(isHexadecimal ? "x" : "")\(word);' is no character.", at: begin) }
        return Array(String(Character(scalar)).utf8)
    }

    private static var namedCharacters: [String: UInt8] {
        [
            "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "quot": UInt8(ascii: "\""),
            "apos": UInt8(ascii: "'"),
        ]
    }
}

// MARK: - Around the root element

extension XMLReader {
    /// Reads the XML declaration, if there is one.
    ///
    /// - Returns: whether the document calls itself standalone; `nil` if it does not say.
    mutating func declaration() throws -> Bool? {
        let begin = position
        guard take("<?xml"), let next = peek, next.isXMLSpace else {
            position = begin
            return nil
        }
        var fields: [String: String] = [:]
        while skipSpace(), peek != UInt8(ascii: "?") {
            let name = try name(of: "field of the XML declaration")
            fields[name] = try attributeValue(of: name)
        }
        guard take("?>") else { throw damage("The XML declaration does not end here.") }
        // How it writes its own values says nothing about the elements'.
        layout.hasPlainGreaterThan = false
        if let version = fields["version"], !["1.0", "1.1"].contains(version) {
            throw damage("Its version of XML is '\(version)', where Xcode writes 1.0.", at: begin)
        }
        if let encoding = fields["encoding"], !["utf-8", "utf8", "us-ascii"].contains(encoding.lowercased()) {
            throw damage("Its encoding is '\(encoding)', where Xcode writes UTF-8.", at: begin)
        }
        return fields["standalone"].map { $0 == "yes" }
    }

    mutating func prolog(documentType: inout XMLDocumentType?, comments: inout [String]) throws {
        while skipSpace() {
            if take("<!--") {
                comments.append(text(of: try through("-->", of: "comment")))
            } else if take("<!DOCTYPE") {
                guard documentType == nil else { throw damage("There is a second document type.") }
                documentType = try self.documentType()
            } else if take("<?") {
                _ = try through("?>", of: "processing instruction")
            } else {
                return
            }
        }
    }

    mutating func epilog(comments: inout [String]) throws {
        while skipSpace(), peek != nil {
            if take("<!--") {
                comments.append(text(of: try through("-->", of: "comment")))
            } else if take("<?") {
                _ = try through("?>", of: "processing instruction")
            } else {
                throw damage("There is more after the end of the root element.")
            }
        }
    }

    private mutating func documentType() throws -> XMLDocumentType {
        skipSpace()
        var type = XMLDocumentType(name: try name(of: "document type"))
        skipSpace()
        if take("PUBLIC") {
            type.publicIdentifier = try quoted()
            type.systemIdentifier = try quoted()
        } else if take("SYSTEM") {
            type.systemIdentifier = try quoted()
        }
        skipSpace()
        guard peek != UInt8(ascii: "[") else {
            throw damage("The document type declares elements or entities of its own, which are never read.")
        }
        guard take(">") else { throw damage("The document type does not end here.") }
        return type
    }

    private mutating func quoted() throws -> String {
        skipSpace()
        if take("\"") { return text(of: try through("\"", of: "identifier")) }
        if take("'") { return text(of: try through("'", of: "identifier")) }
        throw damage("A quotation mark should be here.")
    }
}

extension UInt8 {
    var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }

    var beginsXMLName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), 0x80...:
            true
        default: false
        }
    }

    var continuesXMLName: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: beginsXMLName
        }
    }
}

extension Unicode.Scalar {
    /// Whether XML can say this character at all.
    var isXMLCharacter: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...: true
        default: false
        }
    }
}
