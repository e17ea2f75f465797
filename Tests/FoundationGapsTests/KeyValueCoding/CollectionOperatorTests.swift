import FoundationGaps
import Testing

@Suite struct CollectionOperatorTests {
    private func result(_ path: String) -> Any? { value(of: sampleTeam(), forKeyPath: path) }

    @Test func countIgnoresWhatFollows() {
        #expect(result("players.@count") as? Int == 3)
        #expect(result("fans.@count.name") as? Int == 3)
        #expect(NSArray(array: [1, 2]).value(forKey: "@count") as? Int == 2)
    }

    @Test func sumsAndMeansCountNilAsZero() {
        #expect(result("players.@sum.born") as? Int == 1956 + 1934 + 1956)
        #expect(result("roster.@avg.rating") as? Double == (24.3 + 15.1) / 3)
        #expect(value(of: [Int](), forKeyPath: "@sum.self") as? Int == 0)
        #expect(value(of: [Int](), forKeyPath: "@avg.self") as? Int == 0)
        #expect(value(of: [1, 2], forKeyPath: "@avg.self") as? Double == 1.5)
    }

    @Test func sumsOverDecimalsStayDecimal() {
        #expect(result("roster.@sum.salary") as? NSDecimalNumber == NSDecimalNumber(string: "7.17"))
        let mean = value(of: [Decimal(string: "0.1")!, Decimal(string: "0.2")!], forKeyPath: "@avg.self")
        #expect(mean as? Decimal == Decimal(string: "0.15"))
    }

    @Test func anIntegerSumBeyondSixtyFourBitsBecomesFloatingPoint() {
        let sum = value(of: [Int64.max, Int64.max], forKeyPath: "@sum.self") as? Double
        #expect(sum == 2 * Double(Int64.max))
    }

    @Test func extremesSkipNilAndAreNilForNothing() {
        #expect(result("roster.@max.name") as? String == "Russell")
        #expect(result("roster.@min.salary") as? Decimal == Decimal(string: "0.1"))
        #expect(value(of: [Int](), forKeyPath: "@max.self") == nil)
        #expect(value(of: [2, 2.5] as [Any], forKeyPath: "@max.self") as? Double == 2.5)
    }

    @Test func unionsOfObjectsKeepOrDropDuplicates() {
        #expect(result("roster.@unionOfObjects.born") as? [Int] == [1956, 1934, 1956])
        #expect(result("roster.@distinctUnionOfObjects.born") as? [Int] == [1956, 1934])
        #expect(result("fans.@distinctUnionOfObjects.born") as? Set<Int> == [1956, 1934])
        #expect(result("roster.@unionOfObjects.name") as? [String] == ["Bird", "Russell"])
    }

    @Test func unionsOfCollectionsReachIntoTheMembersOfMembers() {
        let teams = [sampleTeam(), SampleTeam("Nets", [SamplePlayer("Kidd", born: 1973)])]
        let rosters = teams.map(\.players)
        #expect(value(of: rosters, forKeyPath: "@unionOfArrays.born") as? [Int] == [1956, 1934, 1956, 1973])
        #expect(value(of: rosters, forKeyPath: "@distinctUnionOfArrays.born") as? [Int] == [1956, 1934, 1973])
        let sets = Set(teams.map { Set($0.players) })
        #expect(
            value(of: sets, forKeyPath: "@distinctUnionOfSets.name") as? Set<String> == ["Bird", "Russell", "Kidd"])
        #expect(value(of: sets, forKeyPath: "@unionOfSets.born") as? Set<Int> == [1956, 1934, 1973])
    }

    @Test func unionsOfCollectionsReachFromObjectsIntoTheirCollections() {
        let teams = [sampleTeam(), SampleTeam("Nets", [SamplePlayer("Kidd", born: 1973)])]
        let united = value(of: teams, forKeyPath: "@unionOfArrays.players") as? [SamplePlayer]
        #expect(united?.map(\.name) == teams.flatMap(\.players).map(\.name))
    }

    @Test func anOperatorsOperandMayHoldAnOperator() {
        let teams = [sampleTeam(), SampleTeam("Nets", [SamplePlayer("Kidd")])]
        #expect(value(of: teams, forKeyPath: "@sum.players.@count") as? Int == 4)
        #expect(value(of: teams, forKeyPath: "@max.players.@max.born") as? Int == 1990)
    }

    @Test func operatorsHaveCocoasNames() {
        #expect(NSKeyValueOperator.averageKeyValueOperator.rawValue == "avg")
        #expect(NSKeyValueOperator(rawValue: "count") == .countKeyValueOperator)
    }
}
