import Foundation

/// A value that Cocoa compares by content, whichever of its Swift and Foundation types it came in.
///
/// Made without bridging casts, which cost hundreds of nanoseconds on Linux.
package enum ScalarValue {
    case integer(Int64)
    /// Above `Int64.max`.
    case unsigned(UInt64)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)

    /// Nil for a value of any other type.
    package init?(_ value: Any) {
        let type = type(of: value)
        if type is AnyClass {
            self.init(object: value)
        } else if let reader = Self.readers[ObjectIdentifier(type)] {
            self = reader(value)
        } else if let erased = value as? AnyHashable, type == AnyHashable.self {
            self.init(erased.base)
        } else {
            return nil
        }
    }

    private init?(object: Any) {
        switch object {
        case let number as NSNumber: self.init(number: number)
        case let string as NSString: self = .string(String(string))
        case let date as NSDate: self = .date(date as Date)
        case let data as NSData: self = .data(data as Data)
        case let uuid as NSUUID: self = .uuid(uuid as UUID)
        default: return nil
        }
    }

    private init(number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self = .decimal(decimal.decimalValue)
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
        case UInt8(ascii: "Q"): self.init(unsigned: number.uint64Value)
        default: self = .integer(number.int64Value)
        }
    }

    private init(unsigned value: UInt64) {
        self = Int64(exactly: value).map(ScalarValue.integer) ?? .unsigned(value)
    }

    /// Readers by the identity of the type; each casts to exactly the type under which it is filed.
    private static let readers: [ObjectIdentifier: @Sendable (Any) -> ScalarValue] = [
        ObjectIdentifier(String.self): { .string($0 as! String) },
        ObjectIdentifier(Substring.self): { .string(String($0 as! Substring)) },
        ObjectIdentifier(Bool.self): { .integer($0 as! Bool ? 1 : 0) },
        ObjectIdentifier(Int.self): { .integer(Int64($0 as! Int)) },
        ObjectIdentifier(Int8.self): { .integer(Int64($0 as! Int8)) },
        ObjectIdentifier(Int16.self): { .integer(Int64($0 as! Int16)) },
        ObjectIdentifier(Int32.self): { .integer(Int64($0 as! Int32)) },
        ObjectIdentifier(Int64.self): { .integer($0 as! Int64) },
        ObjectIdentifier(UInt.self): { .init(unsigned: UInt64($0 as! UInt)) },
        ObjectIdentifier(UInt8.self): { .integer(Int64($0 as! UInt8)) },
        ObjectIdentifier(UInt16.self): { .integer(Int64($0 as! UInt16)) },
        ObjectIdentifier(UInt32.self): { .integer(Int64($0 as! UInt32)) },
        ObjectIdentifier(UInt64.self): { .init(unsigned: $0 as! UInt64) },
        ObjectIdentifier(Float.self): { .double(Double($0 as! Float)) },
        ObjectIdentifier(Double.self): { .double($0 as! Double) },
        ObjectIdentifier(CGFloat.self): { .double(Double($0 as! CGFloat)) },
        ObjectIdentifier(Decimal.self): { .decimal($0 as! Decimal) },
        ObjectIdentifier(Date.self): { .date($0 as! Date) },
        ObjectIdentifier(Data.self): { .data($0 as! Data) },
        ObjectIdentifier(UUID.self): { .uuid($0 as! UUID) },
    ]
}

extension ScalarValue {
    package var isNumber: Bool { doubleValue != nil }

    /// The nearest double; nil for what is no number.
    package var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
        default: nil
        }
    }

    /// The decimal; nil for what is no number.
    package var decimalValue: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .unsigned(let value): Decimal(value)
        case .double(let value): Decimal(value)
        case .decimal(let value): value
        default: nil
        }
    }

    /// The number as an object; nil for what is no number.
    package var boxedNumber: NSNumber? {
        switch self {
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .decimal(let value): DecimalNumber(decimal: value)
        default: nil
        }
    }
}
