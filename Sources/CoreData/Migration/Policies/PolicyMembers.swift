import FoundationGaps

/// The methods of a migration policy that expressions may call, by the names that Objective-C would give them.
///
/// Objective-C finds methods by name; Swift does not. So the plug-in generates a table for each policy class, and
/// `FUNCTION($entityPolicy, "initialsOf:", $source.name)` reaches `func initials(of name: String) -> String`:
///
/// ```swift
/// @Sendable func functions(_ members: inout PolicyMembers<PlayerPolicy>) {
///     members.function("initialsOf:") { policy, arguments in policy.initials(of: try arguments[0]) }
/// }
/// ```
///
/// Generated code uses it; an app has no reason to.
public struct PolicyMembers<Policy: NSEntityMigrationPolicy> {
    var table: [String: PolicyFunction] = [:]

    /// Adds a method.
    ///
    /// - Parameters:
    ///   - name: The name with its colons.
    ///   - call: Calls it with the arguments that an expression has given.
    public mutating func function(
        _ name: String, _ call: @escaping @MainActor (Policy, PolicyArguments) throws -> Any?
    ) {
        // Isolated so that it may call methods which are. Policies work on the thread that migrates, of which Swift's
        // isolation knows nothing.
        let call = unsafeBitCast(call, to: ((Policy, PolicyArguments) throws -> Any?).self)
        table[name] = { try call(unsafeDowncast($0, to: Policy.self), $1) }
    }
}

/// The arguments with which an expression calls a method of a policy.
///
/// Generated code uses it; an app has no reason to.
public struct PolicyArguments {
    private let name: String
    private let values: [Any?]

    init(_ name: String, _ values: [Any?]) { (self.name, self.values) = (name, values) }

    /// An argument as the method takes it.
    ///
    /// - Throws: `NSEntityMigrationPolicyError` (134170) for a value of another type.
    public subscript<Value>(index: Int) -> Value {
        get throws {
            let value = values[index] is NSNull ? nil : values[index]
            if let accepted = value as? Value { return accepted }
            if value == nil, let nothing = Optional<Any>.none as? Value { return nothing }
            throw NSError.cocoa(
                NSEntityMigrationPolicyError,
                "Argument \(index + 1) of \(name) must be of the type \(Value.self), and is \(value.map { "\($0) (\(type(of: $0)))" } ?? "nil")."
            )
        }
    }
}

/// Called when a program is loaded, before `main`, once per class of migration policies.
///
/// Generated code calls it; an app has no reason to.
/// - Parameters:
///   - name: The class's name in Swift, without its module.
///   - fill: Adds the methods that expressions may call.
public func _registerMigrationPolicy<Policy: NSEntityMigrationPolicy>(
    _ name: StaticString, module: StaticString, _ type: Policy.Type,
    _ fill: @Sendable (inout PolicyMembers<Policy>) -> Void = { _ in }
) {
    var members = PolicyMembers<Policy>()
    fill(&members)
    MigrationPolicies.shared.register(
        type, name: name.description, module: module.description, members.table)
}
