/// An object that a full-text search found.
///
/// ```swift
/// for match in try context.matches(for: "core dat*", in: Player.fetchRequest()) {
///     print(match.object.lastName ?? "", match.snippet)
/// }
/// ```
///
/// This is an extension; Apple's Core Data has no full-text search. See <doc:FullTextSearch>.
public struct NSFullTextMatch<Object: NSManagedObject> {
    /// The object.
    public let object: Object
    /// How well the object fits: the lower, the better. Numbers of different searches can't be compared.
    public let rank: Double
    /// A piece of one of the texts, where most of the words are. An ellipsis stands for what is left out.
    public let snippet: String
    /// Where the words that were found are in the snippet.
    public let highlights: [Range<String.Index>]

    /// - Parameter marked: The snippet with markers around what was found.
    init(_ object: Object, rank: Double, marked: String) {
        (self.object, self.rank) = (object, rank)
        var text = ""
        var places: [Range<Int>] = []
        var start: Int?
        for scalar in marked.unicodeScalars {
            switch String(scalar) {
            case TextMarker.start: start = text.utf8.count
            case TextMarker.end:
                if let first = start { places.append(first..<text.utf8.count) }
                start = nil
            default: text.unicodeScalars.append(scalar)
            }
        }
        snippet = text
        let utf8 = text.utf8
        highlights = places.map { place in
            let start = utf8.index(utf8.startIndex, offsetBy: place.lowerBound)
            return start..<utf8.index(start, offsetBy: place.count)
        }
    }
}

// An object belongs to its context's queue, and so does a match.
@available(*, unavailable)
extension NSFullTextMatch: Sendable {}
