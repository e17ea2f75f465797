import Foundation

/// Foundation's sets and arrays ask each element that they enumerate whether it stands for a Swift value. They ask by
/// this protocol. For an element without the conformance, Foundation looks up its class and each superclass. That takes
/// longer than the rest of the enumeration.
extension NSManagedObject: _StructBridgeable {
    /// The object itself, which stands for nothing else.
    public func _bridgeToAny() -> Any { self }
}
