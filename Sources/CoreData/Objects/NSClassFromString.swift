import FoundationGaps

// Foundation's function finds classes by "Module.Class" alone. A model may name a class without its module, as
// Objective-C does. In a file that imports both modules, a call with a `String` is Foundation's, unless the target uses
// the plug-in: that defines the function once more in the target, where it hides both.

/// Finds a class by its name.
///
/// ```swift
/// let type = NSClassFromString(entity.managedObjectClassName) as? NSManagedObject.Type
/// ```
///
/// - Parameter aClassName: `"Player"` for a managed class, or the class's full name, such as `"League.Player"`.
/// - Returns: The class; nil where the program has none of that name.
@_disfavoredOverload
public func NSClassFromString(_ aClassName: String) -> AnyClass? { _managedClass(named: aClassName) }

/// Finds a class by a name that may be nil, as ``NSEntityDescription/managedObjectClassName`` may.
///
/// - Parameter aClassName: `"Player"` for a managed class, or the class's full name, such as `"League.Player"`.
/// - Returns: The class; nil where the program has none of that name, and for nil.
public func NSClassFromString(_ aClassName: String?) -> AnyClass? { aClassName.flatMap { _managedClass(named: $0) } }

/// Finds a class by its name; see `NSClassFromString(_:)`. Generated code calls it.
public func _managedClass(named name: String) -> AnyClass? {
    if name.isEmpty { return nil }
    return ManagedClasses.shared.type(named: name) ?? Foundation.NSClassFromString(name)
}
