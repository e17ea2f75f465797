import Foundation

/// The types of the system's modules that a managed property may have.
package enum SystemTypes {
    /// The type that a name means where nothing nearer has it.
    static func type(named name: String) -> SwiftType? {
        aliases[name] ?? nominals[name].map { $0.kind == .protocol ? .existential($0) : .nominal($0) }
    }

    /// A generic type of the standard library, and how many arguments it takes.
    static func generic(named name: String) -> (type: NominalType, count: Int)? {
        generics[name].map { (NominalType("Swift", name, .struct), $0) }
    }

    /// Whether the types of a module are known here.
    package static func isSystemModule(_ name: String) -> Bool { modules.contains(name) }

    /// The modules that a source may name in front of such a type.
    private static let modules: Set<String> = [
        "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "CoreData",
    ]

    private static let aliases: [String: SwiftType] = [
        "Any": .any, "AnyObject": .anyObject, "Void": .void,
        "TimeInterval": .nominal(NominalType("Swift", "Double", .struct)),
        "NSInteger": .nominal(NominalType("Swift", "Int", .struct)),
        "NSRange": .nominal(NominalType("Foundation", "_NSRange", .struct)),
    ]

    private static let generics = [
        "Array": 1, "Set": 1, "Dictionary": 2, "ContiguousArray": 1, "Range": 1, "ClosedRange": 1,
    ]

    /// Names with symbols that the tables below and the running program give.
    private static let nominals: [String: NominalType] = {
        var nominals: [String: NominalType] = [:]
        for name in coreDataClasses { nominals[name] = NominalType("CoreData", name, .class) }
        for type in foundationTypes + foundationProtocols {
            guard let symbol = _mangledTypeName(type), let nominal = NominalType(symbol: symbol) else { continue }
            nominals[nominal.path[0].name] = nominal
        }
        return nominals
    }()

    /// The classes of module CoreData that a value can have, or an app's class inherits from.
    private static let coreDataClasses = [
        "NSManagedObject", "NSManagedObjectID", "NSManagedObjectContext", "NSManagedObjectModel",
        "NSEntityDescription", "NSPersistentStore", "NSPersistentStoreCoordinator", "NSPersistentContainer",
        "NSEntityMigrationPolicy",
    ]

    /// The program itself knows in which module of Foundation a type is: that has changed, and will.
    private static let foundationTypes: [Any.Type] = [
        Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
        UInt32.self, UInt64.self, Double.self, Float.self, String.self, Substring.self, Character.self,
        AnyHashable.self, AttributedString.self, CGFloat.self, CGPoint.self, CGRect.self, CGSize.self, Calendar.self,
        CharacterSet.self, Data.self, Date.self, DateComponents.self, DateInterval.self, Decimal.self, IndexPath.self,
        IndexSet.self, Locale.self, NSArray.self, NSAttributedString.self, NSCalendar.self, NSData.self, NSDate.self,
        NSDateComponents.self, NSDateInterval.self, NSDecimalNumber.self, NSDictionary.self, NSError.self,
        NSIndexPath.self, NSIndexSet.self, NSLocale.self, NSMutableArray.self, NSMutableAttributedString.self,
        NSMutableData.self, NSMutableDictionary.self, NSMutableOrderedSet.self, NSMutableSet.self,
        NSMutableString.self, NSNull.self, NSNumber.self, NSObject.self, NSOrderedSet.self, NSPredicate.self,
        NSRegularExpression.self, NSSet.self, NSSortDescriptor.self, NSString.self, NSTimeZone.self, NSURL.self,
        NSUUID.self, NSValue.self, PersonNameComponents.self, TimeZone.self, URL.self, URLComponents.self, UUID.self,
    ]

    private static let foundationProtocols: [Any.Type] = [
        (any NSCoding).self, (any NSSecureCoding).self, (any NSCopying).self, (any NSMutableCopying).self,
        (any Error).self,
    ]
}

extension NominalType {
    /// A type at the top of a module, by its symbol: `20FoundationEssentials4DateV`, `s5Int16V`, `SS`,
    /// `10Foundation8NSCoding_p`.
    init?(symbol: String) {
        if let name = Self.standardNames[symbol] {
            self.init("Swift", name, .struct)
            return
        }
        var rest = Array(symbol.utf8)[...]
        func name() -> String? {
            let digits = rest.prefix(while: \.isDigit)
            guard digits.first != UInt8(ascii: "0"), let count = Int(String(decoding: digits, as: UTF8.self)),
                rest.count > digits.count + count
            else { return nil }
            defer { rest = rest.dropFirst(digits.count + count) }
            return String(decoding: rest.dropFirst(digits.count).prefix(count), as: UTF8.self)
        }
        let isStandard = rest.first == UInt8(ascii: "s")
        if isStandard { rest = rest.dropFirst() }
        guard let module = isStandard ? "Swift" : name(), let type = name() else { return nil }
        let suffix = String(decoding: rest, as: UTF8.self)
        guard let kind = suffix == "_p" ? .protocol : Kind(rawValue: Character(suffix)) else { return nil }
        self.init(module, type, kind)
    }

    private static let standardNames = [
        "Sb": "Bool", "Si": "Int", "Su": "UInt", "Sd": "Double", "Sf": "Float", "SS": "String", "Ss": "Substring",
        "SJ": "Character",
    ]
}
