import Foundation

/// The keys of a key path: `team.players.name` is `["team", "players", "name"]`.
package func keyPathComponents(_ keyPath: String) -> [String] {
    guard keyPath.utf8.contains(UInt8(ascii: ".")) else { return [keyPath] }
    return keyPath.split(separator: ".").map(String.init)
}

/// The value at the end of a key path, by key-value coding.
///
/// - Each key is applied to the result of the one before it; nil, or `NSNull`, on the way gives nil.
/// - A ``KeyValueCoding`` object is asked for `value(forKey:)`; a dictionary is looked up, and gives an `NSNull` that
///   it has.
/// - A collection maps the key over its members: an array gives an array with `NSNull` for nil, a set gives a set, an
///   ordered set an ordered set, both without nil and duplicates.
/// - `@count`, `@sum`, `@avg`, `@min`, `@max` and the union operators apply to the collection before them; what
///   follows them is their operand.
/// - Any other Swift value gives its stored properties by reflection, a Foundation value the well-known keys of its
///   class (`length`, `absoluteString`). Apple's key-value coding can't read Swift structs; this is our addition.
/// - Numbers come out as `NSNumber`, decimals as an `NSDecimalNumber` that can be hashed (Foundation's own on Linux
///   recurses endlessly in `hash`).
///
/// A key that the value doesn't have traps, naming type and key.
package func value(of object: Any?, forKeyPath keyPath: String) -> Any? {
    guard keyPath.utf8.contains(UInt8(ascii: ".")) else {
        return object.flatMap { KeyValueLookup.value(of: $0, forKey: keyPath) }
    }
    return value(of: object, forKeys: keyPathComponents(keyPath)[...])
}

/// ``value(of:forKeyPath:)`` for a path that has been split before, for code that walks it often.
package func value(of object: Any?, forKeys keys: ArraySlice<String>) -> Any? {
    var current = object
    var rest = keys
    while let object = current, let key = rest.first {
        rest = rest.dropFirst()
        if let op = CollectionOperator(key: key), let collection = object as? any KeyValueCollection {
            return op.result(over: collection, keys: rest)
        }
        current = KeyValueLookup.value(of: object, forKey: key)
    }
    return current
}

/// Sets the property at the end of a key path; does nothing if there is nil on the way.
///
/// A collection at the end of the path passes the value to each of its members. Traps, naming type and key, where the
/// owner takes no values: a Swift struct, say.
package func setValue(_ newValue: Any?, of object: Any?, forKeyPath keyPath: String) {
    setValue(newValue, of: object, forKeys: keyPathComponents(keyPath)[...])
}

private func setValue(_ newValue: Any?, of object: Any?, forKeys keys: ArraySlice<String>) {
    guard let object, let key = keys.first else { return }
    let rest = keys.dropFirst()
    if rest.isEmpty { return KeyValueLookup.setValue(newValue, of: object, forKey: key) }
    if let dictionary = instance(in: object) as? NSDictionary {
        return setValue(newValue, of: StoredObjects.value(in: dictionary, forKey: key), forKeys: rest)
    }
    if let members = StoredObjects.members(of: object) {
        return members.forEach { setValue(newValue, of: $0, forKeys: keys) }
    }
    setValue(newValue, of: KeyValueLookup.value(of: object, forKey: key), forKeys: rest)
}
