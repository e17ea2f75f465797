import SwiftSources
/// How generated code reads and writes a property of some type.
enum ValueAccess: Equatable {
    /// A number that the slot holds: `managedValue` as it is.
    case scalar
    /// A number that may be nil.
    case optionalScalar
    /// An integer of another width than models have.
    case integer(String)
    case cgFloat
    /// A type: `managedValue` has an overload for its optional; the expression for nil where it may not be nil.
    case value(type: String, none: String?)
    case decimal
    /// An Objective-C class that stands for a Swift type: `NSDate`, `Date`.
    case bridged(swiftType: String, className: String)
    case toOne
    case toMany
    case orderedToMany
    case mutableToMany
    case mutableOrderedToMany
    case members
    case fetched
    /// What conforms to `RawRepresentable`, or what a transformer makes: the compiler decides.
    case wrapped
    case transformable

    init(_ type: SwiftType, isManaged: (NominalType) -> Bool) {
        switch type.unwrapped {
        case .nominal(let nominal): self = ValueAccess(nominal, isOptional: type.isOptional, isManaged)
        case .bound(let generic, let arguments):
            guard case .nominal(let member)? = arguments.first, isManaged(member), arguments.count == 1 else {
                self = .transformable
                return
            }
            self =
                generic.path[0].name == "Set" ? .members : generic.path[0].name == "Array" ? .fetched : .transformable
        default: self = .transformable
        }
    }

    private init(_ type: NominalType, isOptional: Bool, _ isManaged: (NominalType) -> Bool) {
        if isManaged(type) {
            self = .toOne
        } else if let known = Self.known[type.key.droppingKind] {
            self = known == .scalar && isOptional ? .optionalScalar : known
        } else if type.module == "Swift", Self.integers.contains(type.path[0].name) {
            self = .integer(type.path[0].name)
        } else {
            let isOwn = !SystemTypes.isSystemModule(type.module)
            self = isOwn && (type.kind == .enum || type.kind == .struct) ? .wrapped : .transformable
        }
    }

    /// Whether a property that is not optional is a number which Objective-C would have no nil for.
    var isNumber: Bool {
        switch self {
        case .scalar, .integer, .cgFloat: true
        default: false
        }
    }

    private static let integers: Set<String> = ["Int", "Int8", "UInt", "UInt8", "UInt16", "UInt32", "UInt64"]

    private static let known: [String: ValueAccess] = {
        var known: [String: ValueAccess] = [
            "Swift.String": .value(type: "String", none: "\"\""), "Foundation.CGFloat": .cgFloat,
            "Foundation.NSDecimalNumber": .value(type: "NSDecimalNumber", none: nil),
            "Foundation.NSSet": .toMany, "Foundation.NSOrderedSet": .orderedToMany,
            "Foundation.NSMutableSet": .mutableToMany, "Foundation.NSMutableOrderedSet": .mutableOrderedToMany,
        ]
        for name in ["Bool", "Int16", "Int32", "Int64", "Double", "Float"] { known["Swift.\(name)"] = .scalar }
        for module in ["Foundation", "FoundationEssentials"] {
            known["\(module).Decimal"] = .decimal
            known["\(module).Data"] = .value(type: "Data", none: "Data()")
            for name in ["Date", "UUID", "URL"] { known["\(module).\(name)"] = .value(type: name, none: nil) }
        }
        for name in ["String", "Date", "Data", "UUID", "URL"] {
            known["Foundation.NS\(name)"] = .bridged(swiftType: name, className: "NS\(name)")
        }
        return known
    }()
}

extension String {
    /// A type's key without the letter of its kind.
    fileprivate var droppingKind: String { String(dropLast()) }
}

// MARK: - Code

extension ValueAccess {
    /// The expression that reads the property.
    ///
    /// - Parameters:
    ///   - key: The key's constant.
    ///   - type: The property's type without the optional, as code spells it.
    func getter(_ key: String, _ type: String, isOptional: Bool) -> String {
        switch self {
        case .scalar: return "managedValue(\(key))"
        case .optionalScalar: return "managedOptional(\(key))"
        case .integer(let name): return converted("\(name)(truncatingIfNeeded: $)", "Int64", key, isOptional)
        case .cgFloat: return converted("CGFloat($)", "Double", key, isOptional)
        default: break
        }
        let value = optionalGetter(key, type)
        if isOptional { return value }
        if case .value(_, let none?) = self { return "\(value) ?? \(none)" }
        return "managedRequired(\(value), \(key))"
    }

    private func converted(_ conversion: String, _ type: String, _ key: String, _ isOptional: Bool) -> String {
        let call = isOptional ? "managedOptional(\(key)) as \(type)?" : "managedValue(\(key)) as \(type)"
        return isOptional
            ? "(\(call)).map { \(conversion.replacing("$", "$0")) }" : conversion.replacing("$", call)
    }

    private func optionalGetter(_ key: String, _ type: String) -> String {
        switch self {
        case .value(let name, _): "managedValue(\(key)) as \(name)?"
        case .decimal: "(managedValue(\(key)) as NSDecimalNumber?)?.decimalValue"
        case .bridged(let swiftType, let className):
            "(managedValue(\(key)) as \(swiftType)?).map { $0 as \(className) }"
        case .toOne: "managedToOne(\(key)) as \(type)?"
        case .toMany: "managedToMany(\(key))"
        case .orderedToMany: "managedOrderedToMany(\(key))"
        case .mutableToMany: "managedMutableSet(\(key))"
        case .mutableOrderedToMany: "managedMutableOrderedSet(\(key))"
        case .members: "managedMembers(\(key)) as \(type)?"
        case .fetched: "managedFetched(\(key)) as \(type)?"
        case .wrapped: "managedWrapped(\(key)) as \(type)?"
        default: "managedTransformable(\(key)) as \(type)?"
        }
    }

    /// The statement that sets the property to `value`.
    func setter(_ key: String, isOptional: Bool) -> String {
        switch self {
        case .scalar, .value: "setManagedValue(value, \(key))"
        case .optionalScalar: "setManagedOptional(value, \(key))"
        case .integer: converted("Int64(truncatingIfNeeded: $)", key, isOptional)
        case .cgFloat: converted("Double($)", key, isOptional)
        case .decimal:
            isOptional
                ? "setManagedValue(value.map { NSDecimalNumber(decimal: $0) }, \(key))"
                : "setManagedValue(NSDecimalNumber(decimal: value), \(key))"
        case .bridged(let swiftType, _):
            isOptional
                ? "setManagedValue(value.map { $0 as \(swiftType) }, \(key))"
                : "setManagedValue(value as \(swiftType), \(key))"
        case .toOne: "setManagedToOne(value, \(key))"
        case .toMany, .mutableToMany: "setManagedToMany(value as NSSet?, \(key))"
        case .orderedToMany, .mutableOrderedToMany: "setManagedToMany(value as NSOrderedSet?, \(key))"
        case .members: "setManagedMembers(value, \(key))"
        case .wrapped: "setManagedWrapped(value, \(key))"
        case .fetched: "setManagedFetched(value, \(key))"
        case .transformable: "setManagedTransformable(value, \(key))"
        }
    }

    private func converted(_ conversion: String, _ key: String, _ isOptional: Bool) -> String {
        isOptional
            ? "setManagedOptional(value.map { \(conversion.replacing("$", "$0")) }, \(key))"
            : "setManagedValue(\(conversion.replacing("$", "value")), \(key))"
    }
}

extension String {
    fileprivate func replacing(_ character: Character, _ text: String) -> String {
        split(separator: character, omittingEmptySubsequences: false).joined(separator: text)
    }
}
