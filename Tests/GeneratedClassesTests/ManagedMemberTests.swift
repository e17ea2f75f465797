import CoreData
import Testing

/// Properties that the model does not know, found by their keys.
@Suite("Members of managed classes")
struct ManagedMemberTests {
    @Test("Key-value coding reads and sets computed and stored properties")
    func keyValueCoding() throws {
        let pantry = try Pantry()
        let jar = pantry.jar("jam")
        #expect(jar.value(forKey: "sectionTitle") as? String == "J")
        jar.setValue(3, forKey: "openings")
        #expect(jar.openings == 3 && jar.value(forKey: "openings") as? Int == 3)
        jar.setValue("Anna", forKey: "nickname")
        #expect(jar.value(forKeyPath: "nickname") as? String == "Anna's jam")
        jar.setValue(nil, forKey: "nickname")
        #expect(jar.value(forKey: "nickname") == nil && jar.maker == nil)
        #expect(jar.value(forKey: "secret") as? Int == 42)
    }

    @Test("A property with a wrapper without a setter can be read, one with a setter can be set")
    func wrapped() throws {
        let pantry = try Pantry()
        let jar = pantry.jar("jam")
        #expect(jar.value(forKey: "fixed") as? Int == 7)
        jar.setValue(9, forKey: "counted")
        #expect(jar.value(forKey: "counted") as? Int == 9 && jar.counted == 9)
    }

    @Test("An excluded file that imports Foundation alone is compiled, with CoreData's expressions and predicates")
    func foundationAlone() {
        #expect(Sweetness().doubled().description == "3 + 3")
        let predicate = Sweetness().not(NSPredicate(format: "a == 1"))
        #expect(predicate.description == "NOT a == 1" && predicate == NSPredicate(format: "NOT a == 1"))
    }

    @Test("Classes are found by the names that the model gives them, and by their full names")
    func classLookup() throws {
        let pantry = try Pantry()
        let entities = try #require(pantry.context.persistentStoreCoordinator).managedObjectModel.entitiesByName
        for entity in entities.values {
            let type = NSClassFromString(entity.managedObjectClassName) as? NSManagedObject.Type
            let object = NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: pantry.context)
            #expect(type.map { ObjectIdentifier($0) } == ObjectIdentifier(Swift.type(of: object)), "\(entity)")
        }
        #expect(NSClassFromString("PantryShelf") == Shelf.self && Sweetness.type(named: "Jar") == Jar.self)
        #expect(NSClassFromString("GeneratedClassesTests.Jar") == Jar.self)
        #expect(NSClassFromString("NSManagedObject") == NSManagedObject.self && NSClassFromString("") == nil)
        #expect(NSClassFromString("NSString") == NSString.self && NSClassFromString("Nothing") == nil)
    }

    @Test("A subclass's property hides its parent's")
    func overridden() throws {
        let pantry = try Pantry()
        let pickles = PickleJar(context: pantry.context)
        #expect(pickles.value(forKey: "sectionTitle") as? String == "pickles")
    }

    @Test("Predicates and sort descriptors in memory reach them")
    func predicates() throws {
        let pantry = try Pantry()
        let jars = ["jam", "honey", "juice"].map { name in
            let jar = Jar(context: pantry.context)
            jar.name = name
            return jar
        }
        let found = (jars as NSArray).filtered(using: NSPredicate(format: "sectionTitle == %@", "J"))
        #expect(Set(found.compactMap { ($0 as? Jar)?.name }) == ["jam", "juice"])
        let sorted = (jars as NSArray).sortedArray(using: [
            NSSortDescriptor(key: "sectionTitle", ascending: true), NSSortDescriptor(key: "name", ascending: false),
        ])
        #expect(sorted.compactMap { ($0 as? Jar)?.name } == ["honey", "juice", "jam"])
    }

    @Test("A property that Objective-C would see stands in for the modelled one of its name, any other does not")
    func customAccessor() throws {
        let pantry = try Pantry()
        let shelf = Shelf(context: pantry.context)
        shelf.setValue("top shelf", forKey: "title")
        #expect(shelf.value(forKey: "title") as? String == "Top Shelf")
        #expect(shelf.primitiveValue(forKey: "title") as? String == "top shelf")
        #expect(shelf.value(forKey: "heading") as? String == "Top Shelf!")
        #expect(NSPredicate(format: "title == 'Top Shelf'").evaluate(with: shelf))
        #expect(Shelf.order.key == "title")
        // An accessor that goes through key-value coding itself must not be called by it: Chef's does.
        let kitchen = try Kitchen()
        let chef = Chef(context: kitchen.context)
        chef.name = "Ada"
        #expect(chef.value(forKey: "name") as? String == "Ada")
    }

    @Test("validateName(_:) checks and replaces at save, after the model's own rules")
    func validation() throws {
        let pantry = try Pantry()
        let jar = Jar(context: pantry.context)
        jar.name = "  jam "
        try pantry.context.save()
        #expect(jar.name == "jam")
        jar.name = "mud"
        #expect(throws: CocoaError.self) { try pantry.context.save() }
        var value = "  tea" as AnyObject?
        try jar.validateValue(&value, forKey: "name")
        #expect(value as? String == "tea")
    }

    @Test("A property between #if and #endif is there where its condition holds")
    func conditions() throws {
        #if DEBUG
            let pantry = try Pantry()
            #expect(pantry.jar("jam").value(forKey: "debugTitle") as? String == "debug jam")
        #endif
    }
}
