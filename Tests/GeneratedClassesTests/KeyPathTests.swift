import CoreData
import Testing

@Suite("Swift key paths of managed objects")
struct KeyPathTests {
    private func name<Root, Value>(_ keyPath: KeyPath<Root, Value>) -> String? {
        NSSortDescriptor(keyPath: keyPath, ascending: true).key
    }

    @Test("a key path to an attribute of any type has the attribute's name")
    func attributes() {
        #expect(name(\Dish.name) == "name")
        #expect(name(\Dish.class) == "class")
        #expect(name(\Dish.calories) == "calories")
        #expect(name(\Dish.minutes) == "minutes")
        #expect(name(\Dish.servings) == "servings")
        #expect(name(\Dish.rating) == "rating")
        #expect(name(\Dessert.sugar) == "sugar")
        #expect(name(\Dish.default) == "default")
        #expect(name(\Dish.created) == "created")
        #expect(name(\Dish.lastCooked) == "lastCooked")
        #expect(name(\Dish.id) == "id")
        #expect(name(\Dish.link) == "link")
        #expect(name(\Dish.picture) == "picture")
        #expect(name(\Dish.price) == "price")
        #expect(name(\Dish.keys) == "keys")
        #expect(name(\Dish.tags) == "tags")
        #expect(name(\Dish.taste) == "taste")
        #expect(name(\Dish.place) == "place")
        #expect(name(\Dish.temporary) == "temporary")
    }

    @Test("inherited properties, unwrapped values and steps across to-one relationships have their names")
    func paths() throws {
        let kitchen = try Kitchen()
        // What accessors written by hand give is known while the model is in use.
        defer { withExtendedLifetime(kitchen) {} }
        #expect(name(\Dessert.name) == "name")
        #expect(name(\Dish.name!) == "name")
        #expect(name(\Step.dish) == "dish")
        #expect(name(\Step.dish?.name) == "dish.name")
        #expect(name(\Step.dish!.minutes) == "dish.minutes")
        #expect(name(\Dish.chef?.name) == "chef.name")
        #expect(name(\Step.dish?.chef?.name) == "dish.chef.name")
        #expect(name((\Step.dish).appending(path: \.?.name)) == "dish.name")
        #expect(name(\Dish.objectID) == "objectID")
        #expect(name(\Step.dish?.objectID) == "dish.objectID")
        #expect(name(\Dish.self) == "self")
    }

    @Test("to-many relationships and fetched properties have their names")
    func members() throws {
        #expect(name(\Dish.ingredients) == "ingredients")
        #expect(name(\Dish.steps) == "steps")
        #expect(name(\Dish.quickDishes) == "quickDishes")
        let kitchen = try Kitchen()
        defer { withExtendedLifetime(kitchen) {} }
        #expect(name(\Ingredient.dishes) == "dishes")
        #expect(name(\Dish.ingredientSet) == "ingredients")
    }

    @Test("properties that compute something of their own have no name")
    func computations() throws {
        let kitchen = try Kitchen()
        defer { withExtendedLifetime(kitchen) {} }
        #expect(name(\Dish.label) == nil)
        #expect(name(\Dish.initial) == nil)
        #expect(name(\Dish.trimmed) == nil)
        #expect(name(\Dish.isPlain) == nil)
        #expect(name(\Dish.positiveMinutes) == nil)
        #expect(name(\Dish.vegan) == nil)
        #expect(name(\Dish.name?.count) == nil)
        #expect(name(\Dish.tags?.count) == nil)
        #expect(name(\Dish.ingredients?.count) == nil)
        #expect(name(\Dish.chef?.dishCount) == nil)
        #expect(name(\Dish.hasChanges) == nil)
        #expect(name(\Dish.entity) == nil)
    }

    @Test("asking for names leaves no trace in a context, and values are read as before")
    func noTrace() throws {
        let kitchen = try Kitchen()
        let dessert = kitchen.dessert("Crumble")
        try kitchen.context.save()
        #expect(name(\Dessert.name) == "name")
        #expect(dessert.name == "Crumble")
        #expect(dessert.lastCooked == nil && dessert.keys == 0 && dessert.tags == nil)
        #expect(!kitchen.context.hasChanges)
    }

    @Test("a fetch is sorted by key paths, across relationships too")
    func sorting() throws {
        let kitchen = try Kitchen()
        for (dish, chef) in [("Crumble", "Zoe"), ("Sorbet", "Adam"), ("Parfait", "Adam")] {
            kitchen.dessert(dish).chef?.name = chef
        }
        try kitchen.context.save()
        let request: NSFetchRequest<Dessert> = Dessert.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(keyPath: \Dessert.chef?.name, ascending: true),
            NSSortDescriptor(keyPath: \Dessert.name, ascending: false),
        ]
        #expect(try kitchen.context.fetch(request).map(\.name) == ["Sorbet", "Parfait", "Crumble"])
        request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\Dessert.name, order: .reverse))]
        #expect(try kitchen.context.fetch(request).map(\.name) == ["Sorbet", "Parfait", "Crumble"])
    }

    @Test("expressions and Swift's predicates are understood by the store")
    func predicates() throws {
        let kitchen = try Kitchen()
        for (name, minutes) in [("Crumble", 40), ("Sorbet", 5), ("Parfait", 20)] as [(String, Int16)] {
            let dessert = kitchen.dessert(name)
            dessert.minutes = minutes
            dessert.chef?.name = "Chef of \(name)"
        }
        try kitchen.context.save()
        func names(_ predicate: NSPredicate?) throws -> [String?] {
            let request: NSFetchRequest<Dish> = Dish.fetchRequest()
            let known: NSPredicate = try #require(predicate)
            request.predicate = known
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Dish.name, ascending: true)]
            return try kitchen.context.fetch(request).map(\.name)
        }
        #expect(NSExpression(forKeyPath: \Dish.minutes).keyPath == "minutes")
        #expect(try names(NSPredicate(#Predicate<Dish> { $0.minutes < 30 })) == ["Parfait", "Sorbet"])
        #expect(try names(NSPredicate(#Predicate<Dish> { $0.chef?.name == "Chef of Sorbet" })) == ["Sorbet"])
        let long = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: \Dish.minutes),
            rightExpression: NSExpression(forConstantValue: 10),
            modifier: .direct, type: .greaterThan)
        #expect(try names(long) == ["Crumble", "Parfait"])
    }
}

extension Dish {
    fileprivate var label: String { "\(name ?? "") \(self.class ?? "")" }
    fileprivate var initial: String { String((name ?? "").prefix(1)) }
    fileprivate var trimmed: String? { name?.trimmingCharacters(in: .whitespaces) }
    fileprivate var isPlain: Bool { !self.default }
    fileprivate var positiveMinutes: Int16 { abs(minutes) }
    fileprivate var vegan: [Ingredient] {
        (ingredients as? Set<Ingredient> ?? []).filter { $0.name?.hasPrefix("Vegan") ?? false }
    }
    fileprivate var ingredientSet: Set<Ingredient> { ingredients as? Set<Ingredient> ?? [] }
}

extension Chef {
    fileprivate var dishCount: Int { (value(forKey: "dishes") as? NSSet)?.count ?? 0 }
}
