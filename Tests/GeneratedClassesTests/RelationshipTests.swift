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

    @Test("A to-one relationship moves the object between its owners")
    func toOne() throws {
        let kitchen = try Kitchen()
        let (one, other) = (kitchen.dessert("One"), kitchen.dessert("Other"))
        let step = kitchen.step("Stir")
        step.dish = one
        #expect(one.steps?.index(of: step) == 1)
        step.dish = other
        #expect(one.steps?.index(of: step) == NSNotFound)
        #expect(other.steps?.object(at: 1) as? Step == step)
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
