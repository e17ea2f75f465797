import CoreData

/// A list of persons as a table view controller shows it; what a table would do is written down.
class PeopleListViewController: NSObject, NSFetchedResultsControllerDelegate {
    let managedObjectContext: NSManagedObjectContext
    var updates = [String]()

    init(managedObjectContext: NSManagedObjectContext) {
        self.managedObjectContext = managedObjectContext
    }

    lazy var fetchedResultsController: NSFetchedResultsController<NSFetchRequestResult> = {
        let fetchRequest = NSFetchRequest<NSFetchRequestResult>(entityName: "Person")
        let ageSort = NSSortDescriptor(key: "age", ascending: true)
        let firstNameSort = NSSortDescriptor(key: "firstName", ascending: true)
        fetchRequest.sortDescriptors = [ageSort, firstNameSort]
        let frc = NSFetchedResultsController(
            fetchRequest: fetchRequest, managedObjectContext: managedObjectContext, sectionNameKeyPath: nil,
            cacheName: nil)
        frc.delegate = self
        return frc
    }()

    func viewDidLoad() {
        do {
            try fetchedResultsController.performFetch()
        } catch let error as NSError {
            print("Could not fetch \(error), \(error.userInfo)")
        }
    }

    // MARK: A table's data source

    func numberOfRowsInSection(_ section: Int) -> Int {
        let sectionInfo = fetchedResultsController.sections![section]
        return sectionInfo.numberOfObjects
    }

    func cellForRow(at indexPath: IndexPath) -> String {
        let person = fetchedResultsController.object(at: indexPath) as! Person
        return "\(person.firstName!) \(person.lastName!), \(person.age)"
    }

    func deleteRow(at indexPath: IndexPath) throws {
        let personToDelete = fetchedResultsController.object(at: indexPath) as! Person
        managedObjectContext.delete(personToDelete)
        if personToDelete.isDeleted { try managedObjectContext.save() }
    }

    // MARK: NSFetchedResultsControllerDelegate

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        updates.append("begin updates")
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        switch type {
        case .insert:
            updates.append("insert row \(newIndexPath!.row)")
        case .delete:
            updates.append("delete row \(indexPath!.row)")
        case .update:
            updates.append("reload row \(indexPath!.row)")
        case .move:
            updates.append("move row \(indexPath!.row) to \(newIndexPath!.row)")
        @unknown default:
            fatalError("Unexpected NSFetchedResultsChangeType")
        }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        updates.append("end updates")
    }
}

extension Person {
    /// What an address book has at its side.
    var lastNameInitial: String { String(lastName?.prefix(1) ?? "") }
}

/// The same list in sections, the way of later years.
final class AddressBook: NSFetchedResultsControllerDelegate {
    private let controller: NSFetchedResultsController<Person>
    private(set) var snapshot = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>()

    init(context: NSManagedObjectContext) throws {
        let request = Person.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(keyPath: \Person.lastName, ascending: true),
            NSSortDescriptor(keyPath: \Person.firstName, ascending: true),
        ]
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context,
            sectionNameKeyPath: "lastNameInitial", cacheName: nil)
        controller.delegate = self
        try controller.performFetch()
    }

    var titles: [String] { controller.sectionIndexTitles }

    func narrow(to firstName: String) throws {
        controller.fetchRequest.predicate = NSPredicate(format: "firstName == %@", firstName)
        try controller.performFetch()
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        self.snapshot = snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>
    }
}
