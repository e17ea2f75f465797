import Foundation
import ModelDocument
import StoreBrowsing

/// What attribute the values of a member can have.
struct ScalarGuess {
    private enum Kind: Hashable { case bool, integer, fraction, long, date, uuid, uri, text }

    private var kinds: Set<Kind> = []
    /// An example, for a sentence.
    private var example: String?

    mutating func take(_ value: SampleValue) {
        switch value {
        case .bool: kinds.insert(.bool)
        case .number(let text): kinds.insert(Self.kind(ofNumber: text))
        case .text(let text):
            kinds.insert(Self.kind(ofText: text))
            example = example ?? String(text.prefix(40))
        case .null, .array, .object: break
        }
    }

    var isEmpty: Bool { kinds.isEmpty }

    /// The type, and a note where the values are of several kinds.
    ///
    /// - Parameter key: Words like `price` ask for decimals.
    func type(_ key: String) -> (type: Model.AttributeType, note: String?) {
        let numbers: Set<Kind> = [.integer, .fraction, .long]
        if kinds == [.bool] { return (.boolean, nil) }
        if kinds == [.integer] { return (.integer64, nil) }
        if kinds.isSubset(of: numbers), !kinds.isEmpty {
            return (kinds.contains(.long) || Self.isMoney(key) ? .decimal : .double, nil)
        }
        if kinds == [.date] { return (.date, nil) }
        if kinds == [.uuid] { return (.uuid, nil) }
        if kinds == [.uri] { return (.uri, nil) }
        let texts: Set<Kind> = [.date, .uuid, .uri, .text]
        if kinds.isEmpty { return (.string, "was null in all samples, and became a text") }
        return (.string, kinds.isSubset(of: texts) ? nil : "has values of several kinds, and became a text")
    }

    private static func kind(ofNumber text: String) -> Kind {
        if Int64(text) != nil { return .integer }
        // More digits than a Double has.
        return text.count(where: \.isNumber) > 15 && !text.lowercased().contains("e") ? .long : .fraction
    }

    private static func kind(ofText text: String) -> Kind {
        if text.utf8.count == 36, UUID(uuidString: text) != nil { return .uuid }
        if isDate(text) { return .date }
        if text.contains("://"), let url = URL(string: text), url.scheme != nil, url.host != nil { return .uri }
        return .text
    }

    /// A day, or a day and a time, of ISO 8601.
    private static func isDate(_ text: String) -> Bool {
        guard (10...35).contains(text.utf8.count) else { return false }
        return text.wholeMatch(
            of:
                /\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?/
        ) != nil
    }

    private static func isMoney(_ key: String) -> Bool {
        let words: Set = [
            "price", "amount", "total", "cost", "sum", "tax", "balance", "fee", "salary", "subtotal", "discount", "vat",
        ]
        return !words.isDisjoint(with: DraftName.words(of: key))
    }
}
