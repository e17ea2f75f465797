import CoreData

// The company's objects, read and written by key: no classes are generated for a model made in code.

extension NSManagedObjectContext {
    func employee(_ name: String, in department: NSManagedObject? = nil) -> NSManagedObject {
        let employee = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: self)
        employee.setValue(name, forKey: "name")
        employee.setValue(department, forKey: "department")
        return employee
    }

    func department(_ name: String) -> NSManagedObject {
        let department = NSEntityDescription.insertNewObject(forEntityName: "Department", into: self)
        department.setValue(name, forKey: "name")
        return department
    }

    /// A saved department with some employees.
    func department(with count: Int) throws -> NSManagedObject {
        let department = department("Research")
        for number in 0..<count { _ = employee("Employee \(number + 1)", in: department) }
        try save()
        return department
    }

    func employees() throws -> [NSManagedObject] {
        try fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee"))
    }
}

extension NSManagedObject {
    /// The names of the objects that a to-many relationship holds, sorted.
    func names(of key: String) -> [String] {
        (value(forKeyPath: "\(key).name") as? NSSet)?.allObjects.compactMap { $0 as? String }.sorted() ?? []
    }
}
