import FoundationGaps

/// The functions of full-text search, by the names that they have in predicates and expressions.
enum TextFunction: String, Sendable {
    /// Whether the words of a query are in a text, or in the texts of an object.
    case matches = "matchesText:"
    /// How well a text fits a query: the lower, the better.
    case rank = "textRank:"
    /// A piece of the text around words of a query.
    case snippet = "textSnippet:"
}

/// The characters that stand around each word that was found, in a snippet. No text has them: Unicode reserves them for
/// such uses inside of programs.
package enum TextMarker {
    package static let start = String(decoding: [0xFDD0 as UInt16], as: UTF16.self)
    package static let end = String(decoding: [0xFDD1 as UInt16], as: UTF16.self)
}
