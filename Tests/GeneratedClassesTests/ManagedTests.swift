import CoreData
import Testing

/// Classes with every property `@NSManaged`, with bodies by the plug-in.
@Suite("Managed classes by hand")
struct ManagedTests {
    @Test("Attributes of every type keep what is set, unsaved, saved and fetched again")
    func attributes() throws {
        let pantry = try Pantry()
        let jar = Jar(context: pantry.context)
        let opened = Date(timeIntervalSinceReferenceDate: 1000.5)
        let id = UUID()
        jar.name = "Jam"
        jar.maker = "Anna"
        jar.grams = 70_000
        jar.volume = 1 << 40
        jar.level = -3
        jar.flag = true
        (jar.float, jar.double) = (1.5, 2.25)
        jar.count = 9
        jar.number = 12
        jar.opened = opened
        jar.sealed = 2000.5
        jar.blob = Data([1, 2, 3])
        jar.id = id
        jar.link = URL(string: "https://example.org")
        jar.price = Decimal(string: "3.99")!
        jar.kind = .tin
        jar.shape = .square
        jar.label = Label("best before")
        jar.tags = ["a", "b"]
        jar.anything = 7
        func check(_ jar: Jar) {
            #expect(jar.name == "Jam" && jar.maker == "Anna")
            #expect(jar.grams == 70_000 && jar.volume == 1 << 40 && jar.level == -3)
            #expect(jar.flag && jar.float == 1.5 && jar.double == 2.25)
            #expect(jar.count == 9 && jar.number == 12)
            #expect(jar.opened == opened && jar.sealed == 2000.5)
            #expect(jar.blob == Data([1, 2, 3]) && jar.id == id && jar.link?.absoluteString == "https://example.org")
            #expect(jar.price == Decimal(string: "3.99"))
            #expect(jar.kind == .tin && jar.shape == .square)
            #expect(jar.label?.text == "best before" && jar.tags == ["a", "b"])
        }
        check(jar)
        #expect(jar.anything as? Int == 7)
        try pantry.reload()
        check(try pantry.only(Jar.self, "Jar"))
    }

    @Test("What was never set is nil, zero, empty, or the first case")
    func empty() throws {
        let pantry = try Pantry()
        let jar = Jar(context: pantry.context)
        #expect(jar.name == "" && jar.maker == nil && jar.grams == 0 && jar.count == nil && jar.number == nil)
        #expect(jar.blob == Data() && jar.id == nil && jar.kind == .glass && jar.shape == nil && jar.label == nil)
        #expect(jar.brand == nil && jar.spare == nil && jar.anything == nil)
        jar.count = 0
        #expect(jar.count == 0)
        jar.count = nil
        #expect(jar.count == nil)
    }

    @Test("Relationships: ordered with all functions, as a Swift set, and as Xcode 7 wrote them")
    func relationships() throws {
        let pantry = try Pantry()
        let shelf = Shelf(context: pantry.context)
        let jars = "abcde".map { name in
            let jar = Jar(context: pantry.context)
            jar.name = String(name)
            return jar
        }
        func order() -> String { (shelf.jars?.array ?? []).compactMap { ($0 as? Jar)?.name }.joined() }
        shelf.addToJars(jars[0])
        shelf.addToJars(NSOrderedSet(array: [jars[1], jars[2]]))
        #expect(order() == "abc")
        shelf.insertIntoJars(jars[3], at: 0)
        #expect(order() == "dabc")
        shelf.removeFromJars(at: 1)
        #expect(order() == "dbc")
        shelf.insertIntoJars([jars[0], jars[4]], at: NSIndexSet(indexesIn: NSRange(location: 1, length: 2)))
        #expect(order() == "daebc")
        shelf.removeFromJars(at: NSIndexSet(index: 2))
        shelf.removeFromJars(jars[0])
        #expect(order() == "dbc")
        shelf.replaceJars(at: 0, with: jars[4])
        #expect(order() == "ebc")
        shelf.replaceJars(at: NSIndexSet(index: 1), with: [jars[3]])
        #expect(order() == "edc")
        shelf.removeFromJars(NSOrderedSet(array: [jars[4]]))
        #expect(order() == "dc")

        shelf.park(jars[0])
        shelf.spares.insert(jars[1])
        #expect(shelf.spares == [jars[0], jars[1]] && jars[1].spare === shelf)
        shelf.removeFromSpares([jars[0]])
        #expect(shelf.spares == [jars[1]] && jars[0].spare == nil)

        let brand = Brand(context: pantry.context)
        brand.addJarsObject(value: jars[0])
        brand.addJars(value: [jars[1], jars[2]])
        brand.removeJarsObject(value: jars[1])
        #expect(brand.jars.count == 2 && jars[2].brand === brand)
    }

    @Test("A fetched property is an array of the class")
    func fetchedProperty() throws {
        let pantry = try Pantry()
        let shelf = Shelf(context: pantry.context)
        let jars = [Jar(context: pantry.context), Jar(context: pantry.context)]
        jars.forEach { shelf.addToJars($0) }
        try pantry.context.save()
        #expect(Set(try #require(jars[0].neighbours)) == Set(jars))
    }

    @Test("A primitive declaration reads and sets the modelled value without a notice")
    func primitives() throws {
        let pantry = try Pantry()
        let jar = Jar(context: pantry.context)
        jar.loudMaker = "anna"
        #expect(jar.maker == "anna" && jar.loudMaker == "ANNA")
        try pantry.reload()
        #expect(try pantry.only(Jar.self, "Jar").maker == "anna")
    }

    @Test("Custom accessors over primitive declarations of relationships keep the inverse")
    func primitiveRelationships() throws {
        let pantry = try Pantry()
        let (brand, jar, other) = (Brand(context: pantry.context), pantry.jar("plums"), pantry.jar("pears"))
        jar.ownBrand = brand
        #expect(brand.jars == NSSet(object: jar))
        brand.ownJars = [other]
        #expect(jar.brand == nil && other.brand === brand && brand.ownJars == [other])
        try pantry.reload()
        #expect(try pantry.only(Brand.self, "Brand").ownJars.map(\.name) == ["pears"])
    }

    @Test("To-many relationships are arrays where the class says so, in order where they are ordered")
    func arrays() throws {
        let pantry = try Pantry()
        let (shelf, jars) = (Shelf(context: pantry.context), ["plums", "pears", "figs"].map(pantry.jar))
        for jar in jars { ["shelf", "spare"].forEach { jar.setValue(shelf, forKey: $0) } }
        #expect(shelf.primitiveJars == jars && Set(shelf.primitiveSpares) == Set(jars))
        #expect(shelf.primitiveSpares.count == 3)
    }

    @Test("Nil by key-value coding for a number that is not optional asks setNilValueForKey")
    func nilNumbers() throws {
        let pantry = try Pantry()
        let jar = pantry.jar("plums")
        for key in ["grams", "volume", "level", "flag", "double", "sealed", "openings"] {
            jar.setValue(nil, forKey: key)
        }
        #expect(jar.refusedKeys == ["grams", "volume", "level", "flag", "double", "sealed", "openings"])
        for key in ["count", "number", "maker", "name", "opened", "price", "brand", "shape"] {
            jar.setValue(nil, forKey: key)
        }
        #expect(jar.refusedKeys.count == 7 && jar.value(forKey: "count") == nil)
    }

    @Test("A subclass has its parent's properties; nested and renamed classes are found by the model's names")
    func classes() throws {
        let pantry = try Pantry()
        let pickles = PickleJar(context: pantry.context)
        pickles.acid = 4.5
        pickles.name = "Gherkins"
        #expect(pickles.value(forKey: "acid") as? Double == 4.5)
        #expect(pickles.value(forKey: "name") as? String == "Gherkins")
        let secret = NSEntityDescription.insertNewObject(forEntityName: "Secret", into: pantry.context)
        let found = try #require(secret as? Hideout.Secret)
        found.plainWord = "xyzzy"
        #expect(found.value(forKey: "word") as? String == "xyzzy")
        #expect(NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: pantry.context) is Shelf)
    }

    @Test("Key paths over managed properties have names")
    func keyPaths() {
        #expect(NSSortDescriptor(keyPath: \Jar.name, ascending: true).key == "name")
        #expect(NSSortDescriptor(keyPath: \Jar.brand?.name, ascending: true).key == "brand.name")
        #expect(NSSortDescriptor(keyPath: \PickleJar.grams, ascending: true).key == "grams")
        #expect(NSSortDescriptor(keyPath: \Jar.opened, ascending: true).key == "opened")
    }
}
