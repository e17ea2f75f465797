import CoreData

/// What runs when one shares a page from a browser: it adds a link, and ends.
struct ShareExtension {
    private let context: NSManagedObjectContext

    init(_ folder: URL) throws {
        context = try SharedStore.open(in: folder, author: "share").viewContext
    }

    /// Adds a link, unread. If the list has the address already, that link gets the new title, and is unread again.
    func add(_ address: String, title: String) throws {
        let link = Link(context: context)
        (link.address, link.title, link.addedAt, link.isRead) = (address, title, Date(), false)
        // No fetch before: another program could add the address after it. The constraint decides.
        try context.save()
    }
}
