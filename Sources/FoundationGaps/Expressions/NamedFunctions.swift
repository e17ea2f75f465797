public import Foundation
import Synchronization

extension NSPredicate {
    /// What a named function is: a closure of the receiver's value and the arguments' values.
    ///
    /// Numbers come as `NSNumber`, texts as `String`, nil as nil. It may run on any thread. An error that it throws
    /// traps in `evaluate(with:)`.
    public typealias NamedFunction = @Sendable (_ receiver: Any?, _ arguments: [Any?]) throws -> Any?

    /// Says what a name means in `FUNCTION(receiver, "name:", …)` and as an operator of one's own,
    /// `receiver name: argument`.
    ///
    /// Where Apple's framework sends a message by its name, Swift without Objective-C needs to be told what the name
    /// does. A name that isn't registered stops the evaluation with a sentence. Some of Foundation's names are known
    /// from the start: `isEqual:`, `hasPrefix:`, `hasSuffix:`, `containsString:`, `isKindOfClass:`, `isMemberOfClass:`,
    /// `length`, `uppercaseString`, `lowercaseString`, `capitalizedString`, `count`, `objectForKey:`, `valueForKey:`,
    /// `valueForKeyPath:`, `containsObject:`, `description`.
    ///
    /// ```swift
    /// NSPredicate.registerFunction(named: "isLongerThan:") { text, arguments in
    ///     (text as! String).count > (arguments[0] as! Int)
    /// }
    /// NSPredicate(format: "name isLongerThan: 5")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name with its colons. A later registration replaces an earlier one.
    ///   - function: What it does. For an operator the result is a Bool.
    public static func registerFunction(named name: String, _ function: @escaping NamedFunction) {
        NamedFunctions.shared.register(name, function)
    }
}

/// The functions that predicates call by name.
final class NamedFunctions: Sendable {
    static let shared = NamedFunctions()

    private let functions = Mutex<[String: NSPredicate.NamedFunction]>(NamedFunctions.foundation)

    func register(_ name: String, _ function: @escaping NSPredicate.NamedFunction) {
        functions.withLock { $0[name] = function }
    }

    func call(_ name: String, receiver: Any?, arguments: [Any?]) throws -> Any? {
        if let function = receiver.flatMap(Self.messageReceiver)?.function(named: name) {
            return try call(function, name, arguments)
        }
        guard let function = functions.withLock({ $0[name] }) else {
            throw PredicateEvaluationError(
                """
                "\(name)" names no function: Swift can't send a message by its name here. \
                Register what it does with NSPredicate.registerFunction(named:_:)
                """)
        }
        try check(arguments, of: name)
        return try function(receiver, arguments)
    }

    /// Calls what an object says that a name means.
    func call(_ function: ([Any?]) throws -> Any?, _ name: String, _ arguments: [Any?]) throws -> Any? {
        try check(arguments, of: name)
        return try function(arguments)
    }

    private func check(_ arguments: [Any?], of name: String) throws {
        let expected = name.utf8.count { $0 == UInt8(ascii: ":") }
        guard arguments.count == expected else {
            throw PredicateEvaluationError("\(name) takes \(expected) arguments, not \(arguments.count)")
        }
    }

    /// Only objects are cast: to cast a collection to a protocol of classes Foundation converts all of it.
    static func messageReceiver(_ value: Any) -> (any MessageReceiver)? {
        instance(in: value).flatMap { $0 as? any MessageReceiver }
    }

    /// The names of Foundation's methods that stand in predicates now and then. A message to nil gives nil.
    private static let foundation: [String: NSPredicate.NamedFunction] = [
        "isEqual:": { PredicateValue($0) == PredicateValue($1[0]) },
        "hasPrefix:": { try text($0, $1).map { StringComparison.hasPrefix($0, $1) } },
        "hasSuffix:": { try text($0, $1).map { StringComparison.hasSuffix($0, $1) } },
        "containsString:": { try text($0, $1).map { StringComparison.contains($0, $1) } },
        "isKindOfClass:": { isKind($0, of: $1[0]) },
        "isMemberOfClass:": { receiver, arguments in
            receiver.map { type(of: $0) as Any.Type == arguments[0] as? Any.Type } ?? false
        },
        "length": { receiver, _ in value(of: receiver, forKeyPath: "length") },
        "uppercaseString": { receiver, _ in value(of: receiver, forKeyPath: "uppercaseString") },
        "lowercaseString": { receiver, _ in value(of: receiver, forKeyPath: "lowercaseString") },
        "capitalizedString": { receiver, _ in value(of: receiver, forKeyPath: "capitalizedString") },
        "description": { receiver, _ in receiver.map { "\($0)" } },
        "count": { receiver, _ in value(of: receiver, forKeyPath: "@count") },
        "valueForKey:": { try member($0, $1) },
        "valueForKeyPath:": { try member($0, $1) },
        "objectForKey:": { receiver, arguments in
            guard case .collection(let dictionary) = PredicateValue(receiver), let key = arguments[0] else {
                return nil
            }
            return dictionary.value(forKey: key)
        },
        "containsObject:": { receiver, arguments in
            guard case .collection(let collection) = PredicateValue(receiver) else { return false }
            return collection.members.contains(PredicateValue(arguments[0]))
        },
    ]

    private static func text(_ receiver: Any?, _ arguments: [Any?]) throws -> (String, String)? {
        switch (PredicateValue(receiver), PredicateValue(arguments[0])) {
        case (.string(let text), .string(let argument)): return (text, argument)
        case (.null, _): return nil
        case (let receiver, let argument):
            throw PredicateEvaluationError(
                "a text and a text are needed here, not \(receiver.kindName) and \(argument.kindName)")
        }
    }

    private static func member(_ receiver: Any?, _ arguments: [Any?]) throws -> Any? {
        guard case .string(let key) = PredicateValue(arguments[0]) else {
            throw PredicateEvaluationError("a key is needed here, not \(PredicateValue(arguments[0]).kindName)")
        }
        return value(of: receiver, forKeyPath: key)
    }

    private static func isKind(_ receiver: Any?, of wanted: Any?) -> Bool {
        guard let receiver, let wanted = wanted as? AnyClass, type(of: receiver) is AnyClass else { return false }
        var type: AnyClass? = Swift.type(of: receiver as AnyObject)
        while let current = type {
            if current == wanted { return true }
            type = _getSuperclass(current)
        }
        return false
    }
}
