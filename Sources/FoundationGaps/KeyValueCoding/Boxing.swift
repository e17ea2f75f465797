import Foundation

/// The form in which key-value coding hands out a value: numbers as `NSNumber`, nil for `NSNull` and an empty
/// optional, anything else as it is.
///
/// An `Any` that holds an `Int` does not cast to `Int64`; one that holds an `NSNumber` casts to both, as on Apple's
/// systems.
package func boxed(_ value: Any?) -> Any? {
    guard let value else { return nil }
    if type(of: value) is AnyClass { return boxedObject(value) }
    if type(of: value) == String.self { return value }
    if type(of: value) == Bool.self, let flag = value as? Bool { return NSNumber(value: flag) }
    if let scalar = ScalarValue(value) { return scalar.boxedNumber ?? value }
    if let optional = value as? any AnyOptional { return boxed(optional.anyValue) }
    return value
}

private func boxedObject(_ value: Any) -> Any? {
    switch value {
    case is DecimalNumber: value
    case let decimal as NSDecimalNumber: DecimalNumber(decimal: decimal.decimalValue)
    case is NSNull: nil
    default: value
    }
}

/// An optional inside an `Any`, as reflection and Swift dictionaries hand them out.
private protocol AnyOptional {
    var anyValue: Any? { get }
}

extension Optional: AnyOptional {
    var anyValue: Any? { map { $0 as Any } }
}
