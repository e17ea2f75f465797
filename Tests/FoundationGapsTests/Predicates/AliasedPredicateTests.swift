import Foundation
import FoundationGaps
import Testing

// Elsewhere in this module the name is Foundation's.
private typealias NSCompoundPredicate = CompoundPredicate

@Suite("An alias for compound predicates in a file that imports Foundation")
struct AliasedPredicateTests {
    private let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [
        NSPredicate(format: "a == %@", 1 as NSNumber),
        NSCompoundPredicate(notPredicateWithSubpredicate: .init(value: false)),
    ])

    @Test("they evaluate, print, compare, hash and copy as trees")
    func trees() throws {
        #expect(compound.description == "a == 1 AND (NOT FALSEPREDICATE)")
        #expect("\([compound])".contains("a == 1 AND"))
        let plain: NSPredicate = compound
        #expect(plain.predicateFormat == compound.description)
        let same = NSPredicate(format: compound.description)
        let other = NSCompoundPredicate(type: .or, subpredicates: compound.subpredicates)
        #expect(other == NSCompoundPredicate(orPredicateWithSubpredicates: compound.subpredicates))
        #expect(compound == same && same == compound && compound.hash == same.hash)
        #expect(compound != other && other.description == "a == 1 OR (NOT FALSEPREDICATE)")
        #expect(Set([compound, same, other]).count == 2)
        let copy = try #require(compound.copy() as? NSCompoundPredicate)
        let type: NSCompoundPredicate.LogicalType = copy.compoundPredicateType
        #expect(copy !== compound && copy == compound && type == .and)
        #expect(copy.evaluate(with: ["a": 1]) && !copy.evaluate(with: ["a": 2]))
    }

    @Test("what formats and substitution give is of the class")
    func sources() throws {
        let parsed = try #require(NSPredicate(format: "a == $x OR b == 1") as? NSCompoundPredicate)
        #expect(parsed.subpredicates.count == 2)
        #expect(parsed.withSubstitutionVariables(["x": 2]).description == "a == 2 OR b == 1")
        #expect(NSPredicate(value: true) as? NSCompoundPredicate == nil)
    }

    @Test("NOT of nothing traps with a sentence")
    func negation() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSCompoundPredicate(type: .not, subpredicates: [])
        }
        let words = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(words.contains("NOT needs a predicate to negate"))
    }
}
