/// A value of a JSON document, written as Python's `json.dumps` writes it, so that output can be compared byte for byte
/// with that of other readers of the format.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    /// Members in any order; they are written sorted by the code points of their names.
    case object([String: JSONValue])

    /// The string, or null.
    package static func optional(_ string: String?) -> JSONValue {
        string.map(JSONValue.string) ?? .null
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }
}

extension String {
    /// Whether the string comes first by code points, whatever Unicode says of equivalence: the order of names in the
    /// formats, and of keys in our JSON.
    package func precedesByCodePoint(_ other: String) -> Bool {
        unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
    }
}
