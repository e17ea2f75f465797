import FoundationGaps
import RandomSeeds
import Testing

@Suite("Predicates print as Apple's do, and read back")
struct PredicatePrintingTests {
    @Test("constants")
    func constants() {
        func printed(_ value: Any?) -> String { NSExpression(forConstantValue: value).description }
        #expect(printed(nil) == "nil")
        #expect(printed(NSNull()) == "nil")
        #expect(printed(true) == "1")
        #expect(printed(20) == "20")
        #expect(printed(5.0) == "5")
        #expect(printed(1.25) == "1.25")
        #expect(printed(Decimal(string: "1.10")) == "1.1")
        #expect(printed("Quote \"") == "\"Quote \\\"\"")
        #expect(printed("back\\slash") == "\"back\\\\slash\"")
        #expect(printed(Date(timeIntervalSinceReferenceDate: 694224000.5)) == "CAST(694224000.5, \"NSDate\")")
        #expect(printed([20, 21]) == "{20, 21}")
        #expect(printed(["bob", "ed"]) == "{\"bob\", \"ed\"}")
        #expect(printed([Int]()) == "{}")
        #expect(printed([Date(timeIntervalSinceReferenceDate: 0)]) == "{2001-01-01 00:00:00 +0000}")
        #expect(printed(Optional("x") as Any) == "\"x\"")
        #expect(printed(Data([1, 255])) == "<01ff>")
    }

    static let formats = [
        "dummyID == 20", "isAdmin == 1", "property == \"Quote \\\"\"", "keypath == nil", "score BETWEEN {1, 10}",
        "name ==[c] \"x\"", "name BEGINSWITH[cd] \"x\"", "name CONTAINS[d] \"x\"", "name ENDSWITH[n] \"x\"",
        "ANY districtsRaw.keyRaw == \"2018fim\"", "ALL age == 21",
        "SUBQUERY(alliancesRaw, $a, ANY $a.teamsRaw.keyRaw IN {\"frc7332\"}).@count > 0", "stubOption & 3 == 3",
        "a == 1 AND b == 2", "a == 1 OR b == 2", "name == \"Foo\" AND (age < 13 OR age > 18)",
        "exists == 1 OR (value CONTAINS[cd] \"test\" AND (NOT attribute ENDSWITH[cd] \"END\"))", "NOT cost > 0",
        "SELF == \"bob\"", "NOT (a == 1 AND b == 2)", "(a == 1 AND b == 2) AND c == 3", "NOT (NOT a == 1)",
    ]

    @Test("these formats print as they are", arguments: formats)
    func unchanged(format: String) {
        let predicate = NSPredicate(format: format)
        #expect(predicate.predicateFormat == format)
        #expect(predicate.description == format)
        #expect(predicate.debugDescription == format)
    }

    @Test("compounds of one part or none print as what they mean")
    func smallCompounds() {
        let part = NSPredicate(format: "a == 1")
        #expect(NSCompoundPredicate(andPredicateWithSubpredicates: []).predicateFormat == "TRUEPREDICATE")
        #expect(NSCompoundPredicate(orPredicateWithSubpredicates: []).predicateFormat == "FALSEPREDICATE")
        let single = NSCompoundPredicate(orPredicateWithSubpredicates: [part])
        #expect(single.predicateFormat == "a == 1")
        let nested = NSCompoundPredicate(andPredicateWithSubpredicates: [single, part])
        #expect(nested.predicateFormat == "a == 1 AND a == 1")
        #expect(NSCompoundPredicate(notPredicateWithSubpredicate: single).predicateFormat == "NOT a == 1")
    }

    @Test("random trees read back as equal trees, which print the same", arguments: 0..<3)
    func roundTrip(run: Int) throws {
        let seed = SeededGenerator.seed
        var trees = RandomPredicates(seed: seed)
        for _ in 0..<500 {
            // Foundation's constants hash by identity, though they are equal by value: as a whole tree they would fail
            // the hashes.
            let predicate = NSCompoundPredicate(notPredicateWithSubpredicate: trees.predicate(depth: 4))
            let format = predicate.predicateFormat
            let again = try NSPredicate.parse(format)
            #expect(again == predicate, "seed \(seed): \(format)")
            #expect(again.hash == predicate.hash, "seed \(seed): \(format)")
            #expect(again.predicateFormat == format, "seed \(seed)")
        }
    }
}
