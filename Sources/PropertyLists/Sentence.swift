/// A sentence of an error or a finding: of each text that it quotes it repeats 200 characters at most.
///
/// Names and formats of a document may be as long as the document. A message that repeats them whole is of no use, and
/// one that repeats them several times fills a log.
package struct Sentence: ExpressibleByStringInterpolation, Sendable {
    package var text: String

    package init(stringLiteral value: String) { text = value }
    package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }
    /// A sentence that was made before, as it is.
    package init(whole text: String) { self.text = text }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }
        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ value: some Any) { text += "\(value)".excerpt }
        /// A part that was cut before, as it is.
        package mutating func appendInterpolation(whole value: String) { text += value }
        package mutating func appendInterpolation(whole value: Sentence) { text += value.text }

        /// Names with commas between them: 60 at most, as many as 1,000 bytes hold, and how many more there are.
        package mutating func appendInterpolation(list names: some Collection<String>) {
            var (shown, size) = (0, 0)
            for name in names {
                let name = name.excerpt
                guard shown < 60, size + name.utf8.count <= 1000 || shown == 0 else { break }
                text += (shown == 0 ? "" : ", ") + name
                (shown, size) = (shown + 1, size + name.utf8.count)
            }
            if shown < names.count { text += " and \(names.count - shown) more" }
            if names.isEmpty { text += "none" }
        }
    }
}

extension StringProtocol {
    /// The text, or where it has more than 200 characters its beginning and its end with “…” between them.
    package var excerpt: String {
        // A character has one byte at least: short texts are not counted.
        guard utf8.count > 200, index(startIndex, offsetBy: 200, limitedBy: endIndex) ?? endIndex < endIndex else {
            return String(self)
        }
        return Self.bounded(unicodeScalars.prefix(140)) + "…" + Self.bounded(unicodeScalars.suffix(59))
    }

    private static func bounded(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }
}
