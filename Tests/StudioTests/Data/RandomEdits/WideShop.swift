import CoreData
import Foundation
import RandomSeeds

/// The shop with an attribute of every type, products in an order, and an entity below another one.
///
/// The tables here are what the oracle reads. The model says the same.
enum WideShop {
    /// A to-one relationship, and the to-many relationship that it is the inverse of.
    struct Link: Hashable {
        let entity: String
        let key: String
        let owner: String
        let inverse: String
        let isOrdered: Bool
    }

    /// A relationship with members that are shared, by the side that has an order if one has.
    struct Membership: Hashable {
        let owner: String
        let key: String
        let member: String
        let inverse: String
        let isOrdered: Bool
    }

    static let entities = ["Order", "Line", "Product", "Tag"]
    static let links = [
        Link(entity: "Line", key: "order", owner: "Order", inverse: "lines", isOrdered: true),
        Link(entity: "Line", key: "product", owner: "Product", inverse: "lines", isOrdered: false),
    ]
    static let memberships = [
        Membership(owner: "Order", key: "tags", member: "Tag", inverse: "orders", isOrdered: false),
        Membership(owner: "Tag", key: "products", member: "Product", inverse: "tags", isOrdered: true),
    ]

    /// The attributes that a person can set, with their types.
    private static let attributes: [String: [(key: String, type: NSAttributeType)]] = [
        "Order": [
            ("number", .integer32AttributeType), ("placed", .dateAttributeType), ("isPaid", .booleanAttributeType),
            ("remark", .stringAttributeType), ("city", .stringAttributeType),
        ],
        "Line": [("quantity", .integer16AttributeType)],
        "Product": [
            ("name", .stringAttributeType), ("price", .decimalAttributeType), ("photo", .binaryDataAttributeType),
            ("page", .URIAttributeType), ("code", .UUIDAttributeType), ("weight", .doubleAttributeType),
            ("stock", .integer64AttributeType), ("rating", .floatAttributeType),
        ],
        "Voucher": [("percent", .integer16AttributeType)],
        "Tag": [
            ("name", .stringAttributeType), ("shelf.room", .stringAttributeType), ("shelf.row", .stringAttributeType),
        ],
    ]

    static func attributes(of entity: String) -> [(key: String, type: NSAttributeType)] {
        (entity == "Voucher" ? attributes["Product"] ?? [] : []) + (attributes[entity] ?? [])
    }

    /// The elements of a tag's composite attribute, by one of them.
    static func elements(beside key: String) -> [String] {
        let name = key.prefix { $0 != "." }
        return attributes(of: "Tag").map(\.key).filter { $0.hasPrefix("\(name).") }
    }

    /// The attribute without which an object can't be saved.
    static let required = ["Order": "number", "Product": "name", "Voucher": "name"]

    static func isKind(_ entity: String, of other: String) -> Bool {
        entity == other || entity == "Voucher" && other == "Product"
    }

    // MARK: The store

    static func model() -> NSManagedObjectModel {
        let model = SampleStore.shopModel()
        let (product, tag) = (model.entitiesByName["Product"]!, model.entitiesByName["Tag"]!)
        let (products, tags, voucher) = (
            NSRelationshipDescription(), NSRelationshipDescription(), NSEntityDescription()
        )
        (products.name, products.destinationEntity, products.inverseRelationship) = ("products", product, tags)
        (tags.name, tags.destinationEntity, tags.inverseRelationship) = ("tags", tag, products)
        products.isOrdered = true
        product.properties += [
            SampleStore.attribute("stock", .integer64AttributeType),
            SampleStore.attribute("rating", .floatAttributeType), tags,
        ]
        tag.properties.append(products)
        voucher.name = "Voucher"
        voucher.properties = [SampleStore.attribute("percent", .integer16AttributeType)]
        product.subentities = [voucher]
        model.entities.append(voucher)
        return model
    }

    /// A shop with 6 orders of n % 4 lines each, 3 products, a voucher and 3 tags.
    static func store() throws -> SampleStore {
        let store = try SampleStore("Shop.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let made = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store.url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            fill(context)
            try context.save()
        }
        try coordinator.remove(made)
        return store
    }

    private static func fill(_ context: NSManagedObjectContext) {
        func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            values.forEach { object.setValue($1, forKey: $0) }
            return object
        }
        let products =
            ["Apple", "Bread", "Cheese"].map { insert("Product", ["name": $0, "weight": 0.5]) }
            + [insert("Voucher", ["name": "Gift", "percent": 10])]
        let tags = ["urgent", "gift", "late"].map { insert("Tag", ["name": $0, "shelf": ["room": "A", "row": "1"]]) }
        tags[0].setValue(NSOrderedSet(array: products), forKey: "products")
        for number in 1...6 {
            let order = insert("Order", ["number": number, "isPaid": number % 2 == 0])
            let lines = (0..<number % 4).map { insert("Line", ["quantity": $0 + 1, "product": products[$0]]) }
            order.setValue(NSOrderedSet(array: lines), forKey: "lines")
            order.setValue(NSSet(object: tags[number % 2]), forKey: "tags")
        }
    }

    // MARK: Values

    /// A value as a person types it, and as the store has it.
    struct Value {
        let typed: String
        let stored: String

        init(_ typed: String, stored: String? = nil) { (self.typed, self.stored) = (typed, stored ?? typed) }

        /// - Parameter number: Another one for each value.
        init(_ number: Int, _ type: NSAttributeType) {
            self =
                switch type {
                case .integer16AttributeType: Value("\(1 + number % 99)")
                case .integer32AttributeType: Value("\(1000 + number)")
                case .integer64AttributeType: Value("\(1 << 40 + number)")
                case .booleanAttributeType: Value(number % 2 == 0 ? "true" : "false")
                case .doubleAttributeType: Value("\(Double(number) + 0.25)")
                case .floatAttributeType: Value("\(Float(number) + 0.5)")
                case .decimalAttributeType: Value("\(number).75")
                case .dateAttributeType: Self.date(number)
                case .UUIDAttributeType: Self.uuid(number)
                case .URIAttributeType: Value("https://shop.example/\(number)")
                case .binaryDataAttributeType: Value(Data("photo \(number)".utf8).base64EncodedString())
                default: Value("value \(number)")
                }
        }

        private static func date(_ number: Int) -> Value {
            let date = Date(timeIntervalSinceReferenceDate: Double(number) * 60)
            return Value(date.ISO8601Format(), stored: "\(date.timeIntervalSinceReferenceDate)")
        }

        private static func uuid(_ number: Int) -> Value {
            let digits = String(number)
            return Value(
                "0B5E0000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
        }
    }
}
