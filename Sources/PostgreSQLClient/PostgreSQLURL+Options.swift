// Splitting off the client's own options. The rest stays as it was written.
extension PostgreSQLURL {
    typealias Split = (rest: String, options: [String: String])

    static func splitURI(_ text: String, _ names: Set<String>) throws -> Split {
        guard let query = query(of: text) else { return (text, [:]) }
        var options: [String: String] = [:]
        var kept: [Substring] = []
        for part in query.split(separator: "&", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = try? decoded(pair[0]), names.contains(name) else {
                kept.append(part)
                continue
            }
            options[name] = pair.count > 1 ? try decoded(pair[1]) : ""
        }
        let front = text[..<query.startIndex].dropLast()
        return (kept.isEmpty ? String(front) : front + "?" + kept.joined(separator: "&"), options)
    }

    /// What stands behind the question mark. One before the `@` of user and password belongs to these, as libpq has it.
    static func query(of text: String) -> Substring? {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        var start = scheme.upperBound
        let end = text[start...].firstIndex { $0 == "@" || $0 == "/" } ?? text.endIndex
        if end < text.endIndex, text[end] == "@" { start = end }
        guard let mark = text[start...].firstIndex(of: "?") else { return nil }
        return text[text.index(after: mark)...]
    }

    /// Splits a list such as `host=a password='it''s \'b'`.
    static func splitList(_ text: String, _ names: Set<String>) throws -> Split {
        var options: [String: String] = [:]
        var kept: [Substring] = []
        var rest = text[...].drop(while: \.isWhitespace)
        while !rest.isEmpty {
            let start = rest.startIndex
            guard let (name, value) = takePair(&rest) else {
                // libpq reports what is wrong with it.
                kept.append(text[start...])
                break
            }
            if names.contains(name) { options[name] = value } else { kept.append(text[start..<rest.startIndex]) }
            rest = rest.drop(while: \.isWhitespace)
        }
        return (kept.joined(separator: " "), options)
    }

    private static func takePair(_ rest: inout Substring) -> (name: String, value: String)? {
        guard let equals = rest.firstIndex(of: "=") else { return nil }
        let name = rest[..<equals].filter { !$0.isWhitespace }
        rest = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
        let isQuoted = rest.first == "'"
        if isQuoted { rest.removeFirst() }
        var value = ""
        while let character = rest.first {
            if isQuoted ? character == "'" : character.isWhitespace { break }
            rest.removeFirst()
            guard character == "\\" else {
                value.append(character)
                continue
            }
            if let escaped = rest.popFirst() { value.append(escaped) }
        }
        if isQuoted, rest.popFirst() == nil { return nil }
        return (String(name), value)
    }

    static func decoded(_ text: Substring) throws -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = Substring(rest.prefix(2))
            guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16), value != 0 else {
                throw PostgreSQLError(.invalidURL, "An option of the connection string has a wrong percent code.")
            }
            bytes.append(value)
            rest.removeFirst(2)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PostgreSQLError(.invalidURL, "An option of the connection string is not in UTF-8.")
        }
        return text
    }
}
