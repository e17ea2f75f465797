import CBench
import CoreData

/// A model of twenty entities, from nothing to a first object: what an app waits for when it starts.
extension Workloads {
    func open() throws -> Measurement {
        var result = Measurement()
        result.n = 1
        try result.time { result in
            let container = try container(at: base)
            let request = NSFetchRequest<Club>(entityName: "Club")
            request.fetchLimit = 1
            let club = try container.viewContext.fetch(request)[0]
            result.check = Int64(club.name!.utf8.count)
            return (container, club)
        }
        return result
    }

    /// Makes the store that is opened.
    func prepareOpening() throws {
        bench_remove_db(base)
        let container = try container(at: base)
        let club = Club(context: container.viewContext)
        club.name = "Anchor Town"
        try container.viewContext.save()
        for store in container.persistentStoreCoordinator.persistentStores {
            try container.persistentStoreCoordinator.remove(store)
        }
    }

    private func container(at path: String) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Club")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: path))]
        container.loadPersistentStores { _, failure in
            if let failure { fail("\(failure)") }
        }
        return container
    }
}
