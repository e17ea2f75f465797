import Foundation

/// Foundation's sets and arrays ask each of their elements, whenever they are enumerated, whether it stands for a Swift value: by
/// this protocol. Who does not conform is looked up class by class, which takes longer than all that enumerating does otherwise.
extension NSManagedObject: _StructBridgeable {
    /// The object itself, which stands for nothing else.
    public func _bridgeToAny() -> Any { self }
}
