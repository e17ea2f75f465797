import ArgumentParser
import CoreData
import StoreBrowsing

/// `coredata delete STORE ENTITY --where P`: objects, and what delete rules take with them.
struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete the objects that a predicate is true for.",
        discussion: """
            The store changes in one transaction. The model's delete rules count: Cascade deletes related objects, too, \
            Nullify takes the objects out of relationships, Deny refuses the deletion. --dry-run says by entity how many \
            objects would go; it works on a copy.

            Without --yes the command asks first, and refuses where there is no terminal. A store with history records \
            the deletions, with the author "coredata". All objects: --where TRUEPREDICATE.

            EXAMPLES
              coredata delete League.sqlite Player --where 'age > 40' --dry-run
              coredata delete League.sqlite Team --where 'players.@count == 0' --yes
            """)

    @OptionGroup var target: StoreTarget

    @Argument(help: "The entity.")
    var entity: String

    @Option(name: .customLong("where"), help: "Which objects are deleted.")
    var predicate: String

    @OptionGroup var options: ChangeOptions

    func run() throws {
        let place = try target.look()
        _ = try place.entity(named: entity)
        let predicate = try QuerySession.predicate(predicate)
        let verb = ChangeOptions.Verb(past: "Deleted", future: "This deletes", conditional: "Would delete")
        try options.carryOut(verb, in: place) { store in
            let fetch = NSFetchRequest<NSManagedObjectID>(entityName: entity)
            (fetch.predicate, fetch.resultType) = (predicate, .managedObjectIDResultType)
            return try store.perform { context in
                let found = try context.count(for: fetch)
                let request = NSBatchDeleteRequest(fetchRequest: fetch)
                request.resultType = .resultTypeObjectIDs
                let result = try context.execute(request) as? NSBatchDeleteResult
                return ChangeReport(of: result?.result as? [NSManagedObjectID] ?? [], found: found)
            }
        }
    }
}
