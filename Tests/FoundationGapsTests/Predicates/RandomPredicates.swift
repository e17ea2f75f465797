import FoundationGaps
import RandomSeeds

/// Random trees of everything that has a form in the language.
struct RandomPredicates {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    private mutating func several<Element>(_ range: ClosedRange<Int>, _ make: (inout Self) -> Element) -> [Element] {
        let count = Int.random(in: range, using: &random)
        return (0..<count).map { _ in make(&self) }
    }

    mutating func predicate(depth: Int) -> NSPredicate {
        guard depth > 0 else { return comparison(depth: 0) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return NSPredicate(value: Bool.random(using: &random))
        case 1: return NSCompoundPredicate(notPredicateWithSubpredicate: predicate(depth: depth - 1))
        case 2...4:
            let parts = several(2...4) { $0.predicate(depth: depth - 1) }
            return NSCompoundPredicate(type: pick([.and, .or]), subpredicates: parts)
        default: return comparison(depth: depth)
        }
    }

    private mutating func comparison(depth: Int) -> NSPredicate {
        let left = expression(depth: depth)
        let right = expression(depth: depth)
        if Int.random(in: 0..<10, using: &random) == 0 {
            return NSComparisonPredicate(leftExpression: left, rightExpression: right, customSelector: "isEqual:")
        }
        let types: [NSComparisonPredicate.Operator] = [
            .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .matches, .like,
            .beginsWith, .endsWith, .in, .contains, .between,
        ]
        return NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: pick([.direct, .all, .any]), type: pick(types),
            options: .init(rawValue: UInt.random(in: 0...7, using: &random)))
    }

    mutating func expression(depth: Int) -> NSExpression {
        guard depth > 0 else { return leaf() }
        let next = depth - 1
        switch Int.random(in: 0..<14, using: &random) {
        case 0...3: return leaf()
        case 4:
            return NSExpression(forAggregate: several(0...3) { $0.expression(depth: next) })
        case 5:
            return NSExpression(
                forSubquery: expression(depth: next), usingIteratorVariable: pick(["x", "item"]),
                predicate: predicate(depth: next))
        case 6:
            return NSExpression(
                forConditional: predicate(depth: next), trueExpression: expression(depth: next),
                falseExpression: expression(depth: next))
        case 7: return NSExpression(forUnionSet: expression(depth: next), with: expression(depth: next))
        case 8: return NSExpression(forMinusSet: expression(depth: next), with: expression(depth: next))
        case 9:
            let arguments = [expression(depth: next)]
            return NSExpression(
                forFunction: pick(["sum:", "uppercase:", "onesComplement:", "max:"]), arguments: arguments)
        case 10:
            return NSExpression(
                forFunction: expression(depth: next), selectorName: "isEqual:", arguments: [expression(depth: next)])
        default:
            let names = [
                "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:",
                "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
                "objectFrom:withIndex:", "castObject:toType:",
            ]
            return NSExpression(
                forFunction: pick(names), arguments: [expression(depth: next), expression(depth: next)])
        }
    }

    private mutating func leaf() -> NSExpression {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: NSExpression.expressionForEvaluatedObject()
        case 1: NSExpression(forVariable: pick(["x", "FETCH_SOURCE", "größe"]))
        case 2...3: NSExpression(forKeyPath: keyPath())
        case 4: NSExpression(forConstantValue: several(0...3) { $0.number() })
        case 5: NSExpression(forConstantValue: text())
        case 6:
            NSExpression(forConstantValue: pick([nil, true, Date(timeIntervalSinceReferenceDate: 1.1 / 3)] as [Any?]))
        default: NSExpression(forConstantValue: number())
        }
    }

    private mutating func keyPath() -> String {
        let keys = ["name", "in", "select", "size", "self_", "größe", "@count", "@sum", "first", "NULL", "isKey2"]
        return several(1...3) { $0.pick(keys) }.joined(separator: ".")
    }

    private mutating func number() -> Any {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: Int64.random(in: .min ... .max, using: &random)
        case 1: Double(bitPattern: UInt64.random(in: 0..<0x7FF0_0000_0000_0000, using: &random))
        case 2: -Double.random(in: 0...1, using: &random)
        case 3: Decimal(Int64.random(in: -99_999...99_999, using: &random)) / 1000
        case 4: UInt64.random(in: (1 << 63)...UInt64.max, using: &random)
        default: Int.random(in: -3...3, using: &random)
        }
    }

    private mutating func text() -> String {
        String(several(0...6) { $0.pick(Array("ab \"'\\%@$#\n\r\t\0é😀")) })
    }
}
