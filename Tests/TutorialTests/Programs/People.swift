import CoreData

/// Insert, fetch, delete and sort, as a cookbook's view controller does it.
class PeopleProgram {
    let managedObjectContext: NSManagedObjectContext

    init(managedObjectContext: NSManagedObjectContext) {
        self.managedObjectContext = managedObjectContext
    }

    @discardableResult
    func createNewPerson(firstName: String, lastName: String, age: Int32) -> Bool {
        let newPerson =
            NSEntityDescription.insertNewObject(forEntityName: "Person", into: managedObjectContext) as! Person
        newPerson.firstName = firstName
        newPerson.lastName = lastName
        newPerson.age = age
        do {
            try managedObjectContext.save()
            return true
        } catch let error as NSError {
            print("Failed to save the new person. Error = \(error)")
        }
        return false
    }

    func readAllPersons() -> [String] {
        let fetchRequest = NSFetchRequest<NSFetchRequestResult>(entityName: "Person")
        var lines = [String]()
        do {
            let persons = try managedObjectContext.fetch(fetchRequest) as! [Person]
            if persons.count > 0 {
                var counter = 1
                for person in persons {
                    lines.append("Person \(counter) \(person.firstName ?? "") \(person.lastName ?? "") \(person.age)")
                    counter += 1
                }
            }
        } catch let error as NSError {
            print(error)
        }
        return lines
    }

    func deleteLastPerson() throws -> Bool {
        let fetchRequest: NSFetchRequest<Person> = Person.fetchRequest()
        let persons = try managedObjectContext.fetch(fetchRequest)
        guard let lastPerson = persons.last else { return false }
        managedObjectContext.delete(lastPerson)
        let wasMarked = lastPerson.isDeleted
        try managedObjectContext.save()
        return wasMarked
    }

    func sortedPersons() throws -> [Person] {
        let fetchRequest = NSFetchRequest<Person>(entityName: "Person")
        let ageSort = NSSortDescriptor(key: "age", ascending: true)
        let firstNameSort = NSSortDescriptor(key: "firstName", ascending: true)
        fetchRequest.sortDescriptors = [ageSort, firstNameSort]
        return try managedObjectContext.fetch(fetchRequest)
    }
}
