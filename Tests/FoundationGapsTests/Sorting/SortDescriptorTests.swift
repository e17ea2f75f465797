import Foundation
import FoundationGaps
import Testing

@Suite struct SortDescriptorTests {
    private let people: [[String: Any]] = [
        ["name": "bird", "age": 33, "height": 2.06], ["name": "Russell", "age": 35],
        ["name": "Ainge", "age": 33, "height": 1.93], ["age": 40, "height": Double.nan],
    ]

    private func names(_ descriptors: NSSortDescriptor...) -> [String] {
        NSArray(array: people).sortedArray(using: descriptors).map { ($0 as? [String: Any])?["name"] as? String ?? "-" }
    }

    @Test func aKeyIsReadByKeyValueCodingAndNilSortsFirst() {
        #expect(names(NSSortDescriptor(key: "name", ascending: true)) == ["-", "Ainge", "Russell", "bird"])
        #expect(names(NSSortDescriptor(key: "name", ascending: false)) == ["bird", "Russell", "Ainge", "-"])
    }

    @Test func laterDescriptorsDecideAmongEquals() {
        let byAge = NSSortDescriptor(key: "age", ascending: false)
        let byName = NSSortDescriptor(key: "name", ascending: true)
        #expect(names(byAge, byName) == ["-", "Russell", "Ainge", "bird"])
    }

    @Test func aNaNSortsFirstLikeAMissingNumber() {
        let heights = people.compactMap { $0["height"] }
        let sorted = NSArray(array: heights).sortedArray(using: [NSSortDescriptor(key: nil, ascending: true)])
        #expect((sorted[0] as? Double)?.isNaN == true)
        #expect(sorted[1] as? Double == 1.93 && sorted[2] as? Double == 2.06)
    }

    @Test func keysMayBePaths() {
        let teams = [SampleTeam("b", [SamplePlayer("x")]), SampleTeam("a"), SampleTeam("c", [])]
        let byCount = NSSortDescriptor(key: "players.@count", ascending: false)
        let sorted = NSArray(array: teams).sortedArray(using: [byCount, NSSortDescriptor(key: "name", ascending: true)])
        #expect(sorted.compactMap { ($0 as? SampleTeam)?.name } == ["b", "a", "c"])
    }

    @Test(arguments: [
        (Selector.compare, ["B", "a10", "a2", "é"]), (.caseInsensitiveCompare, ["a10", "a2", "B", "é"]),
        (.localizedStandardCompare, ["a2", "a10", "B", "é"]), (.localizedCompare, ["a10", "a2", "B", "é"]),
        (.localizedCaseInsensitiveCompare, ["a10", "a2", "B", "é"]),
    ])
    func namedComparisonsSortStrings(_ selector: Selector, _ wanted: [String]) {
        let descriptor = NSSortDescriptor(key: nil, ascending: true, selector: selector)
        #expect(NSArray(array: ["é", "B", "a10", "a2"]).sortedArray(using: [descriptor]) as? [String] == wanted)
        #expect(descriptor.selector == selector)
    }

    @Test func aBlockGetsTheValuesAndIsTurnedRoundForDescending() {
        let byLength: Comparator = {
            ($0 as! String).count < ($1 as! String).count ? .orderedAscending : .orderedDescending
        }
        let words = NSArray(array: ["ccc", "a", "bb"])
        let up = NSSortDescriptor(key: "self", ascending: true, comparator: byLength)
        let down = NSSortDescriptor(key: "self", ascending: false, comparator: byLength)
        #expect(words.sortedArray(using: [up]) as? [String] == ["a", "bb", "ccc"])
        #expect(words.sortedArray(using: [down]) as? [String] == ["ccc", "bb", "a"])
        #expect(up.selector == nil)
    }

    @Test func aKeyPathToOptionalValuesSorts() {
        let players = [SamplePlayer("Bird"), SamplePlayer(nil), SamplePlayer("Ainge")]
        let descriptor = NSSortDescriptor(keyPath: \SamplePlayer.name, ascending: true)
        let sorted = NSArray(array: players).sortedArray(using: [descriptor]) as? [SamplePlayer]
        #expect(sorted?.map(\.name) == [nil, "Ainge", "Bird"])
        #expect(descriptor.keyPath == \SamplePlayer.name)
    }

    @Test func aKeyPathToComparableValuesOfAnObjectKnowsItsComparison() {
        let descriptor = NSSortDescriptor(keyPath: \SamplePlayer.rating, ascending: false)
        let players = [SamplePlayer("a", rating: 1), SamplePlayer("b", rating: 2)]
        let sorted = NSArray(array: players).sortedArray(using: [descriptor]) as? [SamplePlayer]
        #expect(sorted?.map(\.name) == ["b", "a"])
        #expect(descriptor.selector == .compare)
        #expect(descriptor.key == "rating")
    }

    @Test func setsOrderedSetsAndMutableArraysSortToo() {
        let descriptor = NSSortDescriptor(key: "self", ascending: false)
        #expect(NSSet(array: [1, 3, 2]).sortedArray(using: [descriptor]) as? [Int] == [3, 2, 1])
        #expect(NSOrderedSet(array: [1, 3, 2]).sortedArray(using: [descriptor]) as? [Int] == [3, 2, 1])
        let array = NSMutableArray(array: [1, 3, 2])
        array.sort(using: [descriptor])
        #expect(array as? [Int] == [3, 2, 1])
    }

    @Test func reversingTurnsTheOrderRoundAndKeepsTheRest() throws {
        let descriptor = NSSortDescriptor(key: "name", ascending: true, selector: .localizedCompare)
        let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
        #expect(!reversed.ascending && reversed.key == "name" && reversed.selector == .localizedCompare)
        #expect(reversed.reversedSortDescriptor as? NSSortDescriptor == descriptor)
    }

    @Test func descriptorsAreEqualByKeyDirectionAndComparison() {
        let descriptor = NSSortDescriptor(key: "name", ascending: true)
        #expect(descriptor == NSSortDescriptor(key: "name", ascending: true, selector: nil))
        #expect(descriptor.hash == NSSortDescriptor(key: "name", ascending: true).hash)
        #expect(descriptor != NSSortDescriptor(key: "name", ascending: false))
        #expect(descriptor != NSSortDescriptor(key: "age", ascending: true))
        #expect(descriptor != NSSortDescriptor(key: "name", ascending: true, selector: .localizedCompare))
        #expect(descriptor.copy() as? NSSortDescriptor == descriptor)
        #expect(descriptor.description == "(name, ascending, compare:)")
    }

    @Test func comparatorComparesValues() {
        let comparator = NSSortDescriptor(key: "name", ascending: true, selector: .caseInsensitiveCompare).comparator
        #expect(comparator("a", "B") == .orderedAscending)
    }

    @Test func aSwiftSortDescriptorConvertsForthAndBack() throws {
        let descriptor = NSSortDescriptor(SortDescriptor(\SamplePlayer.rating, order: .reverse))
        #expect(!descriptor.ascending && descriptor.key == "rating")
        let players = [SamplePlayer("a", rating: 1), SamplePlayer("b", rating: 2)]
        #expect((NSArray(array: players).sortedArray(using: [descriptor]) as? [SamplePlayer])?.first?.name == "b")
        let back = try #require(SortDescriptor(descriptor, comparing: SamplePlayer.self))
        #expect(back.order == .reverse && back.keyPath == \SamplePlayer.rating)
        let optional = NSSortDescriptor(keyPath: \SamplePlayer.name, ascending: true)
        let name = try #require(SortDescriptor(optional, comparing: SamplePlayer.self))
        #expect([SamplePlayer("b"), SamplePlayer(nil)].sorted(using: name).first?.name == nil)
    }

    @Test func whatSwiftsSortDescriptorCannotHoldDoesNotConvert() {
        let byKey = NSSortDescriptor(key: "name", ascending: true)
        #expect(SortDescriptor(byKey, comparing: SamplePlayer.self) == nil)
        let byBlock = NSSortDescriptor(
            keyPath: \SamplePlayer.rating, ascending: true, comparator: { _, _ in .orderedSame })
        #expect(SortDescriptor(byBlock, comparing: SamplePlayer.self) == nil)
    }

    @Test func valuesWithoutAnOrderTrapWithTheWayOut() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSSortDescriptor(key: "self", ascending: true).compare("a", to: 1)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            message.contains("can't order a value of type String and one of type __NSCFNumber")
                || message.contains("can't order a value of type String and one of type NSNumber"))
    }

    @Test func anUnknownComparisonTrapsNamingTheKnownOnes() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSSortDescriptor(key: "self", ascending: true, selector: "weigh:").compare(1, to: 2)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Sorting knows no comparison weigh:; it knows compare:, caseInsensitiveCompare:"))
    }
}
