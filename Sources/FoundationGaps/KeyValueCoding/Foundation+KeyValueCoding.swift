import Foundation

extension NSArray {
    /// The members' values for a key, as an array. Nil comes as `NSNull`.
    ///
    /// ```swift
    /// let names = (try context.fetch(request) as NSArray).value(forKey: "name") as? [Any]     // one for each player
    /// ```
    ///
    /// The result has as many elements as this array, in the same order. Reading a managed object's key fires its
    /// fault. A key that starts with `@` is a collection operator: `@count` gives the number of members. Traps for a
    /// key that a member does not have.
    public func value(forKey key: String) -> Any { mappedValue(forKey: key) }

    /// The members' values at the end of a path of keys, or the result of a collection operator in it.
    ///
    /// ```swift
    /// let players = try context.fetch(request) as NSArray
    /// players.value(forKeyPath: "team.name")      // an array; NSNull for a player without a team
    /// players.value(forKeyPath: "@avg.age")       // an NSNumber
    /// ```
    ///
    /// For many rows, a fetch with an `NSExpressionDescription` lets the database compute instead. Traps for an unknown
    /// key.
    public func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }

    /// Sets the property named `key` of each member to the same value.
    ///
    /// ```swift
    /// (try context.fetch(request) as NSArray).setValue("A", forKey: "group")
    /// ```
    ///
    /// Each managed object is changed and must be saved. A member that is `NSNull` is skipped. Traps for a member that
    /// takes no values by key, such as a Swift struct.
    public func setValue(_ value: Any?, forKey key: String) { KeyValueLookup.setValue(value, of: self, forKey: key) }

    /// Sets the property at the end of a path of keys, starting at each member.
    ///
    /// `team.name` sets the names of the members' teams. Where there is nil on the way, nothing happens. Traps for an
    /// unknown key.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        FoundationGaps.setValue(value, of: self, forKeyPath: keyPath)
    }
}

extension NSSet {
    /// The members' values for a key, as a set. Nil is left out, and equal values come once.
    ///
    /// ```swift
    /// team.players?.value(forKey: "name")     // the different names
    /// ```
    ///
    /// So the result may have fewer members than this set. To count or sum values use an operator, such as
    /// `@sum.salary` in a key path. A key that starts with `@` is a collection operator. Traps for a key that a member
    /// does not have.
    public func value(forKey key: String) -> Any { mappedValue(forKey: key) }

    /// The members' values at the end of a path of keys, or the result of a collection operator in it.
    ///
    /// ```swift
    /// team.players?.value(forKeyPath: "@max.salary")      // nil without players
    /// ```
    ///
    /// Without an operator the result is a set: nil is left out, and equal values come once. Traps for an unknown key.
    public func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }

    /// Sets the property named `key` of each member to the same value.
    ///
    /// Each managed object is changed and must be saved. Traps for a member that takes no values by key, such as a
    /// Swift struct.
    public func setValue(_ value: Any?, forKey key: String) { KeyValueLookup.setValue(value, of: self, forKey: key) }

    /// Sets the property at the end of a path of keys, starting at each member.
    ///
    /// Where there is nil on the way, nothing happens. Traps for an unknown key.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        FoundationGaps.setValue(value, of: self, forKeyPath: keyPath)
    }
}

extension NSOrderedSet {
    /// The members' values for a key, as an ordered set. Nil is left out, and equal values come once.
    ///
    /// Each value stands where it came first. A key that starts with `@` is a collection operator. Traps for a key that
    /// a member does not have.
    public func value(forKey key: String) -> Any { mappedValue(forKey: key) }

    /// The members' values at the end of a path of keys, or the result of a collection operator in it.
    ///
    /// Without an operator the result is an ordered set: nil is left out, and equal values come once. Traps for an
    /// unknown key.
    public func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }

    /// Sets the property named `key` of each member to the same value.
    ///
    /// Each managed object is changed and must be saved. Traps for a member that takes no values by key, such as a
    /// Swift struct.
    public func setValue(_ value: Any?, forKey key: String) { KeyValueLookup.setValue(value, of: self, forKey: key) }

    /// Sets the property at the end of a path of keys, starting at each member.
    ///
    /// Where there is nil on the way, nothing happens. Traps for an unknown key.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        FoundationGaps.setValue(value, of: self, forKeyPath: keyPath)
    }
}

extension NSDictionary {
    /// The value at the end of a path of keys. The first key is looked up in the dictionary; the next ones apply to its
    /// value.
    ///
    /// ```swift
    /// let row: NSDictionary = ["team": ["name": "Heat"]]
    /// row.value(forKeyPath: "team.name")      // Heat
    /// ```
    ///
    /// A key that the dictionary does not have gives nil and never traps. An `NSNull` at the end of the path is given
    /// as it is. `@count` gives the number of entries, unless there is an entry of this name.
    public func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }

    /// Sets the property at the end of a path of keys. The first key is looked up in the dictionary.
    ///
    /// Where there is nil on the way, nothing happens. The last owner must be an `NSMutableDictionary`, or an object
    /// that takes values by key; an immutable dictionary traps.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        FoundationGaps.setValue(value, of: self, forKeyPath: keyPath)
    }

    /// The values of several keys, as a Swift dictionary. A key that is not there has `NSNull`.
    ///
    /// ```swift
    /// let row: NSDictionary = ["name": "Jimmy"]
    /// row.dictionaryWithValues(forKeys: ["name", "age"])      // ["name": "Jimmy", "age": NSNull()]
    /// ```
    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(
            keys.map { ($0, KeyValueLookup.value(of: self, forKey: $0) ?? NSNull()) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension NSMutableDictionary {
    /// Sets the value for `key`; nil removes the key. The key is one key, not a path.
    public func setValue(_ value: Any?, forKey key: String) {
        if let value {
            setObject(value, forKey: key as NSString)
        } else {
            removeObject(forKey: key)
        }
    }

    /// Sets the values of several keys. `NSNull` removes a key, as nil does in ``setValue(_:forKey:)``.
    ///
    /// Keys that are not in the argument stay as they are.
    public func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(KeyValueLookup.isNull(value) ? nil : value, forKey: key) }
    }
}
