import FoundationGaps

/// The properties and validating methods of a managed class that its entity does not know, by their keys.
///
/// Objective-C finds a class's properties by name; Swift does not. So the plug-in generates a table for each managed
/// class, and key-value coding, predicates in memory, sort descriptors and section key paths reach `sectionTitle` and
/// the like:
///
/// ```swift
/// @Sendable func members(_ members: inout ManagedMembers<Person>) {
///     members.property("sectionTitle", get: { $0.sectionTitle })
/// }
/// ```
///
/// Generated code uses it; an app has no reason to.
public struct ManagedMembers<Object: NSManagedObject> {
    var table = MemberTable()

    // The closures are isolated to the main actor so that they may use members which are: managed objects belong to
    // their context's queue, of which Swift's isolation knows nothing, and code that uses key-value coding has to run
    // there.

    /// Adds a property that can only be read.
    ///
    /// - Parameters:
    ///   - key: Its name, by which key-value coding finds it.
    ///   - isObjC: Whether Objective-C would see the property too. It then stands in for a modelled property of its
    ///     name.
    ///   - get: Reads it.
    public mutating func property<Value>(
        _ key: String, isObjC: Bool = false, get: @escaping @MainActor (Object) -> Value
    ) {
        let get = unsafeBitCast(get, to: ((Object) -> Value).self)
        add(MemberTable.Property(isObjC: isObjC, get: { boxed(get(unsafeDowncast($0, to: Object.self))) }), key)
    }

    /// Adds a property that can be read and set.
    ///
    /// Nil for a number or a Boolean goes to ``NSManagedObject/setNilValueForKey(_:)``. A value of another class traps.
    ///
    /// - Parameters:
    ///   - key: Its name, by which key-value coding finds it.
    ///   - isObjC: Whether Objective-C would see the property too. It then stands in for a modelled property of its
    ///     name.
    ///   - get: Reads it.
    ///   - set: Sets it.
    public mutating func property<Value>(
        _ key: String, isObjC: Bool = false, get: @escaping @MainActor (Object) -> Value,
        set: @escaping @MainActor (Object, Value) -> Void
    ) {
        let get = unsafeBitCast(get, to: ((Object) -> Value).self)
        let set = unsafeBitCast(set, to: ((Object, Value) -> Void).self)
        let property = MemberTable.Property(
            isObjC: isObjC, get: { boxed(get(unsafeDowncast($0, to: Object.self))) },
            set: { object, value in
                // As for a modelled property: what can't be nil asks the class what nil means.
                if value == nil, Value.self is any Numeric.Type || Value.self == Bool.self {
                    return object.setNilValueForKey(key)
                }
                set(unsafeDowncast(object, to: Object.self), MemberTable.unboxed(value, key, of: object))
            })
        add(property, key)
    }

    /// Says that the class declares a modelled property as a number that can't be nil.
    ///
    /// `setValue(nil, forKey:)` then calls ``NSManagedObject/setNilValueForKey(_:)``.
    public mutating func scalar(_ key: String) { table.scalars.insert(key) }

    /// Adds a property with accessors that a macro or a wrapper makes. It can be set if the key path says so.
    ///
    /// - Parameters:
    ///   - key: Its name, by which key-value coding finds it.
    ///   - isObjC: Whether Objective-C would see the property too.
    ///   - path: Gives the property's key path.
    public mutating func property<Value>(
        _ key: String, isObjC: Bool = false, at path: @MainActor () -> KeyPath<Object, Value>
    ) {
        // Called at once, on the queue that the caller is on: as the closures above, it is isolated in name only.
        let path = withoutActuallyEscaping(path) { unsafeBitCast($0, to: (() -> KeyPath<Object, Value>).self)() }
        var property = MemberTable.Property(
            isObjC: isObjC, get: { boxed(unsafeDowncast($0, to: Object.self)[keyPath: path]) })
        if let path = path as? ReferenceWritableKeyPath<Object, Value> {
            property.set = { object, value in
                unsafeDowncast(object, to: Object.self)[keyPath: path] = MemberTable.unboxed(value, key, of: object)
            }
        }
        add(property, key)
    }

    /// Adds a method that checks a property's value, and may replace it: `validateName(_:)` for the key `name`.
    ///
    /// ``NSManagedObject/validateValue(_:forKey:)`` calls it after the model's own rules.
    ///
    /// - Parameters:
    ///   - key: The property.
    ///   - validate: Checks the value; throws what is wrong with it.
    public mutating func validation(
        _ key: String,
        _ validate: @escaping @MainActor (Object, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void
    ) {
        typealias Validation = (Object, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void
        let validate = unsafeBitCast(validate, to: Validation.self)
        table.validations[key] = { try validate(unsafeDowncast($0, to: Object.self), $1) }
    }

    private mutating func add(_ property: MemberTable.Property, _ key: String) { table.properties[key] = property }
}

/// Called when a program is loaded, before `main`, once per managed class and module that adds members to it.
///
/// Generated code calls it; an app has no reason to.
/// - Parameter fill: Adds the members; called when the class is first used.
public func _registerManagedMembers<Object: NSManagedObject>(
    _ type: Object.Type, _ fill: @escaping @Sendable (inout ManagedMembers<Object>) -> Void
) {
    ManagedMemberTables.shared.register(type) {
        var members = ManagedMembers<Object>()
        fill(&members)
        return members.table
    }
}

/// What key-value coding finds in a class beside what the model knows.
struct MemberTable {
    struct Property {
        let isObjC: Bool
        let get: (NSManagedObject) -> Any?
        var set: ((NSManagedObject, Any?) -> Void)?
    }

    var properties: [String: Property] = [:]
    var validations: [String: (NSManagedObject, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void] = [:]
    /// The modelled properties that the class declares as numbers which can't be nil.
    var scalars: Set<String> = []

    var isEmpty: Bool { properties.isEmpty && validations.isEmpty && scalars.isEmpty }

    /// Adds the members of a subclass, which hide those of the same keys.
    mutating func merge(_ other: MemberTable) {
        properties.merge(other.properties) { _, new in new }
        validations.merge(other.validations) { _, new in new }
        scalars.formUnion(other.scalars)
    }

    /// A boxed value as a Swift property takes it; traps where its type is another.
    static func unboxed<Value>(_ value: Any?, _ key: String, of object: NSManagedObject) -> Value {
        let value = value is NSNull ? nil : value
        if let accepted = value as? Value { return accepted }
        // An empty optional of any type.
        if value == nil, let nothing = Optional<Any>.none as? Value { return nothing }
        let given = value.map { "\(type(of: $0))" } ?? "nil"
        programmerError(
            "Unacceptable type of value for property: property = \"\(key)\"; desired type = \(Value.self); given type = \(given); value = \(value.map { "\($0)" } ?? "nil"). The class is \(type(of: object)). Set a value of the desired type, or change the declaration."
        )
    }
}

/// The tables of all classes of the program.
final class ManagedMemberTables: @unchecked Sendable {
    // Unchecked: everything is under the lock; what is registered is only called, never changed.

    static let shared = ManagedMemberTables()

    private let lock = NSLock()
    private var registered: [ObjectIdentifier: [() -> MemberTable]] = [:]

    func register(_ type: NSManagedObject.Type, _ table: @escaping () -> MemberTable) {
        lock.withLock { registered[ObjectIdentifier(type), default: []].append(table) }
    }

    /// The members of a class and of its superclasses; nil where there are none.
    func table(of type: NSManagedObject.Type) -> MemberTable? {
        let classes = sequence(first: type as AnyClass) { _getSuperclass($0) }
        let makers = lock.withLock { classes.reversed().flatMap { registered[ObjectIdentifier($0)] ?? [] } }
        var table = MemberTable()
        makers.forEach { table.merge($0()) }
        return table.isEmpty ? nil : table
    }
}
