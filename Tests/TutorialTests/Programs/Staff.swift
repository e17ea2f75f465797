import CoreData

/// Employees and managers, one to many and many to many, with the functions that Xcode generates.
class StaffProgram {
    let managedObjectContext: NSManagedObjectContext

    init(managedObjectContext: NSManagedObjectContext) {
        self.managedObjectContext = managedObjectContext
    }

    func createNewManager(firstName: String, lastName: String, age: Int32) -> Manager {
        let manager = Manager(entity: Manager.entity(), insertInto: managedObjectContext)
        (manager.firstName, manager.lastName, manager.age) = (firstName, lastName, age)
        return manager
    }

    func createNewEmployee(firstName: String, lastName: String, age: Int32) -> Employee {
        let employee =
            NSEntityDescription.insertNewObject(
                forEntityName: NSStringFromClass(Employee.classForCoder()).components(separatedBy: ".").last!,
                into: managedObjectContext) as! Employee
        (employee.firstName, employee.lastName, employee.age) = (firstName, lastName, age)
        return employee
    }

    func fillOneToMany() throws -> Manager {
        let manager = createNewManager(firstName: "John", lastName: "Smith", age: 52)
        let first = createNewEmployee(firstName: "Richard", lastName: "Branson", age: 61)
        let second = createNewEmployee(firstName: "Anthony", lastName: "Robbins", age: 51)
        let third = createNewEmployee(firstName: "Ada", lastName: "Lovelace", age: 36)
        first.manager = manager
        manager.addToEmployees(second)
        manager.addToEmployees(NSSet(array: [third]))
        try managedObjectContext.save()
        return manager
    }

    func findEmployees(of manager: Manager) throws -> [Employee] {
        let request: NSFetchRequest<Employee> = Employee.fetchRequest()
        request.predicate = NSPredicate(format: "%K == %@", "manager", manager)
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        return try managedObjectContext.fetch(request)
    }

    func fillManyToMany() throws -> (Boss, Boss, Worker) {
        let (first, second) = (Boss(context: managedObjectContext), Boss(context: managedObjectContext))
        let worker = Worker(context: managedObjectContext)
        first.firstName = "Grace"
        second.firstName = "Barbara"
        worker.addToBosses(NSSet(array: [first, second]))
        try managedObjectContext.save()
        return (first, second, worker)
    }
}
