import CoreData
import Testing

/// The examples of the article "Relationships and fetched properties": what stands between `// snippet` and `// end` is
/// printed there as it is here.
@Suite("The guide to relationships and fetched properties")
struct RelationshipGuideTests {
    private let company: Company

    init() throws { company = try Company() }

    @Test("managers and flunkies are mixed in one relationship")
    func mixed() throws {
        try company.work { context throws in
            // snippet
            let research = Department(context: context)
            research.name = "Research"
            let ada = Manager(context: context)
            (ada.name, ada.budget) = ("Ada", 1000)
            let bob = Flunky(context: context)
            (bob.name, bob.excuse) = ("Bob", "The bus was late")
            let eve = Employee(context: context)
            eve.name = "Eve"

            ada.department = research
            research.addToEmployees(NSSet(array: [bob, eve]))

            #expect(research.employees == NSSet(array: [ada, bob, eve]))
            #expect(bob.department === research)
            try context.save()
            // end
        }
    }

    @Test("a department has no employees, or 3 to 40")
    func counts() throws {
        try company.work { context throws in
            // snippet
            let sales = Department(context: context)
            try context.save()  // none are fine: the relationship is optional

            func hire(_ count: Int) {
                for _ in 0..<count { sales.addToEmployees(Employee(context: context)) }
            }
            hire(2)
            let tooFew = #expect(throws: CocoaError.self) { try context.save() }
            #expect(tooFew?.code == .validationRelationshipLacksMinimumCount)
            hire(1)
            try context.save()
            hire(38)
            let tooMany = #expect(throws: CocoaError.self) { try context.save() }
            #expect(tooMany?.code == .validationRelationshipExceedsMaximumCount)
            // end
            #expect(tooFew?.localizedDescription.contains("Too few items") == true)
            #expect(tooMany?.localizedDescription.contains("Too many items") == true)
        }
    }

    @Test("an employee moves by one assignment, from either side")
    func moving() throws {
        try company.work { context throws in
            let (sales, research) = (Department(context: context), Department(context: context))
            let anna = Employee(context: context)
            // snippet
            anna.department = sales
            anna.department = research
            #expect(sales.employees?.count == 0 && research.employees == NSSet(object: anna))

            sales.addToEmployees(anna)
            #expect(anna.department === sales && research.employees?.count == 0)
            // end
        }
    }

    @Test("colleagues report to each other, and cousins are cousins both ways")
    func reflexive() throws {
        try company.work { context throws in
            let (ada, grace) = (Manager(context: context), Manager(context: context))
            let (ken, linus) = (Flunky(context: context), Flunky(context: context))
            // snippet
            ken.addToManagers(NSSet(array: [ada, grace]))
            ada.addToDirectReports(linus)
            #expect(ada.directReports == NSSet(array: [ken, linus]))
            #expect(grace.directReports == NSSet(object: ken))
            #expect(linus.managers == NSSet(object: ada))

            ken.addToCousins(linus)
            #expect(linus.cousins == NSSet(object: ken))
            // end
            try context.save()
            context.refresh(linus, mergeChanges: false)
            #expect(linus.cousins == NSSet(object: ken) && linus.managers == NSSet(object: ada))
        }
    }

    @Test("friends come with a ranking, and friendships end with either friend")
    func friends() throws {
        try company.work { context throws in
            let (ada, grace, barbara) = (
                Employee(context: context), Employee(context: context), Employee(context: context)
            )
            (grace.name, barbara.name) = ("Grace", "Barbara")
            // snippet
            for (place, friend) in [grace, barbara].enumerated() {
                let info = FriendInfo(context: context)
                info.source = ada
                info.friend = friend
                info.ranking = Int16(place + 1)
            }
            try context.save()
            #expect(ada.value(forKeyPath: "friends.friend") as? Set<Employee> == [grace, barbara])
            #expect(ada.value(forKeyPath: "friends.friend.name") as? Set<String> == ["Grace", "Barbara"])
            #expect(grace.value(forKeyPath: "befriendedBy.source") as? Set<Employee> == [ada])

            context.delete(grace)
            try context.save()
            #expect(ada.value(forKeyPath: "friends.friend") as? Set<Employee> == [barbara])
            // end
            let lonely = FriendInfo(context: context)
            lonely.source = ada
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code == .validationMissingMandatoryProperty && error?.validationKey == "friend")
        }
    }

    @Test("a department that a trainee knows without an inverse is deleted, and leaves a fault to nothing")
    func oneWay() throws {
        try company.work { context throws in
            // snippet
            let sales = Department(context: context)
            let tim = Trainee(context: context)
            tim.department = sales
            try context.save()

            context.delete(sales)
            try context.save()  // succeeds: Tim is unchanged, and is not validated

            let left = try #require(tim.department)
            #expect(left.isFault)
            let gone = #expect(throws: CocoaError.self) { try context.existingObject(with: left.objectID) }
            #expect(gone?.code == .managedObjectReferentialIntegrity)

            tim.department = nil  // what the rule would have had us do
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.localizedDescription == "department is a required value.")
            // end
        }
    }

    @Test("a fetched property finds authors by what the object and the property's user info say")
    func fetchedProperty() throws {
        try company.work { context throws in
            var universities: [String: University] = [:]
            for name in ["Cambridge", "Durham"] {
                universities[name] = University(context: context)
                universities[name]?.name = name
            }
            for (name, university, color) in [
                ("Ada", "Cambridge", "green"), ("Grace", "Cambridge", "red"), ("Linus", "Durham", "Green"),
            ] {
                let author = Author(context: context)
                (author.name, author.university, author.favoriteColor) = (name, universities[university], color)
            }
            // snippet
            let reader = Author(context: context)
            reader.searchTerm = "Cambridge"
            try context.save()
            #expect(reader.kindred?.map(\.name) == ["Ada"])

            reader.searchTerm = "Durham"
            #expect(reader.kindred?.map(\.name) == ["Ada"])  // kept until the object is refreshed
            try context.save()
            context.refresh(reader, mergeChanges: true)
            #expect(reader.kindred?.map(\.name) == ["Linus"])
            // end
        }
    }

    @Test("a relationship can't join two stores, and a fetched property reaches over")
    func stores() throws {
        try company.work(stores: 2) { context throws in
            let stores = try #require(context.persistentStoreCoordinator).persistentStores
            // snippet
            let university = University(context: context)
            university.name = "Cambridge"
            let (reader, author) = (Author(context: context), Author(context: context))
            (author.university, author.favoriteColor) = (university, "Green")
            reader.searchTerm = "Cambridge"
            context.assign(reader, to: stores[0])
            context.assign(author, to: stores[1])
            context.assign(university, to: stores[1])
            try context.save()
            #expect(reader.kindred == [author])

            reader.university = university
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code == .managedObjectExternalRelationship)
            // end
        }
    }
}
