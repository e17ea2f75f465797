import FoundationGaps
import Testing

@Suite("Misuse stops the program with a sentence")
struct PredicateMisuseTests {
    @Test("a malformed format")
    func malformed() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "a = = 1")
        }
        expect(result, "Unable to parse the format string \"a = = 1\": expected a value")
    }

    @Test("an unbound variable")
    func unbound() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "a == $x").evaluate(with: ["a": 1])
        }
        expect(result, "the variable $x has no value")
    }

    @Test("values that can't be ordered")
    func incomparable() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "a < 'x'").evaluate(with: ["a": 1])
        }
        expect(result, "a number and a text can't be compared by <")
    }

    @Test("ANY of something that is no collection")
    func noCollection() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "ANY a == 1").evaluate(with: ["a": 1])
        }
        expect(result, "ANY and ALL need a collection")
    }

    @Test("a function that was not registered")
    func unregistered() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "SELF frobnicates: 1").evaluate(with: 1)
        }
        expect(result, "Register what it does with NSPredicate.registerFunction(named:_:)")
    }

    @Test("a function that doesn't exist")
    func unknownFunction() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(forFunction: "frob:", arguments: [1])
        }
        expect(result, "\"frob:\" is no function of predicates")
    }

    @Test("a wrong regular expression")
    func wrongExpression() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "SELF MATCHES '('").evaluate(with: "x")
        }
        expect(result, "MATCHES needs a regular expression")
    }

    @Test("a part that an expression's kind doesn't have")
    func missingPart() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(forKeyPath: "a").constantValue
        }
        expect(result, "has no constant value; ask expressionType first")
    }

    private func expect(_ result: ExitTest.Result?, _ sentence: String) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(sentence), "\(text)")
    }
}
