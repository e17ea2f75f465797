import Foundation

extension NSArray {
    /// The members' values for `key` in an array, nil as `NSNull`; a collection operator for a key that starts with
    /// `@`.
    public func value(forKey key: String) -> Any { mappedValue(forKey: key) }

    /// The members' values at the end of a path of keys, or the result of a collection operator in it.
    public func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }

    /// Sets the property named `key` of each member.
    public func setValue(_ value: Any?, forKey key: String) { KeyValueLookup.setValue(value, of: self, forKey: key) }
}

extension NSSet {
    /// The members' values for `key` in a set, without nil; a collection operator for a key that starts with `@`.
    public func value(forKey key: String) -> Any { mappedValue(forKey: key) }

    /// The members' values at the end of a path of keys, or the result of a collection operator in it.
    public func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }

    /// Sets the property named `key` of each member.
    public func setValue(_ value: Any?, forKey key: String) { KeyValueLookup.setValue(value, of: self, forKey: key) }
}

extension NSOrderedSet {
    /// The members' values for `key` in an ordered set, without nil and duplicates; a collection operator for a key
    /// that starts with `@`.
    public func value(forKey key: String) -> Any { mappedValue(forKey: key) }

    /// The members' values at the end of a path of keys, or the result of a collection operator in it.
    public func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }

    /// Sets the property named `key` of each member.
    public func setValue(_ value: Any?, forKey key: String) { KeyValueLookup.setValue(value, of: self, forKey: key) }
}

extension NSDictionary {
    /// The value at the end of a path of keys, the first of which is looked up here.
    public func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }
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
}
