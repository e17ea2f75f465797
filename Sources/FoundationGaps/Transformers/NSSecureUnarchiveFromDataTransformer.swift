import Foundation

/// Data of a keyed archive to the archived object and back, for objects of the classes that it allows.
///
/// To keep objects of a class of your own in a transformable attribute, let the class conform to `NSSecureCoding`.
/// Register a subclass that allows it, before the first fetch:
///
/// ```swift
/// final class ColorTransformer: NSSecureUnarchiveFromDataTransformer {
///     override class var allowedTopLevelClasses: [AnyClass] { super.allowedTopLevelClasses + [Color.self] }
/// }
/// ValueTransformer.setValueTransformer(ColorTransformer(), forName: NSValueTransformerName("ColorTransformer"))
/// ```
///
/// A store uses it in reverse: ``reverseTransformedValue(_:)`` makes the data that a row has.
///
/// Data that is no archive, is damaged, or holds an object of another class gives nil. Foundation's unarchiver on Linux
/// ends the process on some of it, so archives are decoded here. An archive with objects that contain themselves is
/// refused as well: `init(coder:)` can't make them.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes that an archived object may have, or inherit from. The contents of collections count too.
    ///
    /// At first: arrays, dictionaries, sets, strings, numbers, dates, data, URLs, UUIDs and `NSNull`. Override it to
    /// add classes, as above. List only classes that are safe to decode from data of strangers.
    open class var allowedTopLevelClasses: [AnyClass] { SecureArchive.valueClasses }

    /// `NSObject`: an archive may hold any allowed class.
    open override class func transformedValueClass() -> AnyClass { NSObject.self }

    /// The object that is archived in a `Data`; nil for anything else.
    ///
    /// Nil also for data that is no archive, is damaged, or holds an object of a class that is not allowed. The error
    /// is not told here.
    open override func transformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        return try? unarchived(data)
    }

    /// The keyed archive of an object, as `Data`. Nil if the object, or what it contains, can't be archived.
    ///
    /// An object of a class that is not allowed gives nil, too. Equal objects give equal data, so saving one again
    /// writes the same bytes.
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
