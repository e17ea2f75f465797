/// A type of the server, by its number there (OID).
///
/// The numbers of the built-in types are the same on every server. Types that a database defines itself have numbers
/// from 16,384 on.
@frozen
package struct PostgreSQLType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No type: the server infers one.
    package static let unspecified = Self(rawValue: 0)

    package static let bool = Self(rawValue: 16)
    package static let bytea = Self(rawValue: 17)
    package static let name = Self(rawValue: 19)
    package static let int8 = Self(rawValue: 20)
    package static let int2 = Self(rawValue: 21)
    package static let int4 = Self(rawValue: 23)
    package static let text = Self(rawValue: 25)
    package static let oid = Self(rawValue: 26)
    package static let json = Self(rawValue: 114)
    package static let xml = Self(rawValue: 142)
    package static let float4 = Self(rawValue: 700)
    package static let float8 = Self(rawValue: 701)
    package static let unknown = Self(rawValue: 705)
    package static let bpchar = Self(rawValue: 1042)
    package static let varchar = Self(rawValue: 1043)
    package static let date = Self(rawValue: 1082)
    package static let timestamp = Self(rawValue: 1114)
    package static let timestamptz = Self(rawValue: 1184)
    package static let numeric = Self(rawValue: 1700)
    package static let uuid = Self(rawValue: 2950)

    package static let boolArray = Self(rawValue: 1000)
    package static let byteaArray = Self(rawValue: 1001)
    package static let int2Array = Self(rawValue: 1005)
    package static let int4Array = Self(rawValue: 1007)
    package static let textArray = Self(rawValue: 1009)
    package static let int8Array = Self(rawValue: 1016)
    package static let float8Array = Self(rawValue: 1022)
    package static let timestamptzArray = Self(rawValue: 1185)
    package static let numericArray = Self(rawValue: 1231)
    package static let uuidArray = Self(rawValue: 2951)
}

extension PostgreSQLType {
    /// Whether a value of this type can be sent where the server expects `wanted`.
    ///
    /// The server takes the bytes as they are: a float in the place of an integer would become a wrong number and not
    /// an error. A type of the database itself is left to the server.
    @inlinable
    func fits(_ wanted: Self) -> Bool { self == wanted || fitsOther(wanted) }

    @usableFromInline
    func fitsOther(_ wanted: Self) -> Bool {
        if self == .unspecified || wanted == .unspecified || wanted.rawValue >= 16_384 { return true }
        switch self {
        case .text: return Self.texts.contains(wanted)
        case .timestamptz: return wanted == .timestamp
        case .textArray: return Self.textArrays.contains(wanted.rawValue)
        default: return false
        }
    }

    /// The types that have the bytes of a text.
    private static let texts: Set<Self> = [.text, .varchar, .bpchar, .name, .json, .xml, .unknown]
    /// Arrays of `text`, `varchar`, `bpchar` and `name`.
    private static let textArrays: Set<UInt32> = [1009, 1015, 1014, 1003]
}
