import FoundationGaps

/// A value of a property in a change record: unboxed for all common types, 24 bytes.
package enum Slot {
    /// Not changed here: the snapshot's value holds.
    case unset
    case null
    /// Integers of every width, and booleans.
    case int(Int64)
    /// Double, float, and dates (seconds since 2001).
    case double(Double)
    case string(String)
    case data(Data)
    case uuid(UUID)
    /// The destination of a to-one relationship.
    case reference(ObjectReference)
    /// NSDecimalNumber, NSURL, a ``ValueBox`` with a transformable's or an untyped transient's value.
    case object(AnyObject)

    package var isUnset: Bool { if case .unset = self { true } else { false } }
    package var isNull: Bool { if case .null = self { true } else { false } }

    /// Whether another value of the same property is the same.
    func isEqual(to other: Slot) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.data(let a), .data(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.reference(let a), .reference(let b)): a == b
        case (.object(let a as NSObject), .object(let b as NSObject)): a.isEqual(b)
        default: false
        }
    }

    /// The object that a to-one relationship leads to.
    var destination: ObjectReference? { if case .reference(let reference) = self { reference } else { nil } }
}

/// Holds a value of any type where only an object fits.
package final class ValueBox {
    package let value: Any
    package init(_ value: Any) { self.value = value }
}
