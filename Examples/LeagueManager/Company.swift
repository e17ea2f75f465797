import CoreData

/// A company of departments and employees, with a model made in code, to show one rule at a time.
struct Company {
    var rule = NSDeleteRule.nullifyDeleteRule
    /// How many employees a department may have, if it has any.
    var size = 0...0
    /// Whether an employee must have a department.
    var departmentIsRequired = false
    /// Whether a department knows its employees.
    var hasInverse = true

    /// Opens a new store of the company in the directory.
    func open(in directory: URL) throws -> NSManagedObjectContext {
        let url = directory.appending(path: "Company-\(UUID().uuidString).sqlite")
        let container = NSPersistentContainer(name: "Company", managedObjectModel: model())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        try container.load()
        return container.viewContext
    }

    private func model() -> NSManagedObjectModel {
        let department = NSEntityDescription(named: "Department")
        let employee = NSEntityDescription(named: "Employee")
        let works = NSRelationshipDescription("department", to: department, count: 1...1)
        works.isOptional = !departmentIsRequired
        department.properties = [NSAttributeDescription("name")]
        let mood = NSAttributeDescription("mood")
        mood.isTransient = true
        employee.properties = [NSAttributeDescription("name"), mood, works]
        if hasInverse {
            let employees = NSRelationshipDescription("employees", to: employee, count: size)
            employees.deleteRule = rule
            employees.inverseRelationship = works
            works.inverseRelationship = employees
            department.properties.append(employees)
        } else {
            works.deleteRule = rule
        }
        addRelationshipsToItself(employee)
        let friendInfo = friendInfo(of: employee)
        let model = NSManagedObjectModel()
        model.entities = [department, employee, friendInfo]
        return model
    }

    /// Employees direct employees: many to many, from the entity to itself.
    private func addRelationshipsToItself(_ employee: NSEntityDescription) {
        let reports = NSRelationshipDescription("directReports", to: employee, count: 0...0)
        let managers = NSRelationshipDescription("managers", to: employee, count: 0...0)
        reports.inverseRelationship = managers
        managers.inverseRelationship = reports
        employee.properties += [reports, managers]
    }

    /// A friendship that says how good a friend is: an entity between two relationships.
    private func friendInfo(of employee: NSEntityDescription) -> NSEntityDescription {
        let info = NSEntityDescription(named: "FriendInfo")
        let ranking = NSAttributeDescription("ranking", type: .integer16AttributeType)
        info.properties = [ranking]
        for (end, many) in [("source", "friends"), ("friend", "befriendedBy")] {
            let one = NSRelationshipDescription(end, to: employee, count: 1...1)
            one.isOptional = false
            let infos = NSRelationshipDescription(many, to: info, count: 0...0)
            infos.deleteRule = .cascadeDeleteRule
            one.inverseRelationship = infos
            infos.inverseRelationship = one
            info.properties.append(one)
            employee.properties.append(infos)
        }
        return info
    }
}

// MARK: - Shorter ways to describe a model

extension NSEntityDescription {
    fileprivate convenience init(named name: String) {
        self.init()
        self.name = name
    }
}

extension NSAttributeDescription {
    fileprivate convenience init(_ name: String, type: NSAttributeType = .stringAttributeType) {
        self.init()
        self.name = name
        attributeType = type
        isOptional = true
    }
}

extension NSRelationshipDescription {
    /// A count of 0...0 is any number.
    fileprivate convenience init(_ name: String, to destination: NSEntityDescription, count: ClosedRange<Int>) {
        self.init()
        self.name = name
        destinationEntity = destination
        minCount = count.upperBound == 1 ? 0 : count.lowerBound
        maxCount = count.upperBound
        isOptional = true
    }
}
