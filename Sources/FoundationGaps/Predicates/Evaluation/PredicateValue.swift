import Foundation

/// A value as the evaluator compares it: one case per kind, so that comparing needs neither a box nor a dynamic cast.
///
/// Readers of an object's storage (`PredicateReader`) make them directly; everything else is converted once by
/// `init(_:)`.
package enum PredicateValue {
    case null
    /// Any integer that fits, and Booleans as 0 and 1.
    case integer(Int64)
    case double(Double)
    /// Decimals, and integers beyond `Int64`.
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case collection(PredicateCollection)
    /// An instance of a class that is none of the above.
    case object(AnyObject)
    /// A Swift value that is none of the above.
    case other(Any)
}

extension PredicateValue {
    /// The kind that a value of any type belongs to. Nil and `NSNull` are null; an optional inside the `Any` is opened.
    package init(_ value: Any?) {
        guard let value else {
            self = .null
            return
        }
        // Comparing metatypes costs next to nothing. A cast of a boxed NSNumber to Int64 would go through bridging,
        // several hundred nanoseconds.
        if let known = Self.known(value, ObjectIdentifier(type(of: value))) {
            self = known
        } else if let object = instance(in: value) {
            self.init(object: object)
        } else {
            self.init(rare: value)
        }
    }

    private static func known(_ value: Any, _ type: ObjectIdentifier) -> Self? {
        switch type {
        case ObjectIdentifier(String.self): .string(value as! String)
        case ObjectIdentifier(NSNumber.self): Self(value as! NSNumber)
        case ObjectIdentifier(Int.self): .integer(Int64(value as! Int))
        case ObjectIdentifier(Int64.self): .integer(value as! Int64)
        case ObjectIdentifier(Double.self): .double(value as! Double)
        case ObjectIdentifier(Bool.self): .integer(value as! Bool ? 1 : 0)
        case ObjectIdentifier(Date.self): .date(value as! Date)
        case ObjectIdentifier(Int32.self): .integer(Int64(value as! Int32))
        case ObjectIdentifier(Int16.self): .integer(Int64(value as! Int16))
        case ObjectIdentifier(Float.self): .double(Double(value as! Float))
        case ObjectIdentifier(Decimal.self): .decimal(value as! Decimal)
        case ObjectIdentifier(UUID.self): .uuid(value as! UUID)
        case ObjectIdentifier(URL.self): .url(value as! URL)
        case ObjectIdentifier(Data.self): .data(value as! Data)
        case ObjectIdentifier(AnyHashable.self): Self(opened(value))
        default: nil
        }
    }

    private init(rare value: Any) {
        switch value {
        case let value as any PredicateCollectionSource: self = .collection(value.predicateCollection)
        case let value as any OptionalValue: self.init(value.flattenedValue)
        case let value as any FixedWidthInteger: self = .integer(wide: value)
        case let value as any BinaryFloatingPoint: self = .double(Double(value))
        case let value as any StringProtocol: self = .string(String(value))
        case let value as Character: self = .string(String(value))
        default: self = .other(value)
        }
    }

    private init(object: AnyObject) {
        switch object {
        case let number as NSNumber: self.init(number)
        case let string as NSString: self = .string(string as String)
        case let date as NSDate: self = .date(date as Date)
        case let uuid as NSUUID: self = .uuid(uuid as UUID)
        case let url as NSURL: self = .url(url as URL)
        case let data as NSData: self = .data(data as Data)
        case is NSNull: self = .null
        case let array as NSArray: self = .collection(array.predicateCollection)
        case let set as NSSet: self = .collection(set.predicateCollection)
        case let set as NSOrderedSet: self = .collection(set.predicateCollection)
        case let dictionary as NSDictionary: self = .collection(dictionary.predicateCollection)
        default: self = .object(object)
        }
    }

    private init(_ number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self = .decimal(decimal.decimalValue)
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
        case UInt8(ascii: "Q"), UInt8(ascii: "L"): self = .integer(wide: number.uint64Value)
        default: self = .integer(number.int64Value)
        }
    }

    private static func integer<Integer: FixedWidthInteger>(wide value: Integer) -> Self {
        if let exact = Int64(exactly: value) { return .integer(exact) }
        return .decimal(Decimal(string: "\(value)") ?? .nan)
    }
}

extension PredicateValue {
    /// The value as Foundation's key-value coding would give it: numbers as `NSNumber`, collections as they came.
    package var boxed: Any? {
        switch self {
        case .null: nil
        case .integer(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .decimal(let value): DecimalNumber(decimal: value)
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .url(let value): value
        case .collection(let collection): collection.original
        case .object(let object): object
        case .other(let value): value
        }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// What the kind is called in the sentences of errors.
    package var kindName: String {
        switch self {
        case .null: "nil"
        case .integer, .double, .decimal: "a number"
        case .string: "a text"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .collection: "a collection"
        case .object(let object): "an object of the class \(type(of: object))"
        case .other(let value): "a value of the type \(type(of: value))"
        }
    }
}

/// What opens the optionals that hide inside an `Any`.
private protocol OptionalValue {
    var flattenedValue: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var flattenedValue: Any? {
        flatMap { ($0 as? any OptionalValue).map(\.flattenedValue) ?? $0 }
    }
}

/// The object inside an `Any`, nil for what is no instance of a class. `as AnyObject` takes two hundred nanoseconds for
/// it, through bridging.
func instance(in value: Any) -> AnyObject? {
    func object<Value>(_ value: Value) -> AnyObject? {
        // An instance of a class is one reference, whatever its static type.
        if Value.self is AnyClass { return unsafeBitCast(value, to: AnyObject.self) }
        // Generic code that handles `Any` puts one into another; opening the outer one finds the inner.
        return type(of: value as Any) is AnyClass ? value as AnyObject : nil
    }
    return _openExistential(value, do: object)
}

/// The value without optionals and `AnyHashable` around it, and without `NSNull`.
func flattened(_ value: Any) -> Any? {
    if type(of: value) is AnyClass { return value is NSNull ? nil : value }
    if type(of: value) == AnyHashable.self { return flattened(opened(value)) }
    guard let optional = value as? any OptionalValue else { return value }
    return optional.flattenedValue.flatMap(flattened)
}

/// The value out of the `AnyHashable` around it, if there is one. Many casts see through one, `Mirror` and some others
/// don't.
func opened(_ value: Any) -> Any {
    // The type is asked first: the cast alone would make an `AnyHashable` of every hashable value.
    type(of: value) == AnyHashable.self ? (value as? AnyHashable)?.base ?? value : value
}

/// The elements of a collection, each out of the `AnyHashable` that a `Set<AnyHashable>` has around it: in there an
/// object's keys are not found.
func openedElements<Elements: Sequence>(_ elements: Elements) -> [Any] {
    Elements.Element.self == AnyHashable.self ? elements.map { opened($0) } : elements.map { $0 }
}
