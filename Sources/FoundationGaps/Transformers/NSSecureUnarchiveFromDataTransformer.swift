import Foundation

/// Data of a keyed archive to the archived object and back, for objects of the classes that it allows.
///
/// To keep objects of a class of your own in a transformable attribute, let the class conform to `NSSecureCoding` and
/// register a subclass that allows it:
///
/// ```swift
/// final class ColorTransformer: NSSecureUnarchiveFromDataTransformer {
///     override class var allowedTopLevelClasses: [AnyClass] { super.allowedTopLevelClasses + [Color.self] }
/// }
/// ValueTransformer.setValueTransformer(ColorTransformer(), forName: NSValueTransformerName("ColorTransformer"))
/// ```
///
/// Data that is no archive, is damaged, or holds an object of another class gives nil, never worse: archives are decoded
/// here rather than by Foundation's unarchiver, which on Linux ends the process on some such data. One whose objects contain
/// themselves is refused as well: such objects can't be made by `init(coder:)`.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes of which, or of whose subclasses, an archived object may be. The contents of collections too.
    open class var allowedTopLevelClasses: [AnyClass] { SecureArchive.valueClasses }

    open override class func transformedValueClass() -> AnyClass { NSObject.self }

    /// The object that is archived in a `Data`; nil for anything else.
    open override func transformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        return try? unarchived(data)
    }

    /// The keyed archive of an object, as `Data`; nil if the object, or what it contains, can't be archived.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let value else { return nil }
        return try? archived(value)
    }

    func unarchived(_ data: Data) throws -> Any {
        try SecureArchive.object(in: data, allowing: type(of: self).allowedTopLevelClasses)
    }

    func archived(_ value: Any) throws -> Data {
        try SecureArchive.archive(value, allowing: type(of: self).allowedTopLevelClasses)
    }
}

/// `NSUnarchiveFromData` and `NSKeyedUnarchiveFromData`, as secure as their successor.
final class UnarchiveFromDataTransformer: NSSecureUnarchiveFromDataTransformer {}
