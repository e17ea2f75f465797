import Foundation

/// Access to an object's properties by name, as Cocoa's `NSKeyValueCoding` gives it.
///
/// Predicates, sort descriptors and key paths read objects through this protocol. On Apple's systems every `NSObject`
/// has these methods by way of the Objective-C runtime; elsewhere a class says that it has them by conforming.
///
/// ```swift
/// final class Player: KeyValueCoding {
///     var name = "", number = 0
///
///     func value(forKey key: String) -> Any? {
///         switch key {
///         case "name": name
///         case "number": NSNumber(value: number)
///         default: value(forUndefinedKey: key)
///         }
///     }
///     func setValue(_ value: Any?, forKey key: String) {
///         switch key {
///         case "name": name = value as? String ?? ""
///         case "number": number = value as? Int ?? 0
///         default: setValue(value, forUndefinedKey: key)
///         }
///     }
/// }
/// ```
///
/// Numbers come out as `NSNumber`, so that what Apple code casts them to (`Int`, `Int64`, `Double`, `Bool`, `NSNumber`)
/// works. A class that does not write ``value(forKey:)`` itself gets its stored properties by reflection.
///
/// The methods are requirements with default implementations rather than an extension of `NSObject`, because Swift
/// cannot override what an extension declares.
public protocol KeyValueCoding: AnyObject {
    /// The value of the property named `key`, or nil if the property has none.
    ///
    /// An unknown key goes to ``value(forUndefinedKey:)``.
    func value(forKey key: String) -> Any?

    /// Sets the property named `key`; nil takes the value away.
    ///
    /// An unknown key goes to ``setValue(_:forUndefinedKey:)``, nil for a property that cannot be nil to
    /// ``setNilValueForKey(_:)``.
    func setValue(_ value: Any?, forKey key: String)

    /// Called for a key that names no property. Traps with the type and the key unless overridden.
    func value(forUndefinedKey key: String) -> Any?

    /// Called for a key that names no settable property. Traps with the type and the key unless overridden.
    func setValue(_ value: Any?, forUndefinedKey key: String)

    /// Called when nil is set for a property that cannot be nil, such as a number. Traps unless overridden.
    func setNilValueForKey(_ key: String)

    /// The value at the end of a path of keys joined by dots, which may cross collections and end in a collection
    /// operator (`players.@avg.age`). Nil on the way gives nil.
    func value(forKeyPath keyPath: String) -> Any?

    /// Sets the property at the end of a path of keys; does nothing if there is nil on the way.
    func setValue(_ value: Any?, forKeyPath keyPath: String)

    /// The values of several properties by their names; nil comes as `NSNull`.
    func dictionaryWithValues(forKeys keys: [String]) -> [String: Any]

    /// Sets several properties by their names; `NSNull` sets nil.
    func setValuesForKeys(_ keyedValues: [String: Any])

    /// A set that stands for the to-many property named `key`: its changes become changes of the property.
    func mutableSetValue(forKey key: String) -> NSMutableSet

    /// An array that stands for the to-many property named `key`: its changes become changes of the property.
    func mutableArrayValue(forKey key: String) -> NSMutableArray
}

extension KeyValueCoding {
    /// The stored property named `key`, found by reflection.
    public func value(forKey key: String) -> Any? {
        switch ReflectedProperties.value(of: self, forKey: key) {
        case .found(let value): value
        case .notFound: value(forUndefinedKey: key)
        }
    }

    public func value(forUndefinedKey key: String) -> Any? {
        KeyValueFailure.undefinedKey(key, of: self)
    }

    public func setValue(_ value: Any?, forUndefinedKey key: String) {
        KeyValueFailure.undefinedKey(key, of: self)
    }

    public func setNilValueForKey(_ key: String) {
        KeyValueFailure.nilValue(forKey: key, of: self)
    }

    public func value(forKeyPath keyPath: String) -> Any? {
        FoundationGaps.value(of: self, forKeyPath: keyPath)
    }

    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        FoundationGaps.setValue(value, of: self, forKeyPath: keyPath)
    }

    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] { values(ofKeys: keys) }

    public func setValuesForKeys(_ keyedValues: [String: Any]) { setValues(ofKeys: keyedValues) }

    public func mutableSetValue(forKey key: String) -> NSMutableSet {
        KeyValueMutableSet(owner: self, key: key)
    }

    public func mutableArrayValue(forKey key: String) -> NSMutableArray { mutableElements(key) }

    /// A set that stands for the to-many property at the end of a path; see ``mutableSetValue(forKey:)``.
    public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
        let (owner, key) = ownerOfLastKey(in: keyPath)
        return owner.mutableSetValue(forKey: key)
    }

    /// An array that stands for the to-many property at the end of a path; see ``mutableArrayValue(forKey:)``.
    public func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
        let (owner, key) = ownerOfLastKey(in: keyPath)
        return owner.mutableArrayValue(forKey: key)
    }

    // What the methods above do where nothing else is implemented, for classes that leave them open.

    package func values(ofKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
    }

    package func setValues(ofKeys keyedValues: [String: Any]) {
        for (key, value) in keyedValues {
            setValue(value is NSNull ? nil : value, forKey: key)
        }
    }

    package func mutableElements(_ key: String) -> NSMutableArray { KeyValueMutableArray(owner: self, key: key) }

    private func ownerOfLastKey(in keyPath: String) -> (any KeyValueCoding, String) {
        let keys = keyPathComponents(keyPath)
        guard let key = keys.last, let owner = FoundationGaps.value(of: self, forKeys: keys.dropLast()) else {
            KeyValueFailure.noOwner(ofKeyPath: keyPath, startingAt: self)
        }
        guard let owner = owner as? any KeyValueCoding else {
            KeyValueFailure.notSettable(key, of: owner)
        }
        return (owner, key)
    }
}
