import FoundationGaps
import Testing

@Suite struct KeyValueSettingTests {
    @Test func aValueIsSetAtTheEndOfAPath() {
        let team = sampleTeam()
        let owner: [String: Any] = ["team": team]
        setValue("Lakers", of: owner, forKeyPath: "team.name")
        #expect(team.name == "Lakers")
        setValue("Nets", of: owner, forKeyPath: "other.name")
        #expect(team.name == "Lakers")
    }

    @Test func nilForAPropertyWithoutNilGoesToSetNilValueForKey() {
        let team = sampleTeam()
        team.setValue(nil, forKey: "name")
        #expect(team.name == "unnamed")
    }

    @Test func severalValuesAreReadAndSetByADictionary() {
        let team = sampleTeam()
        let values = team.dictionaryWithValues(forKeys: ["name", "mascot"])
        #expect(values["name"] as? String == "Celtics")
        #expect(values["mascot"] is NSNull)
        team.mascot = "Lucky"
        team.setValuesForKeys(["name": "Nets", "mascot": NSNull()])
        #expect(team.name == "Nets")
        #expect(team.mascot == nil)
    }

    @Test func aCollectionPassesAValueToItsMembers() {
        let team = sampleTeam()
        NSArray(array: team.players).setValue("Same", forKey: "name")
        #expect(team.players.map(\.name) == ["Same", "Same", "Same"])
        team.setValue("Other", forKeyPath: "fans.name")
        #expect(NSSet(array: team.players).value(forKey: "name") as? Set<String> == ["Other"])
        #expect(NSOrderedSet(array: team.players).value(forKey: "@count") as? Int == 3)
    }

    @Test func aMutableDictionaryTakesValuesAndLosesThemWithNil() {
        let dictionary = NSMutableDictionary()
        dictionary.setValue(5, forKey: "a")
        #expect(dictionary.value(forKeyPath: "a") as? Int64 == 5)
        dictionary.setValue(nil, forKey: "a")
        #expect(dictionary.count == 0)
    }

    @Test func aDictionaryKeepsTheNullsThatItHas() throws {
        let inner: NSDictionary = ["none": NSNull(), "one": 1]
        let outer: NSDictionary = ["none": NSNull(), "inner": inner, "swift": ["none": NSNull()] as [String: Any]]
        for path in ["none", "inner.none", "swift.none"] {
            #expect(outer.value(forKeyPath: path) is NSNull, "\(path)")
        }
        #expect(outer.value(forKeyPath: "missing") == nil && outer.value(forKeyPath: "inner.missing") == nil)
        #expect(outer.value(forKeyPath: "none.further") == nil)
        let all = [inner, ["one": 2] as NSDictionary]
        #expect(NSArray(array: all).value(forKeyPath: "none") as? [NSNull] == [NSNull(), NSNull()])
        #expect((NSSet(array: all).value(forKeyPath: "none") as? Set<NSNull>)?.count == 1)
        #expect((NSOrderedSet(array: all).value(forKeyPath: "none") as? NSOrderedSet)?.count == 1)
        #expect(NSArray(array: all).value(forKeyPath: "@sum.one") as? Int == 3)
        #expect((NSArray(array: all).value(forKeyPath: "@unionOfObjects.none") as? [Any])?.isEmpty == true)
        let values = outer.dictionaryWithValues(forKeys: ["none", "missing"])
        #expect(values["none"] is NSNull && values["missing"] is NSNull && values.count == 2)
    }

    @Test func collectionsSetValuesAtTheEndOfAPath() {
        let inner = NSMutableDictionary()
        let outer: NSMutableDictionary = ["inner": inner]
        outer.setValue(1, forKeyPath: "inner.a")
        outer.setValue(2, forKeyPath: "b")
        outer.setValue(3, forKeyPath: "missing.a")
        #expect(inner["a"] as? Int == 1 && outer["b"] as? Int == 2 && outer["missing"] == nil)
        outer.setValue(nil, forKeyPath: "inner.a")
        #expect(inner.count == 0)
        (["inner": inner] as NSDictionary).setValue(4, forKeyPath: "inner.c")
        NSArray(array: [outer]).setValue(5, forKeyPath: "inner.d")
        NSSet(array: [outer]).setValue(6, forKeyPath: "inner.e")
        let team = sampleTeam()
        NSOrderedSet(array: [team]).setValue("Same", forKeyPath: "players.name")
        #expect(team.players.map(\.name) == ["Same", "Same", "Same"])
        #expect(inner as? [String: Int] == ["c": 4, "d": 5, "e": 6])
        inner.setValuesForKeys(["c": NSNull(), "g": 8])
        #expect(inner["c"] == nil && inner["g"] as? Int == 8)
    }

    @Test func aMutableSetReadsAndChangesItsOwner() {
        let team = sampleTeam()
        let fans = team.mutableSetValue(forKey: "fans")
        #expect(fans.count == 3)
        let parish = SamplePlayer("Parish")
        fans.add(parish)
        #expect(team.players.contains(parish))
        fans.remove(parish)
        #expect(!team.players.contains(parish) && !fans.contains(parish))
        team.players.append(parish)
        #expect(fans.contains(parish) && fans.allObjects.count == 4)
        fans.removeAllObjects()
        #expect(team.players.isEmpty)
    }

    @Test func aMutableArrayReadsAndChangesItsOwner() {
        let team = sampleTeam()
        let roster = ["team": team] as [String: Any]
        #expect(value(of: roster, forKeyPath: "team.roster.@count") as? Int == 3)
        let array = team.mutableArrayValue(forKeyPath: "roster")
        let parish = SamplePlayer("Parish")
        array.insert(parish, at: 0)
        array.removeLastObject()
        #expect(team.players.map(\.name) == ["Parish", "Bird", "Russell"])
        array.sort(comparator: { ValueComparison.compare(($0 as! SamplePlayer).name!, ($1 as! SamplePlayer).name!)! })
        #expect(team.players.map(\.name) == ["Bird", "Parish", "Russell"])
    }
}
