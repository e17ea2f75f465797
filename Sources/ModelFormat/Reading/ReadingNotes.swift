import PropertyLists

/// What the readers of a compiled model left out, a sentence for each part.
///
/// A model may hold parts that this library does not know: an index of a later release, a predicate that calls unknown
/// code. They must not stand between a user and the data. A reader that gets notes goes on without such a part and
/// writes a sentence; a reader without notes throws.
package final class ReadingNotes {
    /// The sentences, each once, in the order in which the parts were met.
    package private(set) var lines: [String] = []
    private var known: Set<String> = []

    package init() {}

    /// Whether everything was understood.
    package var isEmpty: Bool { lines.isEmpty }

    /// Adds a sentence.
    package func note(_ sentence: Sentence) {
        let line = sentence.text
        if known.insert(line).inserted { lines.append(line) }
    }
}
