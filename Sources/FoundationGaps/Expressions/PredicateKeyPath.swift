/// A key path split once, when its expression is made.
package struct PredicateKeyPath: Sendable, Hashable {
    /// The text as it was written, `players.@max.salary`.
    package let text: String
    /// The keys, without a leading `self`, which means the object that the path starts from.
    package let keys: [String]

    package init(_ text: String) {
        self.text = text
        let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        self.keys = Array(keys.drop(while: Self.isSelf))
    }

    package init(keys: [String]) {
        text = keys.joined(separator: ".")
        self.keys = Array(keys.drop(while: Self.isSelf))
    }

    /// Whether a collection operator such as `@count` stands in the path.
    package var hasOperator: Bool {
        keys.contains { $0.utf8.first == UInt8(ascii: "@") }
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.keys == right.keys
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(keys)
    }

    private static func isSelf(_ key: String) -> Bool {
        key == "self" || key == "SELF"
    }
}
