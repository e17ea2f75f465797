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
