public import Foundation
import PropertyLists

/// What is wrong with a text in the format language, and where.
///
/// ```swift
/// do {
///     request.predicate = try NSPredicate.parse("age > > 3")
/// } catch let error as PredicateFormatError {
///     label.text = error.message      // expected a value instead of ">"
/// }
/// ```
///
/// It prints with the place drawn below the text:
/// ```
/// Unable to parse the format string "age > > 3": expected a value instead of ">" (column 7)
/// age > > 3
///       ^
/// ```
///
/// As an `NSError` it has the domain `NSCocoaErrorDomain` and the code 2048 (`NSFormattingError`).
/// `NSPredicate(format:)` traps with this text, where Apple's framework raises an exception with the same beginning.
/// Use `parse` for a text that a user types.
public struct PredicateFormatError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// The whole text that was read, with its `%@` as they were written.
    public let format: String
    /// What is wrong, and what would be right. It does not name the place; see ``column`` and ``picture``.
    public let message: String
    /// The place in ``format``, counted in characters from 1. Line breaks count as characters.
    ///
    /// One more than the text's length if the text ends too early. Select the character there in a text field.
    public let column: Int

    /// - Parameter offset: The place, counted in Unicode scalars from 0.
    init(_ message: Sentence, format: String, offset: Int) {
        self.format = format
        self.message = message.text
        let scalars = format.unicodeScalars
        let index = scalars.index(scalars.startIndex, offsetBy: offset, limitedBy: scalars.endIndex) ?? scalars.endIndex
        column = format.distance(from: format.startIndex, to: index) + 1
    }

    /// The line with the place, and a caret below the place. Show it in a font of fixed width.
    ///
    /// A long line is cut to about 100 characters on each side of the place.
    public var picture: String {
        let place = format.index(format.startIndex, offsetBy: column - 1, limitedBy: format.endIndex) ?? format.endIndex
        // Of a long line what is near the place.
        var start = place
        var width = 0
        while start > format.startIndex, width < 100 {
            let previous = format.index(before: start)
            if format[previous].isNewline { break }
            start = previous
            width += 1
        }
        let line = format[start...].prefix(width + 100).prefix { !$0.isNewline }
        // A tab stays a tab, so that the caret stays below its character.
        let indent = format[start..<place].map { $0 == "\t" ? "\t" : " " }
        return line + "\n" + indent.joined() + "^"
    }

    /// The sentence with the column, and the ``picture`` below it.
    public var description: String {
        "\(sentence)\n\(picture)"
    }

    /// The sentence with the text, the ``message`` and the ``column``; `localizedDescription` gives it.
    public var errorDescription: String? { sentence }
    /// `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// 2048, `NSFormattingError`.
    public var errorCode: Int { CocoaError.Code.formatting.rawValue }
    /// The sentence under `NSLocalizedDescriptionKey`, and ``description`` under `NSDebugDescriptionErrorKey`.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: sentence, NSDebugDescriptionErrorKey: description]
    }

    private var sentence: String {
        "Unable to parse the format string \"\(format.excerpt)\": \(message) (column \(column))"
    }
}
