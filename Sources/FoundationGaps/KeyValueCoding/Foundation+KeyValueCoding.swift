import Foundation

extension NSArray {
    /// The members' values for `key` in an array, nil as `NSNull`; a collection operator for a key that starts with
    /// `@`.
    public func value(forKey key: String) -> Any { mappedValue(forKey: key) }

    /// The members' values at the end of a path of keys, or the result of a collection operator in it.
    public func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }

    /// Sets the property named `key` of each member.
    public func setValue(_ value: Any?, forKey key: String) { KeyValueLookup.setValue(value, of: self, forKey: key) }

    /// Sets the property at the end of a path of keys from each member; does nothing if there is nil on the way.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        FoundationGaps.setValue(value, of: self, forKeyPath: keyPath)
    }
}

extension NSSet {
    /// The members' values for `key` in a set, without nil; a collection operator for a key that starts with `@`.
    public func value(forKey key: String) -> Any { mappedValue(forKey: key) }

    /// The members' values at the end of a path of keys, or the result of a collection operator in it.
    public func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }

    /// Sets the property named `key` of each member.
    public func setValue(_ value: Any?, forKey key: String) { KeyValueLookup.setValue(value, of: self, forKey: key) }

    /// Sets the property at the end of a path of keys from each member; does nothing if there is nil on the way.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        FoundationGaps.setValue(value, of: self, forKeyPath: keyPath)
    }
}

extension NSOrderedSet {
    /// The members' values for `key` in an ordered set, without nil and duplicates; a collection operator for a key
    /// that starts with `@`.
    public func value(forKey key: String) -> Any { mappedValue(forKey: key) }

    /// The members' values at the end of a path of keys, or the result of a collection operator in it.
    public func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }

    /// Sets the property named `key` of each member.
    public func setValue(_ value: Any?, forKey key: String) { KeyValueLookup.setValue(value, of: self, forKey: key) }

    /// Sets the property at the end of a path of keys from each member; does nothing if there is nil on the way.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        FoundationGaps.setValue(value, of: self, forKeyPath: keyPath)
    }
}

extension NSDictionary {
    /// The value at the end of a path of keys, the first of which is looked up here. An `NSNull` that is there is given as it is.
    public func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }

    /// Sets the property at the end of a path of keys, the first of which is looked up here; does nothing if there is nil on the way.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        FoundationGaps.setValue(value, of: self, forKeyPath: keyPath)
    }

    /// The values of several keys; `NSNull` for a key that is not there.
    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(
            keys.map { ($0, KeyValueLookup.value(of: self, forKey: $0) ?? NSNull()) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension NSMutableDictionary {
    /// Sets the value for `key`; nil removes it.
    public func setValue(_ value: Any?, forKey key: String) {
        if let value {
            setObject(value, forKey: key as NSString)
        } else {
            removeObject(forKey: key)
        }
    }

    /// Sets the values of several keys; `NSNull` removes one, as nil does in ``setValue(_:forKey:)``.
    public func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(KeyValueLookup.isNull(value) ? nil : value, forKey: key) }
    }
}
