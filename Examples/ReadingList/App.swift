import CoreData

/// The app: it shows the list, and what other programs do to it while it is shown.
@MainActor final class App: NSObject, @MainActor NSFetchedResultsControllerDelegate {
    private let container: NSPersistentContainer
    private let reader: HistoryReader
    private let list: NSFetchedResultsController<Link>
    private var observer: (any NSObjectProtocol)?
    private var context: NSManagedObjectContext { container.viewContext }

    init(_ folder: URL) throws {
        container = try SharedStore.open(in: folder, author: "app")
        reader = try HistoryReader(author: "app", in: folder)
        let request = NSFetchRequest<Link>(entityName: "Link")
        request.sortDescriptors = [
            NSSortDescriptor(key: "addedAt", ascending: true), NSSortDescriptor(key: "address", ascending: true),
        ]
        list = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: container.viewContext, sectionNameKeyPath: nil, cacheName: nil)
        super.init()
        list.delegate = self
    }

    /// Shows the list until the user ends the app.
    func run() throws -> Never {
        // First the notification: what is saved while the list is fetched is read afterwards.
        observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator, queue: nil
        ) { [self] _ in
            Task { @MainActor in attempt { try readHistory() } }
        }
        try list.performFetch()
        for link in list.fetchedObjects ?? [] { say(line("•", link)) }
        try readHistory()
        say("Ready")
        Thread.detachNewThread { [self] in
            while let command = readLine() {
                DispatchQueue.main.sync { MainActor.assumeIsolated { attempt { try obey(command) } } }
            }
            exit(0)
        }
        while true { RunLoop.main.run() }
    }

    // MARK: What others do

    /// Merges what other programs saved. The list hears of it as of every change in its context.
    private func readHistory() throws {
        try reader.read(in: context) { news in
            switch news {
            case .transactions(let transactions):
                for transaction in transactions {
                    context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
                    tellDeletions(in: transaction)
                }
            case .unknown:
                context.refreshAllObjects()
                try list.performFetch()
                for link in list.fetchedObjects ?? [] { say(line("•", link)) }
            }
        }
    }

    /// A deleted link has no values any more; its address is kept in the history.
    private func tellDeletions(in transaction: NSPersistentHistoryTransaction) {
        for change in transaction.changes ?? [] where change.changeType == .delete {
            say("\(transaction.author ?? "somebody") removed \(change.tombstone?["address"] ?? "a link")")
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        guard let link = anObject as? Link else { return }
        switch type {
        case .insert: say(line("+", link))
        case .update, .move: say(line("~", link))
        // What others delete, the history tells with its address.
        case .delete: break
        @unknown default: break
        }
    }

    private func line(_ mark: String, _ link: Link) -> String {
        "\(mark) \(link.address ?? "") \(link.title ?? "")\(link.isRead ? " (read)" : "")"
    }

    // MARK: What the user does

    private func obey(_ command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("read", 2): try link(words[1]).isRead = true
        case ("progress", 3):
            guard let progress = Double(words[2]) else { throw Complaint("\(words[2]) is not a number") }
            try link(words[1]).progress = progress
        case ("remove", 2): context.delete(try link(words[1]))
        case ("purge", 1): try reader.purge(in: context)
        case ("quit", 1): exit(0)
        default: throw Complaint("read ADDRESS, progress ADDRESS 0.5, remove ADDRESS, purge or quit")
        }
        if context.hasChanges { try context.save() }
        say("Done: \(command)")
    }

    private func link(_ address: String) throws -> Link {
        guard let link = try Link.find(address, in: context) else { throw Complaint("\(address) is not in the list") }
        return link
    }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch {
            context.rollback()
            say("! \(error.localizedDescription)")
        }
    }
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
