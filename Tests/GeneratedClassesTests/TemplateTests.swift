import CoreData
import Testing

@Suite("Functions for fetch request templates, and key constants")
struct TemplateTests {
    @Test("A template's request is typed, and takes its variables as typed arguments")
    func variables() throws {
        let kitchen = try Kitchen()
        let dessert = kitchen.dessert("Crumble")
        (dessert.minutes, dessert.rating) = (20, 4)
        let apple = Ingredient(context: kitchen.context)
        apple.name = "Apple"
        dessert.addToIngredients(apple)
        try kitchen.context.save()
        func found(_ minutes: Int, _ rating: Double, _ prefix: String, _ names: [String]) throws -> [Dish] {
            let request = Dish.fetchRequestForQuickAndGood(
                maxMinutes: minutes, rating: rating, prefix: prefix, names: names)
            return try kitchen.context.fetch(request)
        }
        #expect(try found(30, 3.5, "cru", ["Apple", "Pear"]) == [dessert])
        #expect(try found(20, 3.5, "cru", ["Apple"]).isEmpty)
        #expect(try found(30, 4.5, "cru", ["Apple"]).isEmpty)
        #expect(try found(30, 3.5, "x", ["Apple"]).isEmpty)
        #expect(try found(30, 3.5, "cru", ["Pear"]).isEmpty)
    }

    @Test("Objects are arguments, too, and what has no known type takes anything")
    func objects() throws {
        let kitchen = try Kitchen()
        let dessert = kitchen.dessert("Crumble")
        let chef = try #require(dessert.chef)
        try kitchen.context.save()
        #expect(try kitchen.context.fetch(Dish.fetchRequestForOfChef(chef: chef, count: 0)) == [dessert])
        #expect(try kitchen.context.fetch(Dish.fetchRequestForOfChef(chef: chef, count: 1)).isEmpty)
    }

    @Test("A template for object IDs gives object IDs")
    func objectIDs() throws {
        let kitchen = try Kitchen()
        let step = kitchen.step("Stir")
        try kitchen.context.save()
        #expect(try kitchen.context.fetch(Step.fetchRequestForAllSteps()) == [step.objectID])
    }

    @Test("Key constants are the properties' names")
    func keys() throws {
        let kitchen = try Kitchen()
        let step = kitchen.step("Stir")
        #expect(step.value(forKey: Step.ModelKey.text) as? String == "Stir")
        #expect(Dish.ModelKey.default == "default" && Dessert.ModelKey.sugar == "sugar")
    }
}
