import FoundationGaps
import Testing

@Suite struct KeyPathTests {
    @Test func aConformingObjectIsAskedForItsKeys() {
        let team = sampleTeam()
        #expect(team.value(forKeyPath: "name") as? String == "Celtics")
        #expect(team.value(forKey: "mascot") == nil)
    }

    @Test func storedPropertiesAreFoundByReflectionThroughSuperclasses() {
        let player = SamplePlayer("Bird", born: 1956, salary: 7.07)
        #expect(player.value(forKey: "born") as? Int == 1956)
        #expect(player.value(forKey: "name") as? String == "Bird")
        #expect(player.value(forKey: "active") as? Bool == true)
        #expect(SamplePlayer(nil).value(forKey: "name") == nil)
    }

    @Test func numbersCastAsOnApplesSystems() throws {
        let player = SamplePlayer("Bird", born: 1956, salary: 7.07, rating: 24.5)
        let born = try #require(player.value(forKey: "born"))
        #expect(born as? Int == 1956)
        #expect(born as? Int64 == 1956)
        #expect(born as? Int16 == 1956)
        #expect(born as? Double == 1956)
        #expect(born as? NSNumber == 1956)
        #expect(player.value(forKey: "salary") as? NSDecimalNumber == NSDecimalNumber(string: "7.07"))
        #expect(player.value(forKey: "salary") as? Decimal == Decimal(string: "7.07"))
        #expect(player.value(forKey: "rating") as? Double == 24.5)
        #expect(player.value(forKey: "isActive") as? Bool == true)
    }

    @Test func structsAreReadByTheirStoredProperties() {
        let city = SampleCity(name: "Boston", population: 675_647)
        #expect(value(of: city, forKeyPath: "location.latitude") as? Double == 42.36)
        #expect(value(of: city, forKeyPath: "population") as? Int == 675_647)
        #expect(value(of: city, forKeyPath: "mayor") == nil)
        #expect(value(of: city, forKeyPath: "mayor.length") == nil)
    }

    @Test func dictionariesAreLookedUp() {
        let swift: [String: Any] = ["a": ["b": 5], "n": NSNull()]
        #expect(value(of: swift, forKeyPath: "a.b") as? Int64 == 5)
        #expect(value(of: swift, forKeyPath: "n.b") == nil)
        #expect(value(of: swift, forKeyPath: "missing.b") == nil)
        let foundation = NSDictionary(dictionary: ["a": NSDictionary(dictionary: ["b": "x"])])
        #expect(foundation.value(forKeyPath: "a.b") as? String == "x")
        #expect(value(of: foundation, forKeyPath: "@count") as? Int == 1)
    }

    @Test func arraysMapKeysKeepingTheirLengthWithNullForNil() {
        let names = value(of: sampleTeam(), forKeyPath: "roster.name") as? [Any]
        #expect(names?.count == 3)
        #expect(names?[0] as? String == "Bird")
        #expect(names?[2] is NSNull)
        let lengths = value(of: sampleTeam(), forKeyPath: "roster.name.length") as? [Any]
        #expect(lengths?[1] as? Int == 7)
        #expect(lengths?[2] is NSNull)
    }

    @Test func setsMapKeysToSetsWithoutNil() {
        let names = value(of: sampleTeam(), forKeyPath: "fans.name")
        #expect(names as? Set<String> == ["Bird", "Russell"])
        #expect(names as? NSSet == NSSet(array: ["Bird", "Russell"]))
        #expect(value(of: sampleTeam(), forKeyPath: "fans.born") as? Set<Int> == [1956, 1934])
    }

    @Test func setsOfDecimalsCanBeMade() {
        let salaries = value(of: sampleTeam(), forKeyPath: "fans.salary")
        #expect(salaries as? Set<Decimal> == [Decimal(string: "7.07")!, Decimal(string: "0.1")!])
        #expect((salaries as? NSSet)?.count == 2)
    }

    @Test func orderedSetsMapKeysToOrderedSets() {
        let born = value(of: sampleTeam(), forKeyPath: "players.born") as? NSOrderedSet
        #expect(born?.array as? [Int] == [1956, 1934])
    }

    @Test func objectsWithoutHashAreMembersOfAMappedSetOnce() {
        final class Owner {}
        struct Pet: Hashable {
            let id: Int, owner: Owner
            static func == (lhs: Pet, rhs: Pet) -> Bool { lhs.id == rhs.id }
            func hash(into hasher: inout Hasher) { hasher.combine(id) }
        }
        let owner = Owner()
        let pets: Set<Pet> = [Pet(id: 1, owner: owner), Pet(id: 2, owner: owner)]
        let owners = value(of: pets, forKeyPath: "owner") as? NSSet
        #expect(owners?.count == 1)
        #expect(owners?.anyObject() as? Owner === owner)
    }

    @Test func selfIsTheObject() {
        let team = sampleTeam()
        #expect(value(of: team, forKeyPath: "self") as? SampleTeam === team)
        #expect(value(of: team, forKeyPath: "SELF.name") as? String == "Celtics")
        #expect(value(of: [3, 1, 2], forKeyPath: "@max.self") as? Int == 3)
    }

    @Test func foundationValuesHaveTheirWellKnownKeys() {
        #expect(value(of: "naïve", forKeyPath: "length") as? Int == 5)
        #expect(value(of: URL(string: "https://swift.org/a.html")!, forKeyPath: "host") as? String == "swift.org")
        #expect(value(of: Date(timeIntervalSince1970: 5), forKeyPath: "timeIntervalSince1970") as? Double == 5)
        #expect(value(of: 5, forKeyPath: "description") as? String == "5")
    }

    @Test func nilGivesNil() {
        #expect(value(of: nil, forKeyPath: "a.b") == nil)
        #expect(value(of: NSNull(), forKeyPath: "a.b") == nil)
        #expect(value(of: Optional<SampleCity>.none as Any, forKeyPath: "name") == nil)
        #expect(value(of: Optional(SampleCity(name: "Boston")) as Any, forKeyPath: "name") as? String == "Boston")
    }

    @Test func aPathSplitBeforeGivesTheSame() {
        let keys = keyPathComponents("roster.@sum.rating")
        #expect(keys == ["roster", "@sum", "rating"])
        #expect(value(of: sampleTeam(), forKeys: keys[...]) as? Double == 24.3 + 15.1)
    }

    @Test func anUnknownKeyTrapsNamingTypeAndKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = value(of: SampleCity(name: "Boston"), forKeyPath: "nmae")
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("NSUnknownKeyException: SampleCity has no value for the key \"nmae\""))
    }

    @Test func settingAStructTrapsWithTheWayOut() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            setValue("x", of: SampleCity(name: "Boston"), forKeyPath: "name")
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Let the type be a class that conforms to KeyValueCoding."))
    }
}
