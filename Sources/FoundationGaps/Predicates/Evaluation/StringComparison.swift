import Foundation

/// How predicates compare texts, in memory and in the functions that a store offers to its SQL.
///
/// Without options texts are compared by their code units, as `isEqual:` does; `[c]` and `[d]` fold both sides as
/// Foundation does; `[l]` compares by the rules of the current locale.
package enum StringComparison {
    package typealias Options = NSComparisonPredicate.Options

    /// The text without the differences that the options ignore.
    package static func folded(_ text: String, _ options: Options) -> String {
        let ignored = options.intersection([.caseInsensitive, .diacriticInsensitive])
        if ignored.isEmpty { return text }
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return options.contains(.caseInsensitive) ? text.lowercased() : text
        }
        return text.folding(options: ignored.foundation, locale: nil)
    }

    package static func equal(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    }

    package static func equal(_ left: String, _ right: String, _ options: Options) -> Bool {
        if options.contains(.localeSensitive) {
            return left.compare(right, options: options.foundation, range: nil, locale: .current) == .orderedSame
        }
        return equal(folded(left, options), folded(right, options))
    }

    package static func order(_ left: String, _ right: String, _ options: Options) -> ComparisonResult {
        if options.contains(.localeSensitive) {
            return left.compare(right, options: options.foundation, range: nil, locale: .current)
        }
        return ComparisonResult(folded(left, options), folded(right, options))
    }

    /// Whether the code units of one text start another.
    package static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
        text.utf8.starts(with: prefix.utf8)
    }

    /// Whether the code units of one text end another.
    package static func hasSuffix(_ text: String, _ suffix: String) -> Bool {
        suffix.utf8.count <= text.utf8.count && text.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// Whether the code units of one text occur in another; the empty text occurs in every one.
    package static func contains(_ text: String, _ part: String) -> Bool {
        var text = text
        var part = part
        return text.withUTF8 { text in part.withUTF8 { part in occurs(part, in: text) } }
    }

    private static func occurs(_ part: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= text.count else { return false }
        for start in 0...(text.count - part.count) where text[start] == first {
            if (1..<part.count).allSatisfy({ text[start + $0] == part[$0] }) { return true }
        }
        return false
    }
}

extension NSComparisonPredicate.Options {
    var foundation: String.CompareOptions {
        var options: String.CompareOptions = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return options
    }
}
