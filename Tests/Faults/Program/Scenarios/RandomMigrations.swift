import CoreData
import Foundation
import RandomSeeds

extension Scenario {
    /// Stores that become those of a model which random edits of the library's model lead to.
    static let randomMigrations = (1...UInt64(42)).map { seed in
        // It is unchecked: one thread runs a scenario at a time, and a model that is in use never changes.
        nonisolated(unsafe) let model = RandomLibrary.model(seed)
        let name = "random migration \(seed)"
        return switch seed % 7 {
        case 0: migration(name, "Library.bin") { model }.with { $0.mayLeaveOrphans = true }
        case 6: byManagerInPlace(name, Library.storeName) { model }
        default: migration(name, Library.storeName) { model }.with { $0.mayLeaveOrphans = true }
        }
    }
}

/// The library's model after random edits, all of which a lightweight migration follows.
private struct RandomLibrary {
    private var random: SeededGenerator

    private init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    static func model(_ seed: UInt64) -> NSManagedObjectModel {
        var library = RandomLibrary(seed: seed)
        return library.makeModel()
    }

    private mutating func makeModel() -> NSManagedObjectModel {
        var added: [NSEntityDescription] = []
        let tags = choice(of: 6)
        let model = Library.makeModel { entities in
            guard let book = entities["Book"], let shelf = entities["Shelf"], let tag = entities["Tag"] else { return }
            editPages(of: book)
            editCover(of: book)
            editShelves(shelf, of: book)
            added = addParts(to: book) + Self.editTags(tags, tag, of: book)
            // Whatever was chosen, the model is another version.
            shelf.properties.append(Library.attribute("place", .stringAttributeType))
        }
        if tags == Self.removesTags { model.entities.removeAll { $0.name == "Tag" } }
        model.entities += added
        return model
    }

    private static let removesTags = 2

    /// - Returns: The new entities.
    private static func editTags(
        _ choice: Int, _ tag: NSEntityDescription, of book: NSEntityDescription
    ) -> [NSEntityDescription] {
        switch choice {
        case 0: rename(tag, "Label")
        case 1, removesTags:
            book.properties.removeAll { $0.name == "tags" }
            tag.properties.removeAll { $0.name == "books" }
        case 3:
            let item = Library.entity("Item")
            item.properties = [Library.attribute("note", .stringAttributeType)]
            item.subentities = [tag]
            return [item]
        default: break
        }
        return []
    }

    private mutating func choice(of count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func editPages(of book: NSEntityDescription) {
        guard let pages = book.attributesByName["pages"] else { return }
        switch choice(of: 5) {
        case 0: Self.rename(pages, "length")
        case 1: book.properties.removeAll { $0 === pages }
        case 2:
            let element = NSFetchIndexElementDescription(property: pages, collationType: .binary)
            book.indexes = [NSFetchIndexDescription(name: "byPages", elements: [element])]
        case 3:
            pages.isOptional = false
            pages.defaultValue = 100
        default: break
        }
    }

    private mutating func editCover(of book: NSEntityDescription) {
        guard let cover = book.attributesByName["cover"] else { return }
        switch choice(of: 4) {
        case 0: cover.allowsExternalBinaryDataStorage = false
        case 1: Self.rename(cover, "picture")
        case 2: book.properties.removeAll { $0 === cover }
        default: break
        }
    }

    private mutating func editShelves(_ shelf: NSEntityDescription, of book: NSEntityDescription) {
        switch choice(of: 4) {
        case 0: book.relationshipsByName["shelf"]?.maxCount = 0
        case 1: shelf.relationshipsByName["books"]?.isOrdered = true
        case 2: shelf.relationshipsByName["books"].map { Self.rename($0, "volumes") }
        default: break
        }
    }

    /// - Returns: The new entities.
    private mutating func addParts(to book: NSEntityDescription) -> [NSEntityDescription] {
        switch choice(of: 4) {
        case 0:
            let rating = Library.attribute("rating", .integer16AttributeType)
            rating.defaultValue = 3
            book.properties.append(rating)
        case 1: book.uniquenessConstraints = []
        case 2:
            let author = Library.entity("Author")
            author.properties = [Library.attribute("name", .stringAttributeType)]
            Library.join(("author", book, false), ("works", author, true), rule: .nullifyDeleteRule)
            return [author]
        default: break
        }
        return []
    }

    private static func rename(_ property: NSPropertyDescription, _ name: String) {
        property.renamingIdentifier = property.name
        property.name = name
    }

    private static func rename(_ entity: NSEntityDescription, _ name: String) {
        entity.renamingIdentifier = entity.name
        entity.name = name
    }
}
