/// What a user typed into a search field: words, all of which must be there.
///
/// - `swift data`: both words, anywhere in the text.
/// - `swif*`: a word that begins so.
/// - `"core data"`: the words in this order, side by side; `"core dat"*` and `"core dat*"` with a beginning at the end.
///
/// Every text is a query. What is no word, as a dash or a quote that nothing closes, has no meaning.
package struct TextQuery: Equatable, Sendable {
    /// Words that stand side by side.
    package struct Phrase: Equatable, Sendable {
        package let text: String
        /// Whether the last word is the beginning of one.
        package var isPrefix: Bool
    }

    package private(set) var phrases: [Phrase] = []

    package init(_ text: String) {
        // A scalar at a time: a quote may be part of a character.
        var piece = String.UnicodeScalarView()
        var isQuoted = false
        for scalar in text.unicodeScalars {
            let endsPiece = scalar == "\"" || scalar == "\0" || !isQuoted && scalar.properties.isWhitespace
            guard endsPiece else {
                piece.append(scalar)
                continue
            }
            add(String(piece), isQuoted: isQuoted)
            piece.removeAll()
            if scalar == "\"" { isQuoted.toggle() }
        }
        add(String(piece), isQuoted: isQuoted)
    }

    /// Stars by themselves belong to the phrase before them.
    private mutating func add(_ piece: String, isQuoted: Bool) {
        let words = piece.reversed().drop { $0 == "*" || isQuoted && $0.isWhitespace }.reversed()
        let hasStar = piece.contains("*") && piece.reversed().first { $0 == "*" || !$0.isWhitespace } == "*"
        if !words.isEmpty {
            phrases.append(Phrase(text: String(words), isPrefix: hasStar))
        } else if hasStar, !phrases.isEmpty {
            phrases[phrases.count - 1].isPrefix = true
        }
    }
}

/// A query in the words of a tokenizer.
struct SplitTextQuery: Sendable {
    struct Phrase: Sendable {
        let text: String
        let words: [String]
        let isPrefix: Bool
    }

    /// None: nothing matches.
    let phrases: [Phrase]

    init(_ query: TextQuery, _ tokenizer: TextTokenizer, _ splitter: any TextSplitter) throws {
        let all = try query.phrases.map { phrase in
            Phrase(
                text: phrase.text,
                words: try splitter.words(
                    of: phrase.text, by: tokenizer, for: phrase.isPrefix ? .prefixQuery : .query),
                isPrefix: phrase.isPrefix)
        }
        // A part of a text that is too short to be found is not found; a dash between words is no word.
        let isTooShort = tokenizer == .substrings && all.contains { $0.words.isEmpty }
        phrases = isTooShort ? [] : all.filter { !$0.words.isEmpty }
    }

    /// Whether each phrase is in one of some texts.
    ///
    /// - Parameter texts: The words of each text.
    func matches(_ texts: [[String]]) -> Bool {
        !phrases.isEmpty && phrases.allSatisfy { phrase in texts.contains { phrase.isIn($0) } }
    }
}

extension SplitTextQuery.Phrase {
    func isIn(_ text: [String]) -> Bool {
        guard text.count >= words.count else { return false }
        return (0...text.count - words.count).contains { start in
            words.indices.allSatisfy { fits(text[start + $0], $0) }
        }
    }

    private func fits(_ word: String, _ place: Int) -> Bool {
        let wanted = words[place]
        return isPrefix && place == words.count - 1
            ? word.utf8.starts(with: wanted.utf8) : word.utf8.elementsEqual(wanted.utf8)
    }
}
