import CoreData
import Testing

@Suite("Programs that people learn Core Data with")
struct ProgramTests {
    let folder = Folder()
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }

    init() throws {
        container = NSPersistentContainer(name: "Tutorials")
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: folder.url.appendingPathComponent("Tutorials.sqlite"))
        ]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    @Test("people are inserted, listed, sorted by age and first name, and the last one is deleted")
    func people() throws {
        try context.performAndWait { () throws in
            let program = PeopleProgram(managedObjectContext: context)
            #expect(program.readAllPersons() == [])
            #expect(program.createNewPerson(firstName: "Richard", lastName: "Branson", age: 61))
            #expect(program.createNewPerson(firstName: "Anthony", lastName: "Robbins", age: 51))
            #expect(try program.sortedPersons().map(\.age) == [51, 61])
            #expect(try program.deleteLastPerson())
            #expect(program.readAllPersons() == ["Person 1 Richard Branson 61"])
        }
    }

    @Test("a missing name fails the save, and the error says which")
    func missingName() throws {
        try context.performAndWait { () throws in
            let person = Person(context: context)
            person.firstName = "Anthony"
            let error = try #require(throws: CocoaError.self) { try context.save() }
            #expect(error.code == .validationMissingMandatoryProperty && error.validationKey == "lastName")
        }
    }

    @Test("of a thousand persons 101 are found in the background, and shown by their IDs")
    func backgroundFetch() async throws {
        let program = BackgroundFetchProgram(managedObjectContext: context)
        try context.performAndWait { try program.populateDatabase() }
        let ids = await withCheckedContinuation { continuation in
            program.fetchPersons { continuation.resume(returning: $0) }
        }
        #expect(ids.count == 101)
        context.performAndWait {
            let persons = program.processPersons(ids)
            #expect(persons.allSatisfy { $0.managedObjectContext === context })
            #expect(Set(persons.map(\.age)) == Set(100...200))
        }
    }

    @Test("a list of persons hears of a person that is added elsewhere and saved, and of one that is deleted")
    func peopleList() throws {
        try context.performAndWait { () throws in
            let program = PeopleProgram(managedObjectContext: context)
            program.createNewPerson(firstName: "Richard", lastName: "Branson", age: 61)
            let list = PeopleListViewController(managedObjectContext: context)
            list.viewDidLoad()
            #expect(list.numberOfRowsInSection(0) == 1)
            program.createNewPerson(firstName: "Anthony", lastName: "Robbins", age: 51)
            #expect(list.updates == ["begin updates", "insert row 0", "end updates"])
            #expect(list.cellForRow(at: IndexPath(row: 0, section: 0)) == "Anthony Robbins, 51")
            list.updates = []
            try list.deleteRow(at: IndexPath(row: 1, section: 0))
            #expect(list.updates == ["begin updates", "delete row 1", "end updates"])
            #expect(list.numberOfRowsInSection(0) == 1)
        }
    }

    @Test("an address book has sections by a property that the class computes, as snapshots")
    func addressBook() throws {
        try context.performAndWait { () throws in
            let program = PeopleProgram(managedObjectContext: context)
            program.createNewPerson(firstName: "Richard", lastName: "Branson", age: 61)
            program.createNewPerson(firstName: "Anthony", lastName: "Robbins", age: 51)
            let book = try AddressBook(context: context)
            #expect(book.titles == ["B", "R"] && book.snapshot.sectionIdentifiers == ["B", "R"])
            program.createNewPerson(firstName: "Richard", lastName: "Baker", age: 12)
            #expect(book.snapshot.numberOfItems(inSection: "B") == 2)
            try book.narrow(to: "Anthony")
            #expect(book.snapshot.sectionIdentifiers == ["R"] && book.snapshot.numberOfItems == 1)
        }
    }

    @Test("a laptop is found by its colour")
    func laptops() throws {
        try context.performAndWait { () throws in
            let program = LaptopProgram(managedObjectContext: context)
            try program.saveRedLaptop()
            context.reset()
            let found = try program.findRedLaptops()
            #expect(found.map(\.model) == ["model name"] && found.first?.color == Color.red)
        }
    }

    @Test("employees and their manager: set from either side, found by fetch")
    func oneToMany() throws {
        try context.performAndWait { () throws in
            let program = StaffProgram(managedObjectContext: context)
            let manager = try program.fillOneToMany()
            #expect(manager.employees?.count == 3)
            let employees = manager.employees?.allObjects as? [Employee] ?? []
            #expect(employees.allSatisfy { $0.manager === manager })
            #expect(try program.findEmployees(of: manager).map(\.firstName) == ["Ada", "Anthony", "Richard"])
            manager.removeFromEmployees(NSSet(array: employees))
            try context.save()
            #expect(try program.findEmployees(of: manager) == [])
        }
    }

    @Test("workers and their bosses: both ends have sets")
    func manyToMany() throws {
        try context.performAndWait { () throws in
            let program = StaffProgram(managedObjectContext: context)
            let (first, second, worker) = try program.fillManyToMany()
            #expect(first.workers == NSSet(object: worker) && second.workers == NSSet(object: worker))
            worker.removeFromBosses(first)
            #expect(first.workers?.count == 0 && worker.bosses == NSSet(object: second))
        }
    }

    @Test("a fetched property finds players by their name, and the template GreenTeams the Celtics")
    func fetchedProperties() throws {
        try context.performAndWait { () throws in
            let celtics = Team(context: context)
            (celtics.name, celtics.uniformColor) = ("Boston Celtics", "Green")
            Team(context: context).uniformColor = "Red"
            for (first, last) in [("Dwyane", "Wade"), ("Tyson", "Warner"), ("Larry", "Bird")] {
                let player = Player(context: context)
                (player.firstName, player.lastName) = (first, last)
                celtics.addToPlayers(player)
            }
            try context.save()
            let found = celtics.value(forKey: "wPlayers") as? [Player] ?? []
            #expect(Set(found.map(\.lastName)) == ["Wade", "Warner"])
            let model = container.managedObjectModel
            let template = try #require(model.fetchRequestTemplate(forName: "GreenTeams"))
            let teams = try context.fetch(template) as? [Team]
            #expect(teams == [celtics])
            let bound = try #require(
                model.fetchRequestFromTemplate(withName: "TeamsOfColor", substitutionVariables: ["COLOR": "Red"]))
            #expect(try context.fetch(bound).count == 1)
        }
    }

    @Test("the variables of a fetched property are its object and its description")
    func fetchSource() throws {
        try context.performAndWait { () throws in
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
            let reader = Author(context: context)
            reader.searchTerm = "cambridge"
            try context.save()
            func found() -> [String?] { (reader.value(forKey: "authorsThere") as? [Author])?.map(\.name) ?? [] }
            #expect(found() == ["Ada"])
            reader.searchTerm = "Durham"
            try context.save()
            context.refresh(reader, mergeChanges: true)
            #expect(found() == ["Linus"])
        }
    }

    @Test("a protocol finds, makes and counts objects of the class that conforms")
    func helpers() async throws {
        context.performAndWait {
            let wanted = NSPredicate(format: "lastName == %@", "Bird")
            let made = Person.findOrCreate(in: context, matching: wanted) {
                ($0.firstName, $0.lastName) = ("Larry", "Bird")
            }
            #expect(Person.findOrCreate(in: context, matching: wanted) { _ in Issue.record("made twice") } === made)
            #expect(context.saveOrRollback())
            #expect(Person.count(in: context) == 1)
            #expect(Person.fetch(in: context) { $0.predicate = wanted } == [made])
            #expect(Person.sortedFetchRequest(with: wanted).sortDescriptors?.first?.key == "lastName")
        }
    }

    @Test("books are decoded into a context that the decoder's user info holds, and encoded")
    func codable() throws {
        try context.performAndWait { () throws in
            let decoder = JSONDecoder()
            decoder.userInfo[CodingUserInfoKey.managedObjectContext] = context
            let json = #"[{"title":"Core Data","pages":300},{"title":"Swift"}]"#
            let books = try decoder.decode([Book].self, from: Data(json.utf8))
            #expect(books.map(\.pages) == [300, 0] && context.insertedObjects.count == 2)
            try context.save()
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let text = try String(decoding: encoder.encode(books[0]), as: UTF8.self)
            #expect(text == #"{"pages":300,"title":"Core Data"}"#)
            #expect(throws: DecoderConfigurationError.self) {
                _ = try JSONDecoder().decode(Book.self, from: Data(#"{"title":"x"}"#.utf8))
            }
        }
    }
}
