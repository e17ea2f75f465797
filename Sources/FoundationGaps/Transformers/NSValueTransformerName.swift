/// The name under which a value transformer is registered; data models name transformers by it.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(_ rawValue: String) { self.rawValue = rawValue }
}

extension NSValueTransformerName {
    /// True to false and back.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
    /// Whether a value is nil. Not reversible.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
    /// Whether a value is something. Not reversible.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
    /// Data of an archive to the archived object. Deprecated at Apple; here the same as
    /// ``keyedUnarchiveFromDataTransformerName``: archives without keys, as NeXT wrote them, are refused.
    public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
    /// Data of a keyed archive to the archived object. Deprecated at Apple for decoding any class; here it decodes those
    /// classes that ``secureUnarchiveFromDataTransformerName`` does.
    public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
    /// Data of a keyed archive to the archived object, which is one of the classes that are allowed.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
}
