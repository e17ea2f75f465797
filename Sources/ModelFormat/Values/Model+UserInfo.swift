import Foundation

extension Model {
    /// The user info of an entity or a property: keys and values in order. Documents hold strings only.
    public struct UserInfo: Sendable, Hashable, Codable, ExpressibleByDictionaryLiteral {
        public var entries: [Entry]
        public var foreign = ForeignContent()

        public init(_ entries: [Entry] = []) {
            self.entries = entries
        }

        public init(dictionaryLiteral elements: (String, UserInfoValue)...) {
            entries = elements.map { Entry(key: $0, value: $1) }
        }

        /// One key and its value.
        public struct Entry: Sendable, Hashable, Codable {
            public var key: String
            public var value: UserInfoValue
            public var foreign = ForeignContent()

            public init(key: String, value: UserInfoValue) {
                self.key = key
                self.value = value
            }
        }

        /// The value of the first entry with that key.
        public subscript(key: String) -> UserInfoValue? {
            entries.first { $0.key == key }?.value
        }
    }

    /// A value in a user info: what a property list can say.
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

        public init(stringLiteral value: String) {
            self = .string(value)
        }

        /// The text, if the value is one.
        public var string: String? {
            if case .string(let text) = self { text } else { nil }
        }
    }
}
