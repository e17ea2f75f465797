import CoreData

/// What removes the links that were read, at night: no object is loaded for it.
struct Tidying {
    private let context: NSManagedObjectContext

    init(_ folder: URL) throws {
        context = try SharedStore.open(in: folder, author: "tidying").viewContext
    }

    /// Removes them by a batch, which the history has like a save.
    func removeRead() throws {
        let read = NSFetchRequest<any NSFetchRequestResult>(entityName: "Link")
        read.predicate = NSPredicate(format: "isRead == YES")
        let request = NSBatchDeleteRequest(fetchRequest: read)
        request.resultType = .resultTypeCount
        let result = try context.execute(request) as? NSBatchDeleteResult
        say("\(result?.result ?? 0) removed")
    }
}
