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
            return try self.dictionary(dictionary, depth)
        default:
            return try checked(value)
        }
    }

    private static func dictionary(_ dictionary: NSDictionary, _ depth: Int) throws -> NSDictionary {
        let result = NSMutableDictionary()
        for (key, value) in dictionary {
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
