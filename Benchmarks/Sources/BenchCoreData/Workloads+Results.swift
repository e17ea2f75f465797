import CBench
import CoreData

extension Workloads {
    /// What a results controller takes to tell of one change, among 100,000 objects in 500 sections: players are
    /// inserted, renamed, moved to another section and deleted, each change processed and told by itself.
    ///
    /// The time is that of all changes; `n` says how many they are, and the check sum how many were told.
    func resultsChange<Teller: ChangeTeller>(_ teller: Teller) throws -> Measurement {
        bench_remove_db(work)
        bench_copy_file(base, work)
        var result = Measurement()
        try withContext(work) { context in
            try spread(in: context)
            let controller = Player.controller(in: context)
            controller.delegate = teller
            try controller.performFetch()
            // The first change finds out what the delegate implements.
            try change(1, in: context, controller)
            teller.count = 0
            try result.time { result in
                for number in 1...Self.changes {
                    try change(number, in: context, controller)
                    result.n += 1
                }
                return controller
            }
            result.check = Int64(teller.count)
        }
        return result
    }

    private static let changes = 1000

    /// Gives every player one of 500 ages, which make the sections.
    private func spread(in context: NSManagedObjectContext) throws {
        for (index, player) in try context.fetch(Player.all).enumerated() { player.age = Int16(index % 500) }
        try context.save()
    }

    private func change(
        _ number: Int, in context: NSManagedObjectContext, _ controller: NSFetchedResultsController<Player>
    ) throws {
        let section = number &* 7919 % 500
        let player = controller.object(at: IndexPath(item: number % 100, section: section))
        switch number % 4 {
        case 0: player.lastName = "Renamed \(number)"
        case 1: player.age = Int16((section + 250) % 500)
        case 2: context.delete(player)
        default:
            let new = Player(context: context)
            new.age = Int16(section)
            new.lastName = "New \(number)"
        }
        context.processPendingChanges()
    }
}

extension Player {
    fileprivate static func controller(in context: NSManagedObjectContext) -> NSFetchedResultsController<Player> {
        let request = all
        request.sortDescriptors = [
            NSSortDescriptor(key: "age", ascending: true), NSSortDescriptor(key: "lastName", ascending: true),
        ]
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "age", cacheName: nil)
    }
}

/// A delegate that counts what it is told.
protocol ChangeTeller: NSFetchedResultsControllerDelegate {
    var count: Int { get set }
}

final class ObjectTeller: ChangeTeller {
    var count = 0

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        count += 1
    }
}

final class SnapshotTeller: ChangeTeller {
    var count = 0

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        count += snapshot.numberOfItems > 0 ? 1 : 0
    }
}
