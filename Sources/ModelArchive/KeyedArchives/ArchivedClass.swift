/// A class as keyed archives name it, with the classes that it inherits from.
struct ArchivedClass: Hashable {
    /// The name, then the superclasses' names up to `NSObject`.
    let chain: [String]

    init(_ names: String...) {
        self.init(names)
    }

    init(_ names: [String]) {
        chain = names + ["NSObject"]
    }
}

extension ArchivedClass {
    static let array = ArchivedClass("NSArray")
    static let mutableArray = ArchivedClass("NSMutableArray", "NSArray")
    static let set = ArchivedClass("NSSet")
    static let dictionary = ArchivedClass("NSDictionary")
    static let mutableDictionary = ArchivedClass("NSMutableDictionary", "NSDictionary")
    static let knownKeysDictionary = ArchivedClass(
        "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary")
    static let knownKeys = ArchivedClass("NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy")
    static let date = ArchivedClass("NSDate")
    static let uuid = ArchivedClass("NSUUID")
    static let url = ArchivedClass("NSURL")
    static let decimal = ArchivedClass("NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue")
    static let sortDescriptor = ArchivedClass("NSSortDescriptor")

    static let model = ArchivedClass("NSManagedObjectModel")
    static let entity = ArchivedClass("NSEntityDescription")
    static let attribute = ArchivedClass("NSAttributeDescription", "NSPropertyDescription")
    static let derivedAttribute = ArchivedClass(
        "NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription")
    static let compositeAttribute = ArchivedClass(
        "NSCompositeAttributeDescription", "NSAttributeDescription", "NSPropertyDescription")
    static let relationship = ArchivedClass("NSRelationshipDescription", "NSPropertyDescription")
    static let fetchedProperty = ArchivedClass("NSFetchedPropertyDescription", "NSPropertyDescription")
    static let mappingModel = ArchivedClass("NSMappingModel")
    static let entityMapping = ArchivedClass("NSEntityMapping")
    static let propertyMapping = ArchivedClass("NSPropertyMapping")
    static let expression = ArchivedClass("NSExpressionDescription", "NSPropertyDescription")
    static let fetchIndex = ArchivedClass("NSFetchIndexDescription")
    static let fetchIndexElement = ArchivedClass("NSFetchIndexElementDescription")
    static let fetchRequest = ArchivedClass("NSFetchRequest", "NSPersistentStoreRequest")
}
