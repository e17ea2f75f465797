import CoreData
import Foundation

extension Scenario {
    /// Saves over two stores of one coordinator.
    static let severalStores = [
        overTwo("save over two stores", ["First.sqlite", "Second.sqlite"]),
        overTwo("save over two stores of different types", ["First.sqlite", "Second.xml"]),
    ]

    private static func overTwo(_ name: String, _ stores: [String]) -> Scenario {
        Scenario(name) { stage in
            let coordinator = try stage.coordinator(stores: stores)
            let context = try stage.context(coordinator)
            try context.performAndWait {
                for store in coordinator.persistentStores {
                    let title = store.url?.lastPathComponent ?? ""
                    let book = Library.add("Book", "new in \(title)", to: context)
                    book.setValue(Library.cover(7), forKey: "cover")
                    context.assign(book, to: store)
                    try Library.find("Tag", title, in: context).setValue("renamed \(title)", forKey: "name")
                }
                context.processPendingChanges()
            }
            return { try context.performAndWait { try context.save() } }
        }.with {
            $0.stores = stores
            $0.commitsInTurn = true
            $0.prepare = { stage in
                for store in stores {
                    let context = try Stage.context(on: stage.coordinator(stores: [store]))
                    try context.performAndWait {
                        Library.add("Tag", store, to: context)
                        try context.save()
                    }
                }
            }
        }
    }
}
