import Foundation

/// Stored properties of Swift values by name, for what has no key-value coding of its own.
///
/// A computed property can't be seen. A property with observation or a wrapper is stored under its name with an
/// underscore, which is found as Cocoa finds instance variables: `_name`, and `isActive` for `active`.
enum ReflectedProperties {
    enum Lookup {
        case found(Any?)
        case notFound
    }

    static func value(of object: Any, forKey key: String) -> Lookup {
        var mirror: Mirror? = Mirror(reflecting: object)
        if mirror?.displayStyle == .optional {
            return boxed(object).map { value(of: $0, forKey: key) } ?? .found(nil)
        }
        while let current = mirror {
            if let value = storedValue(in: current, forKey: key) { return .found(boxed(value)) }
            mirror = current.superclassMirror
        }
        return .notFound
    }

    private static func storedValue(in mirror: Mirror, forKey key: String) -> Any? {
        let plain = mirror.children.first { $0.label == key }
        return (plain ?? mirror.children.first { isAlias($0.label, of: key) })?.value
    }

    private static func isAlias(_ label: String?, of key: String) -> Bool {
        guard let label, label.utf8.count > key.utf8.count, label.hasSuffix(key.dropFirst()) else { return false }
        let capitalized = key.prefix(1).uppercased() + key.dropFirst()
        return label == "_" + key || label == "is" + capitalized || label == "_is" + capitalized
    }
}
