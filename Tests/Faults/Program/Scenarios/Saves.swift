import CoreData
import Foundation

extension Scenario {
    /// Saves of each kind of change, in one context.
    static let saves = [
        saving("insert") { context in
            let shelf = Library.add("Shelf", "new shelf", to: context)
            for number in 1...5 { Library.add("Book", "new \(number)", to: context).setValue(shelf, forKey: "shelf") }
        },
        saving("update") { context in
            for book in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")) {
                book.setValue(300, forKey: "pages")
            }
        },
        saving("delete") { context in context.delete(try Library.find("Shelf", "shelf 1", in: context)) },
        Scenario("delete, with rules that run in the save") { stage in
            let context = try stage.context()
            try context.performAndWait { context.delete(try Library.find("Shelf", "shelf 1", in: context)) }
            return { try context.performAndWait { try context.save() } }
        },
        saving("move members") { context in
            let (from, to) = (
                try Library.find("Shelf", "shelf 1", in: context), try Library.find("Shelf", "shelf 2", in: context)
            )
            to.mutableSetValue(forKey: "books").union(from.value(forKey: "books") as? Set<NSManagedObject> ?? [])
            let books = to.value(forKey: "books") as? Set<NSManagedObject> ?? []
            Library.add("Tag", "new tag", to: context).setValue(books, forKey: "books")
        },
        saving("free a unique value") { context in
            context.delete(try Library.find("Book", "book 1.1", in: context))
            try Library.find("Book", "book 1.2", in: context).setValue("book 1.1", forKey: "name")
        },
        // More pages than the connection keeps in memory: some are written before the commit.
        saving("insert many", options: ["cache_size": "10"]) { context in
            for number in 1...60 {
                Library.add("Book", "\(number) " + String(repeating: "long ", count: 1600), to: context)
            }
        }.with { $0.stride = 5 },
        Scenario("save metadata") { stage in
            let context = try stage.context()
            guard let store = context.persistentStoreCoordinator?.persistentStores.first else { return {} }
            store.metadata["app"] = "a value"
            return { try context.performAndWait { try context.save() } }
        },
        childSave,
    ]

    private static let childSave = Scenario("save of a child and its parent") { stage in
        let parent = try stage.context()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = parent
        child.performAndWait { _ = Library.add("Book", "a child's", to: child) }
        return {
            try child.performAndWait { try child.save() }
            try parent.performAndWait { try parent.save() }
        }
    }

    /// A save of what `edit` does. The edit has no faults.
    static func saving(
        _ name: String, options: [String: String] = [:],
        _ edit: @escaping @Sendable (NSManagedObjectContext) throws -> Void
    ) -> Scenario {
        Scenario(name) { stage in
            let context = try stage.context(stage.coordinator(options: pragmas(options)))
            try context.performAndWait {
                try edit(context)
                context.processPendingChanges()
            }
            return { try context.performAndWait { try context.save() } }
        }.with { $0.allowsBystander = options["journal_mode"] == nil }
    }

    static func pragmas(_ pragmas: [String: String]) -> [AnyHashable: Any]? {
        pragmas.isEmpty ? nil : [NSSQLitePragmasOption: pragmas]
    }
}
