import FoundationGaps
import Testing

@Suite("Values inside AnyHashable, Any and optionals are compared as what they are")
struct ErasedValueTests {
    /// The numbers 2 and 5, as collections may hold them.
    private static let numbers: [(name: String, make: @Sendable () -> Any)] = [
        ("NSNumber in AnyHashable", { Set<AnyHashable>([NSNumber(value: 2), NSNumber(value: 5)]) }),
        ("Int in AnyHashable", { Set<AnyHashable>([2, 5]) }),
        ("a decimal in AnyHashable", { Set<AnyHashable>([Decimal(2), Decimal(5)]) }),
        ("an array of AnyHashable", { [AnyHashable(NSNumber(value: 2)), AnyHashable(Int16(5))] }),
        ("AnyHashable in Any", { [AnyHashable(NSNumber(value: 2)) as Any, 5 as Any] }),
        ("Any in Any", { ([AnyHashable(NSNumber(value: 2)), 5 as Int8] as [Any]).map { $0 as Any as Any } }),
        ("optionals", { [Optional(AnyHashable(NSNumber(value: 2))), Optional(AnyHashable(5))] }),
        ("an optional of an optional", { [Optional(Optional(2)) as Any, Optional(NSNumber(value: 5)) as Any] }),
        ("values of a dictionary", { ["a": AnyHashable(NSNumber(value: 2)), "b": AnyHashable(5)] }),
        ("NSSet", { NSSet(array: [AnyHashable(2), NSNumber(value: 5)]) }),
        ("NSOrderedSet", { NSOrderedSet(array: [2, AnyHashable(NSNumber(value: 5))]) }),
        ("a slice", { [AnyHashable(0), AnyHashable(NSNumber(value: 2)), AnyHashable(5)].dropFirst() }),
    ]

    private static let truths: [(format: String, holds: Bool)] = [
        ("ANY values > 3", true), ("ANY values > 5", false), ("ALL values > 1", true), ("ALL values > 2", false),
        ("NONE values > 5", true), ("ANY values == 2", true), ("ANY values IN {5, 9}", true),
        ("ANY values BETWEEN {3, 6}", true), ("5 IN values", true), ("3 IN values", false),
        ("values CONTAINS 2", true), ("values CONTAINS 3", false), ("values.@count == 2", true),
        ("values.@sum.self == 7", true), ("values.@max.self == 5", true), ("values.@min.self < 3", true),
        ("values.@avg.self == 3.5", true), ("sum(values) == 7", true), ("max(values) == 5", true),
        ("average(values) > 3", true), ("SUBQUERY(values, $v, $v > 3).@count == 1", true),
        ("SUBQUERY(values, $v, $v IN {2}).@count == 1", true), ("values INTERSECT {2} != {}", true),
        ("one == 2", true), ("one < 3", true), ("one IN {1, 2}", true), ("one + 1 == 3", true),
    ]

    @Test("collections of erased numbers", arguments: numbers.indices)
    func collections(index: Int) {
        let (name, make) = Self.numbers[index]
        let record: [String: Any] = ["values": make(), "one": AnyHashable(NSNumber(value: 2))]
        // Dictionaries have no collection operators but their count.
        let truths =
            name == "values of a dictionary" ? Self.truths.filter { !$0.format.contains(".self") } : Self.truths
        for (format, holds) in truths {
            #expect(NSPredicate(format: format).evaluate(with: record) == holds, "\(name): \(format)")
        }
    }

    @Test("dictionaries are equal by their keys and values, whatever they are made of")
    func dictionaries() {
        let equal: [Any] = [
            ["a": 1, "b": 2], ["a": AnyHashable(1), "b": AnyHashable(NSNumber(value: 2))],
            ["a": 1, "b": 2] as [AnyHashable: Any],
            NSDictionary(dictionary: ["b": 2, "a": 1]), ["a": Optional(1), "b": 2],
        ]
        for left in equal {
            for right in equal { #expect(ValueComparison.isEqual(left, right), "\(left) and \(right)") }
            for other in [["a": 1], ["a": 1, "b": 3], ["a": 1, "c": 2], [1, 2]] as [Any] {
                #expect(!ValueComparison.isEqual(left, other), "\(left) and \(other)")
            }
        }
    }

    @Test("objects in a Set<AnyHashable> have their keys")
    func objects() {
        let players = [SamplePlayer("Ann", born: 1990, rating: 2), SamplePlayer("Bob", born: 2000, rating: 5)]
        for collection in [Set<AnyHashable>(players), players.map { AnyHashable($0) as Any }] as [Any] {
            let team: [String: Any] = ["players": collection]
            for (format, holds) in [
                ("ANY players.rating > 3", true), ("ALL players.rating > 3", false), ("ANY players.born == 2000", true),
                ("SUBQUERY(players, $p, $p.born > 1995 AND $p.name == 'Bob').@count == 1", true),
                ("players.@sum.rating == 7", true), ("players.@max.born == 2000", true), ("%@ IN players", true),
                ("ANY players.name IN {'Bob'}", true), ("'Bob' IN players.@distinctUnionOfObjects.name", true),
            ] {
                let predicate = NSPredicate(format: format, argumentArray: [players[1]])
                #expect(predicate.evaluate(with: team) == holds, "\(format)")
            }
        }
    }

    @Test("key paths into sets give sets of numbers that compare")
    func keyPathsIntoSets() {
        let team = SampleTeam("Heat", [SamplePlayer("Ann", rating: 2), SamplePlayer("Bob", rating: 5)])
        for path in ["players", "fans", "roster"] {
            #expect(NSPredicate(format: "ANY \(path).rating > 3").evaluate(with: team), "\(path)")
            #expect(NSPredicate(format: "max(\(path).rating) == 5").evaluate(with: team), "\(path)")
            #expect(NSPredicate(format: "5 IN \(path).rating").evaluate(with: team), "\(path)")
        }
    }
}
