import Foundation
import FoundationGaps
import Testing

/// A transformer with an initialiser of its own, found by its class's name.
class HexTransformer: ValueTransformer {
    let prefix: String

    override init() {
        prefix = "#"
        super.init()
    }

    override class func transformedValueClass() -> AnyClass { NSString.self }
    override func transformedValue(_ value: Any?) -> Any? { (value as? Int).map { prefix + String($0, radix: 16) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? String).flatMap { Int($0.dropFirst(), radix: 16) }
    }
}

final class OneWayTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { false }
}

@Suite struct ValueTransformerTests {
    @Test func aRegisteredTransformerIsFoundByItsName() {
        let name = NSValueTransformerName("Registered.\(UUID().uuidString)")
        let transformer = HexTransformer()
        #expect(ValueTransformer(forName: name) == nil)
        ValueTransformer.setValueTransformer(transformer, forName: name)
        #expect(ValueTransformer(forName: name) === transformer)
        #expect(ValueTransformer.valueTransformerNames().contains(name))
        ValueTransformer.setValueTransformer(nil, forName: name)
        #expect(ValueTransformer(forName: name) == nil)
    }

    @Test func aTransformerIsFoundByTheNameOfItsClassAndMadeOnce() throws {
        let name = NSValueTransformerName("FoundationGapsTests.HexTransformer")
        let transformer = try #require(ValueTransformer(forName: name))
        #expect(transformer is HexTransformer)
        #expect(transformer.transformedValue(255) as? String == "#ff")
        #expect(transformer.reverseTransformedValue("#ff") as? Int == 255)
        #expect(ValueTransformer(forName: name) === transformer)
    }

    @Test(arguments: ["", "NSObject", "FoundationGapsTests.ValueTransformerTests", "no such name", "A.B.C", "."])
    func whatNamesNoTransformerGivesNone(_ name: String) {
        #expect(ValueTransformer(forName: NSValueTransformerName(rawValue: name)) == nil)
    }

    @Test func theStandardTransformersAreRegistered() throws {
        let negate = try #require(ValueTransformer(forName: .negateBooleanTransformerName))
        #expect(negate.transformedValue(true) as? Bool == false)
        #expect(negate.reverseTransformedValue(false) as? Bool == true)
        #expect(negate.transformedValue(nil) as? Bool == true)
        let isNil = try #require(ValueTransformer(forName: .isNilTransformerName))
        #expect(isNil.transformedValue(nil) as? Bool == true)
        #expect(isNil.transformedValue("x") as? Bool == false)
        let isNotNil = try #require(ValueTransformer(forName: .isNotNilTransformerName))
        #expect(isNotNil.transformedValue(nil) as? Bool == false)
        #expect(!type(of: isNotNil).allowsReverseTransformation())
    }

    @Test func reversingWhatCannotBeReversedTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = OneWayTransformer().reverseTransformedValue(1)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("OneWayTransformer can't be reversed"))
    }
}
