import CoreData

/// Shows the number of unread links on the home screen. The system starts it now and then, and it should do little.
struct Widget {
    private let context: NSManagedObjectContext
    private let reader: HistoryReader

    init(_ folder: URL) throws {
        context = try SharedStore.open(in: folder, author: "widget").viewContext
        reader = try HistoryReader(author: "widget", in: folder)
    }

    /// Prints what there is to see, or that it is what was there the last time.
    func show() throws {
        var isOld = true
        try reader.read(in: context) { news in
            switch news {
            case .transactions(let transactions):
                isOld = !transactions.flatMap { $0.changes ?? [] }.contains(where: shows)
            case .unknown: isOld = false
            }
            if !isOld { try draw() }
        }
        if isOld { say("Nothing new") }
    }

    /// Whether a change is one to what the widget shows: how far one has read in a link is not.
    private func shows(_ change: NSPersistentHistoryChange) -> Bool {
        guard change.changeType == .update else { return true }
        return change.updatedProperties?.contains { ["title", "isRead"].contains($0.name) } ?? true
    }

    private func draw() throws {
        let request = NSFetchRequest<Link>(entityName: "Link")
        request.predicate = NSPredicate(format: "isRead == NO")
        request.sortDescriptors = [NSSortDescriptor(key: "addedAt", ascending: false)]
        let count = try context.count(for: request)
        request.fetchLimit = 1
        let newest = try context.fetch(request).first?.title
        say(newest.map { "\(count) unread, the newest: \($0)" } ?? "All read")
    }
}
