extension JSONValue {
    /// The value as a field: null is empty, several identifiers have blanks between them.
    package var fieldText: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .array(let items): items.map(\.fieldText).joined(separator: " ")
        case .bool, .int, .double, .object: JSONWriter(layout: .compact).string(self)
        }
    }
}
