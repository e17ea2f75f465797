import CoreData
import Testing

@Suite("Generated relationships")
struct RelationshipTests {
    @Test("addTo… and removeFrom…, for one and for many, set the other side")
    func unorderedMembers() throws {
        let kitchen = try Kitchen()
        let dessert = kitchen.dessert("Crumble")
        let (apple, oats, salt) = (
            Ingredient(context: kitchen.context), Ingredient(context: kitchen.context),
            Ingredient(context: kitchen.context)
        )
        dessert.addToIngredients(apple)
        #expect(apple.dishes == NSSet(object: dessert))
        dessert.addToIngredients(NSSet(array: [oats, salt]))
        #expect(dessert.ingredients == NSSet(array: [apple, oats, salt]))
        dessert.removeFromIngredients(salt)
        #expect(salt.dishes?.count == 0)
        dessert.removeFromIngredients(NSSet(array: [apple, oats]))
        #expect(dessert.ingredients?.count == 0)
    }

    @Test("Assigning a set replaces the members")
    func assignment() throws {
        let kitchen = try Kitchen()
        let dessert = kitchen.dessert("Crumble")
        let (apple, pear) = (Ingredient(context: kitchen.context), Ingredient(context: kitchen.context))
        dessert.ingredients = NSSet(object: apple)
        dessert.ingredients = NSSet(object: pear)
        #expect(apple.dishes?.count == 0)
        #expect(pear.dishes == NSSet(object: dessert))
        dessert.ingredients = nil
        #expect(pear.dishes?.count == 0)
    }

    @Test("A to-many relationship is a Swift set where the model's user info says so, read without an NSSet")
    func typedSet() throws {
        let kitchen = try Kitchen()
        let dessert = kitchen.dessert("Crumble")
        let notes = (0..<3).map { _ in
            NSEntityDescription.insertNewObject(forEntityName: "Note", into: kitchen.context)
        }
        #expect(dessert.notes.isEmpty)
        dessert.notes = Set(notes[0...1])
        #expect(notes[0].value(forKey: "dish") as? Dessert === dessert)
        dessert.addToNotes(notes[2])
        dessert.removeFromNotes(notes[0])
        #expect(dessert.notes == Set(notes[1...2]))
        try kitchen.context.save()
        notes[0].setValue(dessert, forKey: "dish")
        #expect(dessert.notes == Set(notes))
    }

    @Test("A to-many relationship can be cast to a Swift set of its class")
    func cast() throws {
        let kitchen = try Kitchen()
        let dessert = kitchen.dessert("Crumble")
        let apple = Ingredient(context: kitchen.context)
        dessert.addToIngredients(apple)
        #expect(dessert.ingredients as? Set<Ingredient> == [apple])
        #expect(dessert.steps?.array as? [Step] == dessert.steps?.map { $0 as? Step })
    }

    @Test("A to-one relationship moves the object between its owners")
    func toOne() throws {
        let kitchen = try Kitchen()
        let (one, other) = (kitchen.dessert("One"), kitchen.dessert("Other"))
        let step = kitchen.step("Stir")
        step.dish = one
        #expect(one.steps?.contains(step) == true)
        step.dish = other
        #expect(one.steps?.contains(step) == false)
        #expect(other.steps?.lastObject as? Step == step)
    }

    @Test("Every accessor of an ordered relationship does what its name says, and the order is kept in the store")
    func orderedMembers() throws {
        let kitchen = try Kitchen()
        let dessert = kitchen.dessert("Soufflé")
        func texts(_ dessert: Dessert) -> String {
            (dessert.steps?.array ?? []).compactMap { ($0 as? Step)?.text }.joined(separator: " ")
        }
        dessert.steps = NSOrderedSet(array: ["b", "d"].map(kitchen.step))
        #expect(texts(dessert) == "b d")
        dessert.insertIntoSteps(kitchen.step("c"), at: 1)
        #expect(texts(dessert) == "b c d")
        dessert.insertIntoSteps([kitchen.step("a"), kitchen.step("e")], at: NSIndexSet(indexSet: [0, 4]))
        #expect(texts(dessert) == "a b c d e")
        dessert.replaceSteps(at: 2, with: kitchen.step("C"))
        #expect(texts(dessert) == "a b C d e")
        dessert.replaceSteps(at: NSIndexSet(indexSet: [0, 4]), with: [kitchen.step("A"), kitchen.step("E")])
        #expect(texts(dessert) == "A b C d E")
        dessert.removeFromSteps(at: 1)
        dessert.removeFromSteps(at: NSIndexSet(indexSet: [0, 2]))
        #expect(texts(dessert) == "C E")
        dessert.addToSteps(NSOrderedSet(array: ["x", "y"].map(kitchen.step)))
        dessert.addToSteps(kitchen.step("z"))
        #expect(texts(dessert) == "C E x y z")
        let first = try #require(dessert.steps?.firstObject as? Step)
        dessert.removeFromSteps(first)
        dessert.removeFromSteps(NSOrderedSet(array: [try #require(dessert.steps?.lastObject)]))
        #expect(texts(dessert) == "E x y")
        #expect(texts(try kitchen.reloadedDessert()) == "E x y")
    }

    @Test("A fetched property is an array of its class")
    func fetchedProperty() throws {
        let kitchen = try Kitchen()
        let (slow, quick) = (kitchen.dessert("Slow"), kitchen.dessert("Quick"))
        slow.minutes = 90
        quick.minutes = 5
        try kitchen.context.save()
        #expect(slow.quickDishes == [quick])
    }
}
