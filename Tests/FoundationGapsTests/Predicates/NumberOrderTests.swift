import FoundationGaps
import RandomSeeds
import Testing

@Suite("Integers compare with floating point exactly")
struct NumberOrderTests {
    @Test("an integer differs from the Double that it would be rounded to")
    func neighbours() {
        let limit = 0x1p63
        for (integer, double, order) in [
            (Int64.max, limit, ComparisonResult.orderedAscending), (.min, -limit, .orderedSame),
            (.max, limit.nextDown, .orderedDescending), (.min, (-limit).nextDown, .orderedDescending),
            (1 << 53 + 1, 0x1p53, .orderedDescending), (1 << 53, 0x1p53, .orderedSame), (2, 2.5, .orderedAscending),
            (-2, -2.5, .orderedDescending), (0, -0.0, .orderedSame), (0, .infinity, .orderedAscending),
            (0, -.infinity, .orderedDescending), (0, .leastNonzeroMagnitude, .orderedAscending),
        ] {
            for number in [NSNumber(value: integer), DecimalNumber(decimal: Decimal(integer))] {
                #expect(ValueComparison.compare(number, double) == order, "\(integer) and \(double)")
                #expect(ValueComparison.isEqual(number, double) == (order == .orderedSame), "\(integer) and \(double)")
                let predicate = NSPredicate(format: "SELF < %@", argumentArray: [NSNumber(value: double)])
                #expect(predicate.evaluate(with: number) == (order == .orderedAscending), "\(integer) and \(double)")
            }
        }
    }

    @Test("integers beyond Int64 too, and nothing compares with NaN")
    func beyond() {
        #expect(ValueComparison.compare(UInt64.max, 0x1p64) == .orderedAscending)
        #expect(ValueComparison.compare(UInt64.max, (0x1p64).nextDown) == .orderedDescending)
        #expect(ValueComparison.compare(Int64.max, Double.nan) == nil)
        #expect(ValueComparison.compare(Decimal(string: "0.1")!, 0.1) == .orderedSame)
        #expect(ValueComparison.compare(Decimal(string: "1e60")!, 1e60) == .orderedSame)
    }

    @Test("equal numbers hash alike, and the order is transitive")
    func random() {
        let seed = SeededGenerator.seed
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3000 {
            let integer = Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...62, using: &random)
            let double = Double(integer)
            let values = [PredicateValue(integer), PredicateValue(double), PredicateValue(Decimal(integer))]
            for left in values {
                for right in values where left == right {
                    #expect(left.hashValue == right.hashValue, "\(integer), seed \(seed)")
                    for third in values { #expect((left == third) == (right == third), "\(integer), seed \(seed)") }
                }
            }
        }
    }
}
