/// The tokens of a text in DBML, as its grammar has them.
enum DBMLToken: Hashable {
    case word(String)
    /// In double quotes, without its escapes.
    case name(String)
    /// In single quotes, without its escapes.
    case text(String)
    case expression(String)
    case sign(Character)

    struct Failure: Error { let reason: String }

    /// - Throws: For a text that the grammar does not take: a quote that does not end in its line, a foreign sign.
    static func all(of text: String) throws -> [DBMLToken] {
        var scanner = Scanner(scalars: Array(text.unicodeScalars))
        return try scanner.tokens()
    }

    private struct Scanner {
        let scalars: [Unicode.Scalar]
        var place = 0

        mutating func tokens() throws -> [DBMLToken] {
            var tokens: [DBMLToken] = []
            while place < scalars.count {
                let scalar = scalars[place]
                place += 1
                switch scalar {
                case " ", "\n": continue
                case "'": tokens.append(.text(try quoted("'")))
                case "\"": tokens.append(.name(try quoted("\"")))
                case "`": tokens.append(.expression(raw()))
                case "[", "]", "{", "}", "(", ")", ":", ",", ".", "<", ">", "-": tokens.append(.sign(Character(scalar)))
                case "a"..."z", "A"..."Z", "_", "0"..."9": tokens.append(.word(word(scalar)))
                default: throw Failure(reason: "“\(scalar)” (\(scalar.value)) stands outside of quotes")
                }
            }
            return tokens
        }

        private mutating func word(_ first: Unicode.Scalar) -> String {
            var word = String(first)
            while place < scalars.count, scalars[place].isASCII,
                scalars[place].properties.isAlphabetic || scalars[place] == "_" || ("0"..."9").contains(scalars[place])
            {
                word.unicodeScalars.append(scalars[place])
                place += 1
            }
            return word
        }

        private mutating func raw() -> String {
            var text = ""
            while place < scalars.count, scalars[place] != "`" {
                text.unicodeScalars.append(scalars[place])
                place += 1
            }
            place += 1
            return text
        }

        private mutating func quoted(_ end: Unicode.Scalar) throws -> String {
            var text = ""
            while place < scalars.count, scalars[place] != end {
                guard scalars[place] != "\n" else { throw Failure(reason: "a quote does not end in its line: \(text)") }
                if scalars[place] == "\\" {
                    place += 1
                    text.unicodeScalars.append(try escape())
                } else {
                    text.unicodeScalars.append(scalars[place])
                    place += 1
                }
            }
            guard place < scalars.count else { throw Failure(reason: "a quote does not end") }
            place += 1
            return text
        }

        private mutating func escape() throws -> Unicode.Scalar {
            let scalar = scalars[place]
            place += 1
            switch scalar {
            case "n": return "\n"
            case "r": return "\r"
            case "t": return "\t"
            case "u":
                let digits = String(String.UnicodeScalarView(scalars[place..<(place + 4)]))
                place += 4
                guard let number = UInt32(digits, radix: 16), let result = Unicode.Scalar(number) else {
                    throw Failure(reason: "\\u\(digits)")
                }
                return result
            case "\\", "'", "\"": return scalar
            default: throw Failure(reason: "\\\(scalar) is no escape that is needed")
            }
        }
    }
}
