import StoreBrowsing

/// A value of an imported row, as the file has it. The bytes are valid until the next row.
enum InputValue {
    /// An empty field, or `null`.
    case null
    case text(UnsafeBufferPointer<UInt8>)
    /// A number of JSON.
    case number(UnsafeBufferPointer<UInt8>)
    case bool(Bool)
    /// An array of JSON.
    case list

    /// The value for a message.
    var description: String {
        switch self {
        case .null: "nil"
        case .text(let bytes): "“\(SafeText.singleLine(String(decoding: bytes, as: UTF8.self).excerpted))”"
        case .number(let bytes): String(decoding: bytes, as: UTF8.self).excerpted
        case .bool(let flag): flag ? "true" : "false"
        case .list: "an array"
        }
    }
}

extension String {
    /// The beginning of a long text.
    fileprivate var excerpted: String { utf8.count <= 80 ? self : String(prefix(60)) + "…" }
}
