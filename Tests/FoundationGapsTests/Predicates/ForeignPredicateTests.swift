import Foundation
import FoundationGaps
import Testing

import class FoundationGaps.NSComparisonPredicate
import class FoundationGaps.NSExpression

// This file imports Foundation itself, as sources of applications do. NSCompoundPredicate's initialisers are
// Foundation's here.

@Suite("Files that import Foundation too")
struct ForeignPredicateTests {
    let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [
        NSPredicate(format: "a == %@", 1 as NSNumber),
        NSCompoundPredicate(notPredicateWithSubpredicate: .init(value: false)),
    ])

    @Test("Foundation's compounds evaluate")
    func evaluation() {
        #expect(type(of: compound) == NSCompoundPredicate.self)
        #expect(compound.evaluate(with: ["a": 1]))
        #expect(!compound.evaluate(with: ["a": 2]))
    }

    @Test("inside a tree of ours they print, compare and substitute")
    func nesting() throws {
        let expression = NSExpression(
            forConditional: compound, trueExpression: NSExpression(forConstantValue: 1),
            falseExpression: NSExpression(forConstantValue: 2))
        #expect(expression.description == "TERNARY(a == 1 AND (NOT FALSEPREDICATE), 1, 2)")
        #expect(expression == NSExpression(format: expression.description))
        let variable = NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(format: "a == $x")])
        #expect(variable.withSubstitutionVariables(["x": 1]).evaluate(with: ["a": 1]))
    }

    @Test("comparisons and expressions are of this module's classes")
    func types() throws {
        let comparison = try #require(NSPredicate(format: "a == 1") as? NSComparisonPredicate)
        let left: NSExpression = comparison.leftExpression
        #expect(left.keyPath == "a")
        #expect(comparison.description == "a == 1")
    }
}
