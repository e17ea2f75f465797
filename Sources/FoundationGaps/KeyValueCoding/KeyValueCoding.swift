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
    /// An unknown key goes to ``value(forUndefinedKey:)``. `NSManagedObject` conforms: `player.value(forKey: "name")`
    /// fires the fault and calls the accessor.
    func value(forKey key: String) -> Any?

    /// Sets the property named `key`; nil takes the value away.
    ///
    /// An unknown key goes to ``setValue(_:forUndefinedKey:)``. Nil for a property that cannot be nil goes to
    /// ``setNilValueForKey(_:)``. A value of a wrong type is your method's matter.
    func setValue(_ value: Any?, forKey key: String)

    /// Called for a key that names no property. Traps with the type and the key unless overridden.
    ///
    /// Override it to answer more keys, for instance with values from a dictionary.
    func value(forUndefinedKey key: String) -> Any?

    /// Called for a key that names no settable property. Traps with the type and the key unless overridden.
    ///
    /// Override it to accept more keys, or to ignore keys of a newer file format.
    func setValue(_ value: Any?, forUndefinedKey key: String)

    /// Called when nil is set for a property that cannot be nil, such as a number. Traps unless overridden.
    ///
    /// Override it to say what nil means: `func setNilValueForKey(_ key: String) { setValue(0, forKey: key) }`.
    func setNilValueForKey(_ key: String)

    /// The value at the end of a path of keys joined by dots. Nil on the way gives nil.
    ///
    /// ```swift
    /// player.value(forKeyPath: "team.name")
    /// team.value(forKeyPath: "players.@avg.age")
    /// ```
    ///
    /// The path may cross collections and end in a collection operator; see ``NSKeyValueOperator``. An unknown key on
    /// the way traps.
    func value(forKeyPath keyPath: String) -> Any?

    /// Sets the property at the end of a path of keys; does nothing if there is nil on the way.
    ///
    /// `team.setValue("A", forKeyPath: "players.group")` sets the group of each player.
    func setValue(_ value: Any?, forKeyPath keyPath: String)

    /// The values of several properties by their names; nil comes as `NSNull`. Use it to make a row for JSON or a log.
    ///
    /// An unknown key goes to ``value(forUndefinedKey:)``, which traps.
    func dictionaryWithValues(forKeys keys: [String]) -> [String: Any]

    /// Sets several properties by their names; `NSNull` sets nil. The order is not defined.
    ///
    /// ```swift
    /// player.setValuesForKeys(["firstName": "Jimmy", "group": NSNull()])
    /// ```
    ///
    /// Use it only for dictionaries of your own: a dictionary from outside may name any property.
    func setValuesForKeys(_ keyedValues: [String: Any])

    /// A set that stands for the to-many property named `key`: its changes become changes of the property.
    ///
    /// ```swift
    /// team.mutableSetValue(forKey: "players").add(player)
    /// ```
    ///
    /// The default implementation reads the property at each use. Each change reads the members, and sets the property
    /// to a new set.
    func mutableSetValue(forKey key: String) -> NSMutableSet

    /// An array that stands for the to-many property named `key`: its changes become changes of the property.
    ///
    /// The default implementation reads the property at each use. Each change reads the members, and sets the property
    /// to a new array. For an ordered relationship use `mutableOrderedSetValue(forKey:)` of `NSManagedObject`.
    func mutableArrayValue(forKey key: String) -> NSMutableArray
}

extension KeyValueCoding {
    /// The stored property named `key`, found by reflection, also under `_key` or `isKey`.
    ///
    /// It cannot see computed properties. Reflection is slow: write the method yourself for objects that are read
    /// often. An unknown key goes to ``value(forUndefinedKey:)``.
    public func value(forKey key: String) -> Any? {
        switch ReflectedProperties.value(of: self, forKey: key) {
        case .found(let value): value
        case .notFound: value(forUndefinedKey: key)
        }
    }

    /// Traps with a sentence that names the type and the key.
    public func value(forUndefinedKey key: String) -> Any? {
        KeyValueFailure.undefinedKey(key, of: self)
    }

    /// Traps with a sentence that names the type and the key.
    public func setValue(_ value: Any?, forUndefinedKey key: String) {
        KeyValueFailure.undefinedKey(key, of: self)
    }

    /// Traps with a sentence that names the type and the key.
    public func setNilValueForKey(_ key: String) {
        KeyValueFailure.nilValue(forKey: key, of: self)
    }

    /// Walks the path key by key. Nil on the way gives nil.
    public func value(forKeyPath keyPath: String) -> Any? {
        FoundationGaps.value(of: self, forKeyPath: keyPath)
    }

    /// Walks the path to its last owner, and sets the value there.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        FoundationGaps.setValue(value, of: self, forKeyPath: keyPath)
    }

    /// Reads each key by ``value(forKey:)``.
    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] { values(ofKeys: keys) }

    /// Sets each key by `setValue(_:forKey:)`.
    public func setValuesForKeys(_ keyedValues: [String: Any]) { setValues(ofKeys: keyedValues) }

    /// A set that reads and sets the whole property by key.
    public func mutableSetValue(forKey key: String) -> NSMutableSet {
        KeyValueMutableSet(owner: self, key: key)
    }

    /// An array that reads and sets the whole property by key.
    public func mutableArrayValue(forKey key: String) -> NSMutableArray { mutableElements(key) }

    /// A set that stands for the to-many property at the end of a path; see ``mutableSetValue(forKey:)``.
    ///
    /// The owner is found once, now. Traps if there is nil on the way, or if the owner takes no values by key.
    public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
        let (owner, key) = ownerOfLastKey(in: keyPath)
        return owner.mutableSetValue(forKey: key)
    }

    /// An array that stands for the to-many property at the end of a path; see ``mutableArrayValue(forKey:)``.
    ///
    /// The owner is found once, now. Traps if there is nil on the way, or if the owner takes no values by key.
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
