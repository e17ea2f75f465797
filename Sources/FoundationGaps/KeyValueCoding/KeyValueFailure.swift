import Foundation

/// The sentences with which misuse of key-value coding ends a process, where Cocoa raises an exception.
enum KeyValueFailure {
    static func undefinedKey(_ key: String, of object: Any) -> Never {
        fatalError(
            """
            \(NSExceptionName.undefinedKeyException.rawValue): \(type(of: object)) has no value for the key "\(key)". \
            Check its spelling, or let \(type(of: object)) override value(forUndefinedKey:).
            """)
    }

    static func notSettable(_ key: String, of object: Any) -> Never {
        fatalError(
            """
            \(NSExceptionName.undefinedKeyException.rawValue): the key "\(key)" of a value of type \
            \(type(of: object)) can't be set by key-value coding. Let the type be a class that conforms to \
            KeyValueCoding.
            """)
    }

    static func nilValue(forKey key: String, of object: Any) -> Never {
        fatalError(
            """
            \(type(of: object)) can't set nil for the key "\(key)": its property has no nil. Set a value, or override \
            setNilValueForKey(_:) to say what nil means.
            """)
    }

    static func noOwner(ofKeyPath keyPath: String, startingAt object: Any) -> Never {
        fatalError(
            """
            The key path "\(keyPath)" of \(type(of: object)) crosses nil, so that there is no collection to change. \
            Set the objects on the way first.
            """)
    }

    static func notACollection(_ value: Any, key: String, of object: Any) -> Never {
        fatalError(
            """
            The key "\(key)" of \(type(of: object)) holds a value of type \(type(of: value)), not a collection. \
            Read it with value(forKey:).
            """)
    }

    static func wrongOperand(_ value: Any, of operatorName: String, wanted: String) -> Never {
        fatalError(
            """
            The collection operator \(operatorName) needs \(wanted), but a member gave a value of type \
            \(type(of: value)). Check the key path after it.
            """)
    }
}

extension NSExceptionName {
    /// The name under which Cocoa raises a look-up of an unknown key.
    ///
    /// Linux has no exceptions. Here the name starts the sentence of the trap, so that a search for it finds the place
    /// in a log.
    public static let undefinedKeyException = NSExceptionName(rawValue: "NSUnknownKeyException")
}
