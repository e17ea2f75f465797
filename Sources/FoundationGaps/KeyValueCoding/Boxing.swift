import Foundation

/// The form in which key-value coding hands out a value: numbers as `NSNumber`, nil for `NSNull` and an empty
/// optional, anything else as it is.
///
/// An `Any` that holds an `Int` does not cast to `Int64`; one that holds an `NSNumber` casts to both, as on Apple's
/// systems.
package func boxed(_ value: Any?) -> Any? {
    guard let value = value.flatMap(flattened) else { return nil }
    let type: Any.Type = type(of: value)
    if type == String.self { return value }
    if type == Bool.self, let flag = value as? Bool { return NSNumber(value: flag) }
    if type is AnyClass { return boxedObject(value) }
    return value is any Numeric ? PredicateValue(value).boxed : value
}

private func boxedObject(_ value: Any) -> Any {
    guard let decimal = value as? NSDecimalNumber, !(decimal is DecimalNumber) else { return value }
    return DecimalNumber(decimal: decimal.decimalValue)
}
