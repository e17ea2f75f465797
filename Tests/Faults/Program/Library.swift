import CoreData
import Foundation

/// The model of most scenarios, shelves of books with covers in external files, and a store of it.
enum Library {
    static let storeName = "Library.sqlite"
    /// One for the whole process: models are sealed when they are first used.
    nonisolated(unsafe) static let model: NSManagedObjectModel = makeModel()

    /// The same with names that are marked for full-text search, which makes no other version.
    nonisolated(unsafe) static let searchedModel = makeModel { entities in
        for entity in entities.values {
            entity.attributesByName["name"]?.userInfo = [NSFullTextSearchUserInfoKey: "YES"]
        }
    }

    /// A library with a difference that makes another version of it.
    static func makeModel(_ change: ([String: NSEntityDescription]) -> Void = { _ in }) -> NSManagedObjectModel {
        let (shelf, book, tag) = (entity("Shelf"), entity("Book"), entity("Tag"))
        let cover = attribute("cover", .binaryDataAttributeType)
        cover.allowsExternalBinaryDataStorage = true
        shelf.properties = [attribute("name", .stringAttributeType)]
        tag.properties = [attribute("name", .stringAttributeType)]
        book.properties = [attribute("name", .stringAttributeType), attribute("pages", .integer64AttributeType), cover]
        book.uniquenessConstraints = [["name"]]
        join(("books", shelf, true), ("shelf", book, false), rule: .cascadeDeleteRule)
        join(("tags", book, true), ("books", tag, true), rule: .nullifyDeleteRule)
        change(["Shelf": shelf, "Book": book, "Tag": tag])
        let model = NSManagedObjectModel()
        model.entities = [shelf, book, tag]
        return model
    }

    static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    typealias End = (name: String, entity: NSEntityDescription, isToMany: Bool)

    /// Makes a relationship and its inverse; the rule is that of the first.
    static func join(_ first: End, _ second: End, rule: NSDeleteRule) {
        let ends = [first, second].map { end in
            let relationship = NSRelationshipDescription()
            relationship.name = end.name
            relationship.isOptional = true
            relationship.maxCount = end.isToMany ? 0 : 1
            relationship.deleteRule = .nullifyDeleteRule
            end.entity.properties.append(relationship)
            return relationship
        }
        ends[0].deleteRule = rule
        for (end, other) in [(0, 1), (1, 0)] {
            ends[end].inverseRelationship = ends[other]
            ends[end].destinationEntity = [first, second][other].entity
        }
    }

    // MARK: Objects

    /// Makes the store: two shelves of three books each, of which the first has a cover.
    static func fill(_ stage: Stage) throws { try fill(stage, storeName) }

    static func fill(_ stage: Stage, _ store: String, options: [AnyHashable: Any]? = nil) throws {
        let context = try Stage.context(on: stage.coordinator(stores: [store], options: options))
        try context.performAndWait {
            let tag = add("Tag", "old", to: context)
            for number in 1...2 {
                let shelf = add("Shelf", "shelf \(number)", to: context)
                for place in 1...3 {
                    let book = add("Book", "book \(number).\(place)", to: context)
                    book.setValue(shelf, forKey: "shelf")
                    if place == 1 { book.setValue(Set([tag]), forKey: "tags") }
                    if place == 1 { book.setValue(cover(UInt8(number)), forKey: "cover") }
                }
            }
            try context.save()
        }
    }

    @discardableResult
    static func add(_ entity: String, _ name: String, to context: NSManagedObjectContext) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(name, forKey: "name")
        return object
    }

    /// The object of a name, which must be there.
    static func find(_ entity: String, _ name: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name == %@", name)
        guard let object = try context.fetch(request).first else { throw ScenarioFailure("no \(entity) \(name)") }
        return object
    }

    /// Data that are large enough for a file.
    static func cover(_ byte: UInt8) -> Data { Data(repeating: byte, count: 110_000) }
}

/// A scenario can't take place.
struct ScenarioFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
