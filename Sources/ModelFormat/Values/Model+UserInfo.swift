import Foundation

extension Model {
    /// The user info of an entity or a property: keys and values in their order.
    ///
    /// ```swift
    /// entity.userInfo = ["owner": "rosters", "since": "2024"]
    /// print(entity.userInfo?["owner"]?.string ?? "")
    /// ```
    ///
    /// Documents have strings only. Compiled models may have other values.
    public struct UserInfo: Sendable, Hashable, Codable, ExpressibleByDictionaryLiteral {
        /// The keys with their values, in the document's order.
        public var entries: [Entry]

        /// What the element says beyond the entries.
        public var foreign = ForeignContent()

        /// A user info of some entries.
        ///
        /// Without entries it is an empty element of the document. A property without the element has `nil`.
        public init(_ entries: [Entry] = []) {
            self.entries = entries
        }

        /// A user info of the keys and values of a dictionary literal, in their order.
        public init(dictionaryLiteral elements: (String, UserInfoValue)...) {
            entries = elements.map { Entry(key: $0, value: $1) }
        }

        /// One key and its value. In a document it is the element `entry`.
        public struct Entry: Sendable, Hashable, Codable {
            /// The key. It should be unique.
            ///
            /// A lookup by key finds the first entry.
            public var key: String

            /// The value of the key.
            ///
            /// A document can only say a string: `contents()` throws for any other.
            public var value: UserInfoValue

            /// What the element says beyond key and value.
            public var foreign = ForeignContent()

            /// An entry of a key and a value.
            public init(key: String, value: UserInfoValue) {
                self.key = key
                self.value = value
            }
        }

        /// The value of the first entry with a key, or `nil`.
        ///
        /// Change ``entries`` to set a value.
        public subscript(key: String) -> UserInfoValue? {
            entries.first { $0.key == key }?.value
        }
    }

    /// A value in a user info: what a property list can say.
    ///
    /// A string literal is a value: `let value: Model.UserInfoValue = "rosters"`.
    public enum UserInfoValue: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
        case string(String)
        case integer(Int64)
        case real(Double)
        case boolean(Bool)
        /// Seconds since 1 January 2001 UTC.
        case date(Double)
        case data(Data)
        case array([UserInfoValue])
        case dictionary([String: UserInfoValue])

        /// The value of a string literal.
        public init(stringLiteral value: String) {
            self = .string(value)
        }

        /// The text, if the value is a string; otherwise `nil`.
        public var string: String? {
            if case .string(let text) = self { text } else { nil }
        }
    }
}
