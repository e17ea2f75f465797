import Foundation
import PropertyLists

/// Keyed archives of values from outside: read without ever ending the process, written without surprises.
enum SecureArchive {
    /// The classes that Cocoa's secure transformer allows from the start.
    static let valueClasses: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, NSURL.self,
        NSUUID.self, NSNull.self,
    ]

    /// The classes of property lists.
    static let propertyListClasses: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
    ]

    /// The archived object, an instance of an allowed class or a subclass of one.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` with what is wrong.
    static func object(in data: Data, allowing classes: [AnyClass]) throws -> Any {
        try KeyedArchiveDecoder(data).decodeRoot(of: classes)
    }

    /// The archive of a value.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` if the value is of no allowed class, or contains what can't be
    ///   archived.
    static func archive(_ value: Any, allowing classes: [AnyClass]) throws -> Data {
        let object = try ArchivableValue.object(for: value)
        guard isInstance(object, of: classes) else {
            throw invalidValue(
                """
                A value of type \(type(of: value)) is of no class that the transformer allows; let a subclass of \
                NSSecureUnarchiveFromDataTransformer list its class in allowedTopLevelClasses.
                """)
        }
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        return try CanonicalArchive.data(of: archiver.encodedData)
    }

    /// The objects of an archive by their numbers, and the names of those on top.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` for what is no keyed archive.
    static func parts(
        of data: Data
    ) throws -> (objects: [PropertyListValue], top: [String: PropertyListValue]) {
        let list: PropertyListValue
        do { list = try PropertyListValue(binary: data) } catch { throw corrupt(error.localizedDescription) }
        guard let archive = list.dictionary, archive["$archiver"]?.string == "NSKeyedArchiver",
            let objects = archive["$objects"]?.array, let top = archive["$top"]?.dictionary
        else { throw corrupt("The data is a property list, but no keyed archive.") }
        return (objects, top)
    }

    static func isInstance(_ object: Any, of classes: [AnyClass]) -> Bool {
        if object is ArchivedDecimalNumber {
            return classes.contains { NSNumber.self == $0 || NSDecimalNumber.self == $0 }
        }
        return isSubclass(type(of: object as AnyObject), of: classes)
    }

    static func isSubclass(_ type: AnyClass, of classes: [AnyClass]) -> Bool {
        var current: AnyClass? = type
        while let candidate = current {
            if classes.contains(where: { $0 == candidate }) { return true }
            current = superclass(of: candidate)
        }
        return false
    }

    private static func superclass(of type: AnyClass) -> AnyClass? { _getSuperclass(type) }

    static func corrupt(_ sentence: String) -> CocoaError {
        CocoaError(.coderReadCorrupt, userInfo: [NSLocalizedDescriptionKey: sentence])
    }

    static func invalidValue(_ sentence: String) -> CocoaError {
        CocoaError(.coderInvalidValue, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
