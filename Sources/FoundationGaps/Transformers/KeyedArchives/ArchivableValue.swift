import Foundation

/// Values in the form in which Foundation's archiver takes them without ending the process.
enum ArchivableValue {
    /// The value as an object, collections and their contents likewise.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` for an object that can't be archived securely.
    static func object(for value: Any, depth: Int = 0) throws -> Any {
        guard depth < 90 else {
            throw SecureArchive.invalidValue("The value nests collections too deep to be archived.")
        }
        let value = opened(value)
        if !(type(of: value) is AnyClass), let object = try collection(value, depth) { return object }
        switch value {
        case let decimal as NSDecimalNumber:
            return ArchivedDecimalNumber(decimal.decimalValue)
        case let decimal as Decimal:
            return ArchivedDecimalNumber(decimal)
        case let array as NSArray:
            return NSArray(array: try array.map { try object(for: $0, depth: depth + 1) })
        case let set as NSSet:
            return NSSet(array: try set.map { try object(for: $0, depth: depth + 1) })
        case let dictionary as NSDictionary:
            return try self.dictionary(dictionary.entries, depth)
        default:
            return try checked(value)
        }
    }

    /// A Swift collection as an object.
    ///
    /// Its contents come first: converting a set of decimals as it is, Foundation on Linux ends the process.
    private static func collection(_ value: Any, _ depth: Int) throws -> Any? {
        if let dictionary = value as? any DictionarySource { return try self.dictionary(dictionary.entries, depth) }
        guard let collection = (value as? any PredicateCollectionSource)?.predicateCollection else { return nil }
        let members = try collection.elements.map { try object(for: $0, depth: depth + 1) }
        return collection.kind == .set ? NSSet(array: members) : NSArray(array: members)
    }

    private static func dictionary(_ entries: [(key: Any, value: Any)], _ depth: Int) throws -> NSDictionary {
        let result = NSMutableDictionary()
        for (key, value) in entries {
            guard let key = try object(for: key, depth: depth + 1) as? NSObject else { continue }
            result.setObject(try object(for: value, depth: depth + 1), forKey: key)
        }
        return result
    }

    private static func checked(_ value: Any) throws -> Any {
        let object = value as AnyObject
        guard (type(of: object) as? any NSSecureCoding.Type)?.supportsSecureCoding == true else {
            throw SecureArchive.invalidValue(
                "A value of type \(type(of: value)) can't be archived: let its class conform to NSSecureCoding.")
        }
        return object
    }
}
