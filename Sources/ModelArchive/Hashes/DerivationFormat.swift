/// The format of a derivation's expression.
///
/// Documents may say `pages.@count` where a compiled model has the function `count:(pages)`; hashes take the function.
enum DerivationFormat {
    private static let functions = ["count": "count:", "sum": "sum:"]

    /// The format with an aggregate of a key path as the function that Xcode compiles it to.
    static func canonical(_ format: String) -> String {
        let keys = format.split(separator: ".", omittingEmptySubsequences: false)
        guard let place = keys.firstIndex(where: { $0.hasPrefix("@") }), place > 0,
            let function = functions[String(keys[place].dropFirst())], keys.allSatisfy(isKey)
        else { return format }
        let operand = (keys[..<place] + keys[(place + 1)...]).joined(separator: ".")
        return "\(function)(\(operand))"
    }

    private static func isKey(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "@" }
    }
}
