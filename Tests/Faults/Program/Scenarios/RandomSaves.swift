import CoreData
import Foundation
import RandomSeeds

extension Scenario {
    /// Three saves of random edits each.
    static let randomSaves = (1...UInt64(20)).map { seed in
        Scenario("random saves \(seed)") { stage in
            let context = try stage.context()
            var random = SeededGenerator(seed: seed)
            var edits = 0
            return stage.steps(
                (1...3).map { number in
                    {
                        try context.performAndWait {
                            // A save that failed is done again without them.
                            if edits < number { try stage.withoutFaults { try edit(context, &random) } }
                            edits = number
                            try context.save()
                        }
                    }
                })
        }.with { $0.allowsBystander = true }
    }

    private static func edit(_ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let books = try all("Book", context)
            let (shelves, tags) = (try all("Shelf", context), try all("Tag", context))
            let book = books.randomElement(using: &random)
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1:
                let new = Library.add("Book", "book \(random.next())", to: context)
                new.setValue(shelves.randomElement(using: &random), forKey: "shelf")
            case 2: Library.add("Tag", "tag \(random.next())", to: context)
            case 3, 4: book?.setValue(Library.cover(UInt8.random(in: 0...255, using: &random)), forKey: "cover")
            case 5: book?.setValue(Int.random(in: 0...1000, using: &random), forKey: "pages")
            case 6: tags.randomElement(using: &random)?.mutableSetValue(forKey: "books").add(book as Any)
            case 7: book?.setValue(shelves.randomElement(using: &random), forKey: "shelf")
            default: if let book { context.delete(book) }
            }
        }
        context.processPendingChanges()
    }

    /// In an order that is the same in each run.
    private static func all(_ entity: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request)
    }
}
