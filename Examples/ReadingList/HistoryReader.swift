import CoreData

/// Reads a store's history for one program, and keeps in a file how far the program came.
///
/// A program that is ended between its work and the note of it reads the same transactions again. So it misses none,
/// and must do its work in a way that may be repeated.
struct HistoryReader {
    /// What a program finds.
    enum News {
        /// What other programs saved, in order.
        case transactions([NSPersistentHistoryTransaction])
        /// The history does not go back to where the program stopped: everything has to be fetched anew.
        case unknown
    }

    /// The name that the program saves under.
    private let author: String
    /// One file for each program: the purge looks at all of them.
    private let folder: URL

    init(author: String, in folder: URL) throws {
        self.author = author
        self.folder = folder.appending(path: "History", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    }

    // MARK: Reading

    /// Deals with what was saved since the last call; calls nothing if nothing was.
    func read(in context: NSManagedObjectContext, _ deal: (News) throws -> Void) throws {
        do {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: try place()?.token())
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
            guard let last = transactions.last else { return }
            let others = transactions.filter { $0.author != author }
            if !others.isEmpty { try deal(.transactions(others)) }
            try keep(last.token, last.timestamp)
        } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
            // The token first: what is saved meanwhile is read the next time.
            let token = context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
            let date = Date()
            try deal(.unknown)
            if let token { try keep(token, date) }
        }
    }

    // MARK: Purging

    /// Purges what every program has read. A program that has read nothing for a week is not waited for.
    func purge(in context: NSManagedObjectContext) throws {
        let weekAgo = Date(timeIntervalSinceNow: -7 * 24 * 3600)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        // A file that is being written has another name.
        let places = files.filter { $0.pathExtension == "json" }
        let dates = try places.map { try JSONDecoder().decode(Place.self, from: Data(contentsOf: $0)).date }
        guard let slowest = dates.min() else { return }
        try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: max(slowest, weekAgo)))
    }

    // MARK: The file

    /// Where a program stopped.
    private struct Place: Codable {
        let archive: Data
        /// The time of the last transaction that was read.
        let date: Date

        func token() throws -> NSPersistentHistoryToken? {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: archive)
        }
    }

    private var file: URL { folder.appending(path: author + ".json") }

    private func place() throws -> Place? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try JSONDecoder().decode(Place.self, from: Data(contentsOf: file))
    }

    private func keep(_ token: NSPersistentHistoryToken, _ date: Date) throws {
        let archive = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        try JSONEncoder().encode(Place(archive: archive, date: date)).write(to: file, options: .atomic)
    }
}
