import CoreData
import Foundation

@testable import CoreDataStudio

extension SampleStore {
    /// A shop that a studio edits, and another program with the same store.
    static func editedShop() throws -> (store: SampleStore, session: StoreSession, other: OtherProgram) {
        let store = try shop()
        let session = try StoreSession(.file(store.url), isEdited: true)
        session.listenToStore()
        return (store, session, try OtherProgram(store.url))
    }

    /// Orders with lines in an order, products that no line may lose, and tags of any number of orders.
    static func shopModel() -> NSManagedObjectModel {
        let names = ["Order", "Line", "Product", "Tag", "Note"]
        let entities = Dictionary(
            uniqueKeysWithValues: names.map { name in
                let entity = NSEntityDescription()
                entity.name = name
                return (name, entity)
            })
        let (order, line, product) = (entities["Order"]!, entities["Line"]!, entities["Product"]!)
        let (tag, note) = (entities["Tag"]!, entities["Note"]!)

        let number = attribute("number", .integer32AttributeType)
        number.isOptional = false
        let photo = attribute("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let quantity = attribute("quantity", .integer16AttributeType)
        quantity.setValidationPredicates(
            [NSPredicate(format: "SELF >= 1"), NSPredicate(format: "SELF <= 99")],
            withValidationWarnings: ["too few", "too many"])
        let title = attribute("name", .stringAttributeType)
        title.isOptional = false
        let count = NSDerivedAttributeDescription()
        (count.name, count.attributeType, count.isOptional) = ("lineCount", .integer32AttributeType, true)
        count.derivationExpression = NSExpression(format: "lines.@count")

        let (lines, orderOfLine) = relate(order, "lines", toMany: true, line, "order", toMany: false)
        (lines.isOrdered, lines.deleteRule, orderOfLine.isOptional) = (true, .cascadeDeleteRule, false)
        let (uses, productOfLine) = relate(product, "lines", toMany: true, line, "product", toMany: false)
        uses.deleteRule = .denyDeleteRule
        let (tags, ordersOfTag) = relate(order, "tags", toMany: true, tag, "orders", toMany: true)

        order.properties = [
            number, attribute("placed", .dateAttributeType), attribute("isPaid", .booleanAttributeType),
            attribute("remark", .stringAttributeType), attribute("city", .stringAttributeType), count, lines, tags,
        ]
        order.uniquenessConstraints = [["number"]]
        line.properties = [quantity, orderOfLine, productOfLine]
        product.properties = [
            title, attribute("price", .decimalAttributeType), photo, attribute("page", .URIAttributeType),
            attribute("code", .UUIDAttributeType), attribute("weight", .doubleAttributeType), uses,
        ]
        let shelf = NSCompositeAttributeDescription()
        (shelf.name, shelf.isOptional) = ("shelf", true)
        shelf.elements = [attribute("room", .stringAttributeType), attribute("row", .stringAttributeType)]
        tag.properties = [attribute("name", .stringAttributeType), shelf, ordersOfTag]
        note.properties = [attribute("text", .stringAttributeType)]
        note.isAbstract = true
        let model = NSManagedObjectModel()
        model.entities = names.compactMap { entities[$0] }
        return model
    }

    private static func relate(
        _ a: NSEntityDescription, _ nameInA: String, toMany isAToMany: Bool, _ b: NSEntityDescription,
        _ nameInB: String, toMany isBToMany: Bool
    ) -> (NSRelationshipDescription, NSRelationshipDescription) {
        let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (there.name, there.destinationEntity, there.inverseRelationship) = (nameInA, b, back)
        (back.name, back.destinationEntity, back.inverseRelationship) = (nameInB, a, there)
        (there.maxCount, back.maxCount) = (isAToMany ? 0 : 1, isBToMany ? 0 : 1)
        (there.deleteRule, back.deleteRule) = (.nullifyDeleteRule, .nullifyDeleteRule)
        return (there, back)
    }

    /// A shop with 3 products, 2 tags and 12 orders. Order n has n % 4 lines and the number n.
    static func shop() throws -> SampleStore {
        let store = try SampleStore("Shop.sqlite")
        let program = try OtherProgram(store.url)
        try program.change { context in
            func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                values.forEach { object.setValue($1, forKey: $0) }
                return object
            }
            let products = ["Apple", "Bread", "Cheese"].map { insert("Product", ["name": $0, "weight": 0.5]) }
            let tags = ["urgent", "gift"].map { insert("Tag", ["name": $0]) }
            try context.obtainPermanentIDs(for: products + tags)
            let orders = (1...12).map { insert("Order", ["number": $0, "isPaid": $0 % 2 == 0]) }
            try context.obtainPermanentIDs(for: orders)
            for (index, order) in orders.enumerated() {
                let lines = (0..<(index + 1) % 4).map { insert("Line", ["quantity": $0 + 1, "product": products[$0]]) }
                order.setValue(NSOrderedSet(array: lines), forKey: "lines")
                order.setValue(NSSet(object: tags[index % 2]), forKey: "tags")
            }
        }
        try program.close()
        return store
    }
}

/// Another program that has the shop open: it changes the store while the studio shows it.
final class OtherProgram {
    private let coordinator: NSPersistentStoreCoordinator
    private let url: URL

    init(_ url: URL) throws {
        self.url = url
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.shopModel())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    }

    /// Changes something in a context of its own, and saves.
    func change(_ body: (NSManagedObjectContext) throws -> Void) throws {
        let context = newContext()
        try context.performAndWait {
            try body(context)
            try context.save()
        }
    }

    /// Reads what the store has now.
    func read<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let context = newContext()
        return try context.performAndWait { try body(context) }
    }

    private func newContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.stalenessInterval = 0
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        return context
    }

    func close() throws { for store in coordinator.persistentStores { try coordinator.remove(store) } }
}

extension NSManagedObjectContext {
    /// The product with a name; nil where there is none.
    func product(_ name: String) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Product")
        request.predicate = NSPredicate(format: "name == %@", name)
        return try fetch(request).first
    }

    /// The order with a number; nil where there is none.
    func order(_ number: Int) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Order")
        request.predicate = NSPredicate(format: "number == %d", number)
        return try fetch(request).first
    }
}
