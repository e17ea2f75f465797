public import Foundation
import PropertyLists

/// What is wrong with a text in the format language, and where.
///
/// It prints with the place drawn below the text:
/// ```
/// Unable to parse the format string "age > > 3": expected a value instead of ">" (column 7)
/// age > > 3
///       ^
/// ```
/// As an `NSError` it has the domain `NSCocoaErrorDomain` and the code 2048 (`NSFormattingError`). Apple's framework raises an exception with the
/// same beginning; `NSPredicate(format:)` stops the program with this text.
public struct PredicateFormatError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// The text that was read.
    public let format: String
    /// What is wrong, and what would be right.
    public let message: String
    /// The place, counted in characters from 1.
    public let column: Int

    /// - Parameter offset: The place, counted in Unicode scalars from 0.
    init(_ message: Sentence, format: String, offset: Int) {
        self.format = format
        self.message = message.text
        let scalars = format.unicodeScalars
        let index = scalars.index(scalars.startIndex, offsetBy: offset, limitedBy: scalars.endIndex) ?? scalars.endIndex
        column = format.distance(from: format.startIndex, to: index) + 1
    }

    /// The line with the place, and a caret below the place.
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

    public var description: String {
        "\(sentence)\n\(picture)"
    }

    public var errorDescription: String? { sentence }
    public static var errorDomain: String { NSCocoaErrorDomain }
    public var errorCode: Int { CocoaError.Code.formatting.rawValue }
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: sentence, NSDebugDescriptionErrorKey: description]
    }

    private var sentence: String {
        "Unable to parse the format string \"\(format.excerpt)\": \(message) (column \(column))"
    }
}
