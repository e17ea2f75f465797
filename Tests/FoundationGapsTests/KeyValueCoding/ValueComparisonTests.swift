import FoundationGaps
import RandomSeeds
import Testing

@Suite struct ValueComparisonTests {
    @Test func valuesOrderAcrossTypes() {
        let cases: [(Any, Any, ComparisonResult)] = [
            (1, 2.5, .orderedAscending), (NSNumber(value: 3), Int16(3), .orderedSame),
            (Int64(1) << 53 + 1, 0x1p53, .orderedDescending),
            (UInt64.max, Int64.max, .orderedDescending), (Decimal(string: "0.1")!, 0.1, .orderedSame),
            (NSDecimalNumber(string: "3"), 3, .orderedSame), (true, 1, .orderedSame), (-2.5, -2, .orderedAscending),
            ("a", NSString("b"), .orderedAscending), ("Z", "a", .orderedAscending),
            (Data([1, 2]), Data([1, 2, 0]), .orderedAscending),
            (Date(timeIntervalSince1970: 1), NSDate(timeIntervalSince1970: 0), .orderedDescending),
        ]
        for (lhs, rhs, order) in cases {
            #expect(ValueComparison.compare(lhs, rhs) == order, "\(lhs) and \(rhs)")
            #expect(ValueComparison.compare(rhs, lhs)?.rawValue == -order.rawValue, "\(rhs) and \(lhs)")
            #expect(ValueComparison.isEqual(lhs, rhs) == (order == .orderedSame), "\(lhs) and \(rhs)")
            guard order == .orderedSame else { continue }
            #expect(PredicateValue(lhs).hashValue == PredicateValue(rhs).hashValue, "\(lhs) and \(rhs)")
        }
    }

    @Test func unrelatedValuesHaveNoOrder() {
        let cases: [(Any, Any)] = [("1", 1), (Date(), 1), (Double.nan, 1), (NSObject(), NSObject()), ("a", Data())]
        for (lhs, rhs) in cases {
            #expect(ValueComparison.compare(lhs, rhs) == nil, "\(lhs) and \(rhs)")
            #expect(!ValueComparison.isEqual(lhs, rhs), "\(lhs) and \(rhs)")
        }
    }

    @Test func nilEqualsNullAndNothingElse() {
        #expect(ValueComparison.isEqual(nil, nil))
        #expect(ValueComparison.isEqual(nil, NSNull()))
        #expect(ValueComparison.isEqual(Optional<Int>.none as Any, nil))
        #expect(!ValueComparison.isEqual(nil, 0))
        #expect(!ValueComparison.isEqual("", NSNull()))
    }

    @Test func collectionsAreEqualByTheirMembers() {
        #expect(ValueComparison.isEqual([1, 2.0], NSArray(array: [1, 2])))
        #expect(!ValueComparison.isEqual([1, 2], [2, 1]))
        #expect(ValueComparison.isEqual(Set([1, 2]), NSSet(array: [2, 1])))
        #expect(ValueComparison.isEqual(["a": 1], ["a": 1]))
        #expect(!ValueComparison.isEqual(["a": 1], ["b": 1]))
    }

    @Test func objectsAreEqualByIdentityOrTheirOwnEquality() {
        let object = NSObject()
        #expect(ValueComparison.isEqual(object, object))
        #expect(!ValueComparison.isEqual(object, NSObject()))
        #expect(ValueComparison.isEqual(URL(string: "a:b")!, URL(string: "a:b")!))
    }

    @Test func valuesOfOneComparableTypeHaveItsOrder() {
        enum Size: Int, Comparable {
            case small, large
            static func < (lhs: Size, rhs: Size) -> Bool { lhs.rawValue < rhs.rawValue }
        }
        #expect(ValueComparison.compare(Size.small, Size.large) == .orderedAscending)
        #expect(ValueComparison.compare(Size.small, 1) == nil)
    }

    @Test func randomNumbersOfEveryKindOrderAsTheirExactValues() {
        let seed = SeededGenerator.seed
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let (left, right) = (Int64.random(in: -9...9, using: &random), Int64.random(in: -9...9, using: &random))
            let wanted = left < right ? -1 : left == right ? 0 : 1
            for (lhs, rhs) in [
                (forms(left).randomElement(using: &random)!, forms(right).randomElement(using: &random)!)
            ] {
                #expect(ValueComparison.compare(lhs, rhs)?.rawValue == wanted, "seed \(seed): \(lhs) and \(rhs)")
            }
        }
    }

    private func forms(_ value: Int64) -> [Any] {
        [value, Int(value), Double(value), Float(value), Int8(value), Decimal(value), NSNumber(value: value)]
            + [NSDecimalNumber(decimal: Decimal(value)), NSNumber(value: Double(value))]
    }
}
