import CoreData
import Testing

@Suite("Classes of entities")
struct ClassTests {
    @Test(
        "Entities find their classes: generated, extended and written by hand, however the model spells the module",
        arguments: ["Dessert", "Step", "Ingredient", "Chef", "Sticker"])
    func classes(entity: String) throws {
        let kitchen = try Kitchen()
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: kitchen.context)
        #expect(String(reflecting: type(of: object)) == "GeneratedClassesTests.\(entity)")
    }

    @Test("An entity without a class is an NSManagedObject")
    func noClass() throws {
        let kitchen = try Kitchen()
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: kitchen.context)
        #expect(type(of: note) == NSManagedObject.self)
    }

    @Test("A generated class below an entity without one has that entity's accessors too")
    func classlessParent() throws {
        let kitchen = try Kitchen()
        let sticker = Sticker(context: kitchen.context)
        sticker.text = "buy milk"
        sticker.color = "yellow"
        #expect(sticker.value(forKey: "text") as? String == "buy milk")
        #expect(sticker.value(forKey: "color") as? String == "yellow")
    }

    @Test("fetchRequest() is typed, and a request of the parent yields objects of the subclass")
    func fetchRequest() throws {
        let kitchen = try Kitchen()
        let dessert = kitchen.dessert("Crumble")
        try kitchen.context.save()
        let request: NSFetchRequest<Dish> = Dish.fetchRequest()
        #expect(request.entityName == "Dish")
        #expect(try kitchen.context.fetch(request) == [dessert])
    }

    @Test("fetchRequest() needs no annotation, wherever the class stands in its hierarchy")
    func requestsWithoutAnnotation() throws {
        let kitchen = try Kitchen()
        let dessert = kitchen.dessert("Crumble")
        try kitchen.context.save()
        let request = Dessert.fetchRequest()
        request.predicate = NSPredicate(value: true)
        #expect(type(of: request) == NSFetchRequest<Dessert>.self && request.entityName == "Dessert")
        let desserts = try kitchen.context.fetch(Dessert.fetchRequest())
        #expect(desserts == [dessert])
        #expect(type(of: desserts) == [Dessert].self)
        #expect(type(of: try kitchen.context.fetch(Dish.fetchRequest())) == [Dish].self)
        #expect(try kitchen.context.count(for: Dessert.fetchRequest()) == 1)
        let untyped: NSFetchRequest<any NSFetchRequestResult> = Dessert.fetchRequest()
        #expect(untyped.entityName == "Dessert")
        let ingredients = Ingredient.fetchRequest()
        #expect(type(of: ingredients) == NSFetchRequest<Ingredient>.self)
    }

    @Test("Generated classes are Identifiable, by their id where the model has one")
    func identifiable() throws {
        let kitchen = try Kitchen()
        func id<Object: Identifiable>(_ object: Object) -> Object.ID { object.id }
        let dessert = kitchen.dessert("Crumble")
        dessert.id = UUID()
        #expect(id(dessert as Dish) == dessert.value(forKey: "id") as? UUID)
        let step = kitchen.step("Stir")
        #expect(id(step) == ObjectIdentifier(step))
    }

    @Test("A container finds the model of the target by its name")
    func containerByName() throws {
        #expect(NSPersistentContainer(name: "Kitchen").managedObjectModel.entitiesByName["Dessert"] != nil)
    }
}
