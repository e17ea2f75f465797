/// How a text is split into words for full-text search.
package enum TextTokenizer: String, CaseIterable, Sendable {
    /// Letters and digits make words. Case and diacritics do not count.
    case words
    /// As ``words``, and the forms of an English word count as one: "searching" is found by "search".
    case english
    /// Each three characters in a row: any part of a text is found that has at least three. Case does not count. For
    /// languages that put no spaces between words.
    case substrings
}

/// What splits texts into words, as the indexes of stores have them.
protocol TextSplitter: Sendable {
    /// The words of a text, in their order.
    ///
    /// - Throws: 134020 where the database's library can't split texts.
    func words(of text: String, by tokenizer: TextTokenizer, for purpose: TextPurpose) throws -> [String]
}

/// What a text is split for.
enum TextPurpose: Sendable {
    case document, query
    /// A query for texts with a word that begins like the last one.
    case prefixQuery
}
