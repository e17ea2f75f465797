import CoreData
import Testing

@Suite("Generated attributes")
struct AttributeTests {
    @Test("A new object reads the model's defaults, and nothing where there is none")
    func defaults() throws {
        let kitchen = try Kitchen()
        let dessert = Dessert(context: kitchen.context)
        #expect(dessert.servings == 2)
        #expect(dessert.sugar == 0.5)
        #expect(dessert.calories == 0)
        #expect(dessert.keys == 0)
        #expect(dessert.price == 0)
        #expect(!dessert.default)
        #expect(dessert.name == nil)
        #expect(dessert.created == 0)
        #expect(dessert.tags == nil)
    }

    @Test("A value of every type is read back as it was written, before and after a save")
    func everyType() throws {
        let kitchen = try Kitchen()
        let dessert = kitchen.dessert("Tiramisu")
        let values = Values()
        values.write(to: dessert)
        values.expect(in: dessert)
        values.expect(in: try kitchen.reloadedDessert())
    }

    @Test("A scalar with the value nil reads 0")
    func nilScalar() throws {
        let kitchen = try Kitchen()
        let dessert = kitchen.dessert("Sorbet")
        dessert.willChangeValue(forKey: "servings")
        dessert.setPrimitiveValue(nil, forKey: "servings")
        dessert.didChangeValue(forKey: "servings")
        #expect(dessert.servings == 0)
        #expect(dessert.value(forKey: "servings") == nil)
        #expect(try kitchen.reloadedDessert().servings == 0)
    }

    @Test("Typed accessors and key-value coding see the same values")
    func keyValueCoding() throws {
        let kitchen = try Kitchen()
        let dessert = kitchen.dessert("Parfait")
        dessert.minutes = 25
        #expect(dessert.value(forKey: "minutes") as? Int == 25)
        dessert.setValue("cold", forKey: "class")
        #expect(dessert.class == "cold")
        dessert.setValue(NSDecimalNumber(string: "4.20"), forKey: "price")
        #expect(dessert.price == NSDecimalNumber(string: "4.2"))
    }
}

/// A value for each attribute of a dessert.
private struct Values {
    private let id = UUID()
    private let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    private let picture = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0) })

    func write(to dessert: Dessert) {
        dessert.calories = Int64.max
        dessert.class = "sweet – süß – 甘い"
        dessert.created = 123_456.5
        dessert.default = true
        dessert.id = id
        dessert.keys = 7
        dessert.lastCooked = date
        dessert.link = URL(string: "https://example.org/tiramisu?x=1")
        dessert.minutes = Int16.min
        dessert.picture = picture
        dessert.price = NSDecimalNumber(string: "12345.6789")
        dessert.rating = 4.5
        dessert.servings = Int32.max
        dessert.tags = ["coffee", "cocoa"]
        dessert.taste = NSString("bitter")
        dessert.about = "a dessert’s own attribute"
        dessert.sugar = 0.1
    }

    func expect(in dessert: Dessert) {
        #expect(dessert.calories == Int64.max)
        #expect(dessert.class == "sweet – süß – 甘い")
        #expect(dessert.created == 123_456.5)
        #expect(dessert.default)
        #expect(dessert.id == id)
        #expect(dessert.keys == 7)
        #expect(dessert.lastCooked == date)
        #expect(dessert.link == URL(string: "https://example.org/tiramisu?x=1"))
        #expect(dessert.minutes == Int16.min)
        #expect(dessert.name == "Tiramisu")
        #expect(dessert.picture == picture)
        #expect(dessert.price == NSDecimalNumber(string: "12345.6789"))
        #expect(dessert.rating == 4.5)
        #expect(dessert.servings == Int32.max)
        #expect(dessert.tags == ["coffee", "cocoa"])
        #expect(dessert.taste == NSString("bitter"))
        #expect(dessert.about == "a dessert’s own attribute")
        #expect(dessert.sugar == 0.1)
    }
}
