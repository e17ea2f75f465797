import Foundation

/// One step of key-value coding: one key of one object.
enum KeyValueLookup {
    static func value(of object: Any, forKey key: String) -> Any? {
        let object = opened(object)
        if key == "self" || key == "SELF" { return boxed(object) }
        if let object = coder(object) { return withoutNull(object.value(forKey: key)) }
        if let dictionary = object as? any KeyValueDictionary {
            let value = dictionary.keyValue(forKey: key)
            // What the dictionary has: a null there is a value.
            return isNull(value) ? value : boxed(value)
        }
        if let collection = object as? any KeyValueCollection { return collection.mappedValue(forKey: key) }
        if object is NSNull { return nil }
        return valueByFoundationOrReflection(of: object, forKey: key)
    }

    static func setValue(_ value: Any?, of owner: Any, forKey key: String) {
        let owner = opened(owner)
        if let object = coder(owner) { return object.setValue(value, forKey: key) }
        if let dictionary = instance(in: owner) as? NSMutableDictionary {
            return dictionary.setValue(value, forKey: key)
        }
        if let collection = owner as? any KeyValueCollection {
            let members = StoredObjects.members(of: owner) ?? collection.keyValueMembers
            return members.forEach { setValue(value, of: $0, forKey: key) }
        }
        if !isNull(owner) { KeyValueFailure.notSettable(key, of: owner) }
    }

    /// The object with key-value coding of its own that a value is.
    ///
    /// Only objects are cast: to cast a Swift collection to a protocol of classes Foundation converts all of it, and on
    /// Linux recurses endlessly over the hash of a decimal in a set.
    private static func coder(_ value: Any) -> (any KeyValueCoding)? {
        instance(in: value).flatMap { $0 as? any KeyValueCoding }
    }

    private static func valueByFoundationOrReflection(of object: Any, forKey key: String) -> Any? {
        if let value = FoundationKeys.value(of: object, forKey: key) { return value }
        switch ReflectedProperties.value(of: object, forKey: key) {
        case .found(let value): return value
        case .notFound: KeyValueFailure.undefinedKey(key, of: object)
        }
    }

    private static func withoutNull(_ value: Any?) -> Any? { isNull(value) ? nil : value }

    /// Whether a value is `NSNull`. A cast of a collection is not tried; see ``coder(_:)``.
    static func isNull(_ value: Any?) -> Bool { value.flatMap(instance) is NSNull }
}
