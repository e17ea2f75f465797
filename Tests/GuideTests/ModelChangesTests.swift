import CoreData
import Foundation
import Testing

/// The article "When the model changes": what its table says of a change is what happens.
@Suite("The guide to changes of the model")
struct ModelChangesTests {
    /// What becomes of a store without objects, and of one with objects that stand against the change.
    enum Outcome: String {
        case yes, rows, no
    }

    /// A row of the table.
    struct Change: CustomTestStringConvertible, Sendable {
        let words: String
        let outcome: Outcome
        let old: @Sendable () -> NSManagedObjectModel
        let new: @Sendable () -> NSManagedObjectModel
        /// Makes what stands against the change where rows decide, and something else otherwise.
        var fill: @Sendable (NSManagedObjectContext) -> Void = { _ = Build.insert("Book", into: $0) }
        /// The error where rows stand against what is inferred.
        var code: Int?

        var testDescription: String { words }
    }

    static let changes = attributeChanges + relationshipChanges + entityChanges

    private static func book(_ properties: NSPropertyDescription...) -> NSManagedObjectModel {
        Build.model(Build.entity("Book", properties))
    }

    /// A change of the attributes of books.
    private static func change(
        _ words: String, _ outcome: Outcome, _ old: @escaping @Sendable () -> [NSPropertyDescription],
        _ new: @escaping @Sendable () -> [NSPropertyDescription], values: [String: any Sendable] = [:]
    ) -> Change {
        Change(
            words: words, outcome: outcome, old: { Build.model(Build.entity("Book", old())) },
            new: { Build.model(Build.entity("Book", new())) }, fill: { _ = Build.insert("Book", values, into: $0) })
    }

    private static let attributeChanges = [
        change("an optional attribute is new", .yes, { [] }, { [Build.string("title")] }),
        change("a required attribute with a default is new", .yes, { [] }, { [Build.string("title", "None")] }),
        change("a required attribute without a default is new", .rows, { [] }, { [Build.required("title")] }),
        change("an attribute is gone", .yes, { [Build.string("title")] }, { [] }, values: ["title": "Emma"]),
        change(
            "an attribute has a new name and a renaming identifier", .yes, { [Build.string("title")] },
            { [Build.string("name", formerly: "title")] }, values: ["title": "Emma"]),
        change(
            "an attribute has a new name and no renaming identifier", .yes, { [Build.string("title")] },
            { [Build.string("name")] }, values: ["title": "Emma"]),
        change(
            "an attribute becomes optional", .yes, { [Build.required("title")] }, { [Build.string("title")] },
            values: ["title": "Emma"]),
        change(
            "an attribute becomes required and has a default", .yes, { [Build.string("title")] },
            { [Build.string("title", "None")] }),
        change(
            "an attribute becomes required and has no default", .rows, { [Build.string("title")] },
            { [Build.required("title")] }),
        change(
            "Integer 16 becomes Integer 64", .yes, { [Build.number("pages", .integer16AttributeType)] },
            { [Build.number("pages", .integer64AttributeType)] }, values: ["pages": 7]),
        change(
            "Integer 64 becomes Integer 16", .rows, { [Build.number("pages", .integer64AttributeType)] },
            { [Build.number("pages", .integer16AttributeType)] }, values: ["pages": 70_000]),
        change(
            "Double becomes Integer 32", .rows, { [Build.number("pages", .doubleAttributeType)] },
            { [Build.number("pages", .integer32AttributeType)] }, values: ["pages": 7.5]),
        change(
            "String becomes Date", .no, { [Build.string("born")] }, { [Build.number("born", .dateAttributeType)] }),
    ]

    private static let relationshipChanges = [
        Change(
            words: "a to-one becomes a to-many", outcome: .yes, old: { Build.shelf(toMany: false) },
            new: { Build.shelf(toMany: true) }),
        Change(
            words: "a to-many becomes a to-one", outcome: .no, old: { Build.shelf(toMany: true) },
            new: { Build.shelf(toMany: false) }),
        Change(
            words: "an ordered to-many loses its order", outcome: .yes,
            old: { Build.shelf(toMany: true, ordered: true) }, new: { Build.shelf(toMany: true) }),
        Change(
            words: "a to-one gets a to-one as its inverse", outcome: .rows, old: { Build.place(hasInverse: false) },
            new: { Build.place(hasInverse: true) },
            fill: { context in
                let shelf = Build.insert("Shelf", into: context)
                for _ in 0..<2 { _ = Build.insert("Book", ["shelf": shelf], into: context) }
            }),
    ]

    private static let entityChanges = [
        Change(
            words: "an entity is new", outcome: .yes, old: { book() },
            new: { Build.model(Build.entity("Book"), Build.entity("Author")) }),
        Change(
            words: "an entity is gone", outcome: .yes,
            old: { Build.model(Build.entity("Book"), Build.entity("Author")) }, new: { book() }),
        Change(
            words: "an entity has a new name and a renaming identifier", outcome: .yes, old: { book() },
            new: {
                let novel = Build.entity("Novel")
                novel.renamingIdentifier = "Book"
                return Build.model(novel)
            }),
        Change(
            words: "an entity gets a new parent", outcome: .yes, old: { book() },
            new: { Build.model(Build.parent("Item", of: ["Book"])) }),
        Change(
            words: "an entity becomes abstract", outcome: .rows, old: { book() },
            new: {
                let book = Build.entity("Book")
                book.isAbstract = true
                return Build.model(book)
            }),
        Change(
            words: "two hierarchies become one", outcome: .no,
            old: { Build.model(Build.entity("Book"), Build.entity("Author")) },
            new: { Build.model(Build.parent("Item", of: ["Book", "Author"])) }),
        Change(
            words: "a uniqueness constraint is new", outcome: .yes, old: { book(Build.string("title")) },
            new: {
                let book = Build.entity("Book", [Build.string("title")])
                book.uniquenessConstraints = [["title"]]
                return Build.model(book)
            },
            fill: { context in for _ in 0..<2 { _ = Build.insert("Book", ["title": "Emma"], into: context) } },
            code: NSMigrationConstraintViolationError),
    ]

    @Test("the table has these changes, in this order, with what becomes of them")
    func table() throws {
        let article = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../Sources/CoreData/CoreData.docc/ModelChanges.md"), encoding: .utf8)
        let part = try #require(article.components(separatedBy: "| change | inferred |").last)
        let rows = part.components(separatedBy: "\n").dropFirst(2).prefix { $0.hasPrefix("|") }.map { row in
            row.split(separator: "|").prefix(2).map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(rows == Self.changes.map { [$0.words, $0.outcome.rawValue] })
    }

    @Test("a store without objects, and one with objects, become what the table says", arguments: changes)
    func becomes(change: Change) throws {
        let empty = try migrate(change) { _ in }
        #expect(empty == (change.outcome == .no ? NSMigrationMissingMappingModelError : nil))
        let filled = try migrate(change, change.fill)
        switch change.outcome {
        case .yes: #expect(filled == change.code)
        case .rows: #expect(filled == NSMigrationError)
        case .no: #expect(filled == NSMigrationMissingMappingModelError)
        }
        var inferred: Int?
        do {
            _ = try NSMappingModel.inferredMappingModel(forSourceModel: change.old(), destinationModel: change.new())
        } catch { inferred = (error as NSError).code }
        #expect(inferred == (change.outcome == .yes ? nil : NSInferredMappingModelError))
    }

    /// - Returns: The code of the error; nil if the store has the new version.
    private func migrate(_ change: Change, _ fill: (NSManagedObjectContext) -> Void) throws -> Int? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Guide-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("Books.sqlite")
        let maker = NSPersistentStoreCoordinator(managedObjectModel: change.old())
        let store = try maker.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = maker
        try context.performAndWait {
            fill(context)
            if context.hasChanges { try context.save() }
        }
        try maker.remove(store)
        do {
            try NSPersistentStoreCoordinator(managedObjectModel: change.new()).addPersistentStore(
                type: .sqlite, at: url,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                ])
        } catch {
            // The store is as it was.
            try maker.addPersistentStore(type: .sqlite, at: url)
            return (error as NSError).code
        }
        return nil
    }
}

/// Makes small models and their objects.
private enum Build {
    static func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities.flatMap { [$0] + $0.subentities }
        return model
    }

    static func entity(_ name: String, _ properties: [NSPropertyDescription] = []) -> NSEntityDescription {
        let entity = NSEntityDescription()
        (entity.name, entity.properties) = (name, properties)
        return entity
    }

    static func parent(_ name: String, of children: [String]) -> NSEntityDescription {
        let entity = entity(name)
        entity.subentities = children.map { Self.entity($0) }
        return entity
    }

    /// An optional attribute; a required one where it has a default.
    static func string(
        _ name: String, _ standard: String? = nil, formerly former: String? = nil
    ) -> NSAttributeDescription {
        let attribute = number(name, .stringAttributeType)
        (attribute.defaultValue, attribute.isOptional) = (standard, standard == nil)
        attribute.renamingIdentifier = former
        return attribute
    }

    static func required(_ name: String) -> NSAttributeDescription {
        let attribute = number(name, .stringAttributeType)
        attribute.isOptional = false
        return attribute
    }

    static func number(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }

    /// Books with a relationship to shelves, and its inverse, which is a to-one.
    static func shelf(toMany: Bool, ordered: Bool = false) -> NSManagedObjectModel {
        let (book, shelf) = (entity("Book"), entity("Shelf"))
        let (to, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (to.name, to.destinationEntity, to.maxCount, to.isOrdered) = ("shelves", shelf, toMany ? 0 : 1, ordered)
        (back.name, back.destinationEntity, back.maxCount) = ("book", book, 1)
        (to.isOptional, back.isOptional) = (true, true)
        (to.inverseRelationship, back.inverseRelationship) = (back, to)
        (book.properties, shelf.properties) = ([to], [back])
        return model(book, shelf)
    }

    /// Each book on a shelf, and each shelf with one book or without the knowledge of any.
    static func place(hasInverse: Bool) -> NSManagedObjectModel {
        let (book, shelf) = (entity("Book"), entity("Shelf"))
        let (to, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (to.name, to.destinationEntity, to.maxCount, to.isOptional) = ("shelf", shelf, 1, true)
        (back.name, back.destinationEntity, back.maxCount, back.isOptional) = ("book", book, 1, true)
        book.properties = [to]
        if hasInverse {
            shelf.properties = [back]
            (to.inverseRelationship, back.inverseRelationship) = (back, to)
        }
        return model(book, shelf)
    }

    static func insert(
        _ entity: String, _ values: [String: Any] = [:], into context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }
}
