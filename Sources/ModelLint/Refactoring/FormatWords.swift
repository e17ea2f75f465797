/// The words and texts of a format, with their places: enough to change one of them and leave the rest as it is
/// written.
struct FormatWords {
    /// A word that may be a key, or a text in quotes.
    struct Word {
        var text: String
        var range: Range<String.Index>
        var isQuoted: Bool
        /// Whether `#` stands before it, which makes a key of whatever follows.
        var isMarked: Bool
    }

    private(set) var words: [Word] = []

    init(_ format: String) {
        var position = format.startIndex
        var before: Character = " "
        while position < format.endIndex {
            let start = position
            let character = format[position]
            if character == "\"" || character == "'" {
                position = Self.end(ofTextAt: position, in: format)
                let inside = format[format.index(after: start)..<position].dropLast()
                words.append(Word(text: String(inside), range: start..<position, isQuoted: true, isMarked: false))
            } else if character.isLetter || character == "_" || character.isNumber {
                while position < format.endIndex, format[position].isWordCharacter {
                    position = format.index(after: position)
                }
                // `$name` is a variable, `@count` an operator.
                guard before != "$", before != "@" else {
                    before = " "
                    continue
                }
                words.append(
                    Word(
                        text: String(format[start..<position]), range: start..<position, isQuoted: false,
                        isMarked: before == "#"))
            } else {
                position = format.index(after: position)
            }
            before = format[format.index(before: position)]
        }
    }

    private static func end(ofTextAt start: String.Index, in format: String) -> String.Index {
        let quote = format[start]
        var position = format.index(after: start)
        while position < format.endIndex {
            let character = format[position]
            position = format.index(after: position)
            if character == quote { return position }
            if character == "\\", position < format.endIndex { position = format.index(after: position) }
        }
        return position
    }
}

extension Character {
    fileprivate var isWordCharacter: Bool { isLetter || isNumber || self == "_" }
}
