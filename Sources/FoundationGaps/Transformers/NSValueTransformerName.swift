/// The name under which a value transformer is registered. Data models name transformers by it.
///
/// ```swift
/// let name = NSValueTransformerName("ColorTransformer")
/// ValueTransformer.setValueTransformer(NSSecureUnarchiveFromDataTransformer(), forName: name)
/// ```
///
/// A name is any text; upper and lower case count.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name as text, as it stands in the data model's `valueTransformerName`.
    public var rawValue: String

    /// Makes a name of a text. It registers nothing.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a name of a text. It registers nothing.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

extension NSValueTransformerName {
    /// True to false and back. The result is an `NSNumber`; nil and values that are no numbers give true.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
    /// Whether a value is nil, as an `NSNumber`. Not reversible: `reverseTransformedValue(_:)` traps.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
    /// Whether a value is not nil, as an `NSNumber`. Not reversible: `reverseTransformedValue(_:)` traps.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
    /// Data of an archive to the archived object. Deprecated at Apple: use ``secureUnarchiveFromDataTransformerName``.
    ///
    /// Here it is the same as ``keyedUnarchiveFromDataTransformerName``. Archives without keys, as NeXT wrote them, are
    /// refused.
    public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
    /// Data of a keyed archive to the archived object. Deprecated at Apple for decoding any class.
    ///
    /// Here it decodes the classes that ``secureUnarchiveFromDataTransformerName`` does. So a store with other
    /// classes needs a transformer of your own.
    public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
    /// Data of a keyed archive to the archived object, which is of one of the allowed classes.
    ///
    /// The classes are those of property lists, and `NSSet`, `NSURL`, `NSUUID` and `NSNull`. For a class of your own,
    /// register a subclass of ``NSSecureUnarchiveFromDataTransformer``.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
}
