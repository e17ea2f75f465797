import Foundation

/// A collection as key-value coding sees it: a key is mapped over its members.
protocol KeyValueCollection {
    var keyValueCount: Int { get }
    var keyValueMembers: [Any] { get }
    /// Whether the order of the members is part of the collection's value.
    var keyValueIsOrdered: Bool { get }
    /// The members' values for the key, in a collection of the same kind.
    func mappedValue(forKey key: String) -> Any
    /// Members of a result in a collection of the same kind, without duplicates.
    static func distinct(_ values: [Any]) -> Any
}

/// A dictionary as key-value coding sees it: a key is looked up.
protocol KeyValueDictionary {
    func keyValue(forKey key: String) -> Any?
}

private protocol KeyValueArray: KeyValueCollection {}
private protocol KeyValueSet: KeyValueCollection {}

extension KeyValueArray {
    var keyValueIsOrdered: Bool { true }
    func mappedValue(forKey key: String) -> Any {
        if let op = CollectionOperator(key: key) { return op.result(over: self, keys: []) ?? NSNull() }
        return keyValueMembers.map { KeyValueLookup.value(of: $0, forKey: key) ?? NSNull() }
    }
    static func distinct(_ values: [Any]) -> Any { DistinctValues.array(values) }
}

extension KeyValueSet {
    var keyValueIsOrdered: Bool { false }
    func mappedValue(forKey key: String) -> Any {
        if let op = CollectionOperator(key: key) { return op.result(over: self, keys: []) ?? NSNull() }
        return DistinctValues.set(keyValueMembers.compactMap { KeyValueLookup.value(of: $0, forKey: key) })
    }
    static func distinct(_ values: [Any]) -> Any { DistinctValues.set(values) }
}

extension Array: KeyValueArray {
    var keyValueCount: Int { count }
    var keyValueMembers: [Any] { openedElements(self) }
}

extension ArraySlice: KeyValueArray {
    var keyValueCount: Int { count }
    var keyValueMembers: [Any] { openedElements(self) }
}

extension Set: KeyValueSet {
    var keyValueCount: Int { count }
    var keyValueMembers: [Any] { openedElements(self) }
}

extension NSArray: KeyValueArray {
    var keyValueCount: Int { count }
    var keyValueMembers: [Any] { (0..<count).map { object(at: $0) } }
}

extension NSSet: KeyValueSet {
    var keyValueCount: Int { count }
    var keyValueMembers: [Any] { map { $0 } }
}

extension NSOrderedSet: KeyValueCollection {
    var keyValueIsOrdered: Bool { true }
    var keyValueCount: Int { count }
    var keyValueMembers: [Any] { (0..<count).map { object(at: $0) } }
    func mappedValue(forKey key: String) -> Any {
        if let op = CollectionOperator(key: key) { return op.result(over: self, keys: []) ?? NSNull() }
        return Self.distinct(keyValueMembers.compactMap { KeyValueLookup.value(of: $0, forKey: key) })
    }
    static func distinct(_ values: [Any]) -> Any { NSOrderedSet(array: DistinctValues.array(values)) }
}

extension Dictionary: KeyValueDictionary {
    func keyValue(forKey key: String) -> Any? {
        if let value = (self as? [String: Value])?[key] { return value }
        return key == "@count" ? count : nil
    }
}

extension NSDictionary: KeyValueDictionary {
    func keyValue(forKey key: String) -> Any? {
        if let value = object(forKey: key) { return value }
        return key == "@count" ? count : nil
    }
}
