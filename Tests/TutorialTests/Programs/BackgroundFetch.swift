import CoreData

/// A thousand persons, looked for in the background, shown elsewhere: only their IDs cross over.
class BackgroundFetchProgram {
    let persistentStoreCoordinator: NSPersistentStoreCoordinator
    let managedObjectContext: NSManagedObjectContext

    init(managedObjectContext: NSManagedObjectContext) {
        self.managedObjectContext = managedObjectContext
        persistentStoreCoordinator = managedObjectContext.persistentStoreCoordinator!
    }

    func populateDatabase() throws {
        for counter in 0..<1000 {
            let person =
                NSEntityDescription.insertNewObject(forEntityName: "Person", into: managedObjectContext) as! Person
            person.firstName = "First name \(counter)"
            person.lastName = "Last name \(counter)"
            person.age = Int32(counter)
        }
        try managedObjectContext.save()
    }

    func newFetchRequest() -> NSFetchRequest<NSFetchRequestResult> {
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Person")
        request.fetchBatchSize = 20
        request.predicate = NSPredicate(format: "(age >= 100) AND (age <= 200)")
        request.resultType = .managedObjectIDResultType
        return request
    }

    func fetchPersons(_ completion: @escaping ([NSManagedObjectID]) -> Void) {
        let backgroundContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        backgroundContext.persistentStoreCoordinator = persistentStoreCoordinator
        let request = newFetchRequest()
        backgroundContext.perform {
            do {
                let personIds = try backgroundContext.fetch(request) as! [NSManagedObjectID]
                completion(personIds)
            } catch {
                print("Failed to fetch: \(error)")
            }
        }
    }

    func processPersons(_ ids: [NSManagedObjectID]) -> [Person] {
        var mutablePersons = [Person]()
        for objectId in ids {
            let person = managedObjectContext.object(with: objectId) as! Person
            mutablePersons.append(person)
        }
        return mutablePersons
    }
}
