import FoundationGaps
import Synchronization

/// The attributes of an entity tree that full-text search looks into.
///
/// An attribute is marked by ``NSFullTextSearchUserInfoKey`` in its user info, or by "Index in Spotlight". Neither is
/// part of a version hash.
package struct TextMarks: Sendable {
    package let tokenizer: TextTokenizer
    /// The indexes of the slots, by the numbers of the entities.
    private let slots: [Int32: [Int]]

    /// Whether no attribute is marked.
    var isEmpty: Bool { slots.isEmpty }

    /// The attributes of an entity that are marked, inherited ones first.
    package func slots(of layout: EntityLayout) -> [PropertySlot] {
        (slots[layout.number] ?? []).map { layout.slots[$0] }
    }

    /// - Throws: 134020 for a mark that can't be kept.
    init(_ root: EntityLayout) throws {
        var slots: [Int32: [Int]] = [:]
        var tokenizers: [TextTokenizer: PropertySlot] = [:]
        for layout in root.selfAndDescendants {
            let marked = try layout.slots.filter { slot in
                guard let mark = try TextMark(slot, of: layout) else { return false }
                if let tokenizer = mark.tokenizer { tokenizers[tokenizer] = slot }
                return true
            }
            if !marked.isEmpty { slots[layout.number] = marked.map(\.index) }
        }
        if tokenizers.count > 1 {
            let names = tokenizers.map { "“\($0.value.name)” (\($0.key.rawValue))" }.sorted()
            throw TextMark.refusal(
                "The attributes of \(root.name) and its subentities are split into words in different ways.",
                "They share one index. Give the same word to \(names.joined(separator: ", ")).")
        }
        self.slots = slots
        tokenizer = tokenizers.keys.first ?? .words
    }
}

/// What the model says about full-text search of one attribute.
private struct TextMark {
    /// Nil: that of the other attributes.
    let tokenizer: TextTokenizer?

    /// - Returns: Nil for a property that is not marked.
    init?(_ slot: PropertySlot, of layout: EntityLayout) throws {
        let canBeSearched =
            slot.kind == .string && slot.isStoredInRow && !(slot.property is NSDerivedAttributeDescription)
        guard let word = slot.property.userInfo?[NSFullTextSearchUserInfoKey] else {
            guard canBeSearched, slot.property.isIndexedBySpotlight else { return nil }
            tokenizer = nil
            return
        }
        let place = "“\(slot.name)” of \(layout.name)"
        let text = ((word as? NSNumber).map { $0.boolValue ? "YES" : "NO" } ?? "\(word)").lowercased()
        switch text {
        case "no", "false", "0": return nil
        case "yes", "true", "1": tokenizer = nil
        default:
            guard let named = TextTokenizer(rawValue: text) else {
                let names = TextTokenizer.allCases.map(\.rawValue).joined(separator: ", ")
                throw Self.refusal(
                    "The user info of \(place) has \(word) for \(NSFullTextSearchUserInfoKey).",
                    "It can be YES, NO, or how texts are split into words: \(names).")
            }
            tokenizer = named
        }
        guard canBeSearched else {
            throw Self.refusal(
                "Full-text search can't look into \(place).",
                "It looks into stored attributes of the type String. Mark the attribute that a derived one comes from.")
        }
    }

    static func refusal(_ sentence: String, _ reason: String) -> NSError {
        .cocoa(NSPersistentStoreIncompatibleSchemaError, sentence, reason: reason)
    }
}

/// What is found out of a tree's marks once.
final class TextMarksCache: Sendable {
    private let known = Mutex<Result<TextMarks, any Error>?>(nil)

    func marks(of root: EntityLayout) throws -> TextMarks {
        try known.withLock { known in
            let result = known ?? Result { try TextMarks(root) }
            known = result
            return try result.get()
        }
    }
}

extension EntityLayout {
    /// The marks of the entity's tree, as they were when they were first asked for.
    ///
    /// - Throws: 134020 for a mark that can't be kept.
    package func textMarks() throws -> TextMarks {
        let root = model[rootNumber]
        return try root.textMarksCache.marks(of: root)
    }
}
