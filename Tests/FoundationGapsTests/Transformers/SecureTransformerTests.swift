import Foundation
import FoundationGaps
import Testing

/// A colour as an app archives it.
final class SampleColor: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let name: String
    let mixedOn: Date?

    init(name: String, mixedOn: Date? = nil) {
        self.name = name
        self.mixedOn = mixedOn
    }

    required init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = name as String
        mixedOn = coder.decodeObject(of: NSDate.self, forKey: "mixedOn") as Date?
    }

    func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(mixedOn as NSDate?, forKey: "mixedOn")
    }
}

/// A class with coding that is not hardened.
final class InsecureColor: NSObject, NSCoding {
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

/// Contains itself when archived.
final class SampleLoop: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() {}
    required init?(coder: NSCoder) { _ = coder.decodeObject(of: SampleLoop.self, forKey: "me") }
    func encode(with coder: NSCoder) { coder.encode(self, forKey: "me") }
}

final class SampleColorTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] {
        super.allowedTopLevelClasses + [SampleColor.self, SampleLoop.self]
    }
}

@Suite struct SecureTransformerTests {
    private let standard = NSSecureUnarchiveFromDataTransformer()
    private let colors = SampleColorTransformer()

    private func archive(_ value: Any) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
    }

    private func roundTrip(_ value: Any) throws -> Any? {
        standard.transformedValue(try #require(standard.reverseTransformedValue(value) as? Data))
    }

    @Test func valuesOfTheStandardClassesGoIntoDataAndBack() throws {
        #expect(try roundTrip(["a", "b"]) as? [String] == ["a", "b"])
        #expect(try roundTrip(["k": [1, 2]]) as? [String: [Int]] == ["k": [1, 2]])
        #expect(try roundTrip(Set([1, 2])) as? Set<Int> == [1, 2])
        #expect(try roundTrip("text") as? String == "text")
        #expect(try roundTrip(7) as? Int == 7)
        #expect(
            try roundTrip(Date(timeIntervalSinceReferenceDate: 5)) as? Date == Date(timeIntervalSinceReferenceDate: 5))
        #expect(try roundTrip(Data([1, 2])) as? Data == Data([1, 2]))
        let url = try #require(URL(string: "https://swift.org/a"))
        #expect(try roundTrip(url) as? URL == url)
        let id = UUID()
        #expect(try roundTrip(id) as? UUID == id)
        #expect(try roundTrip(NSNull()) is NSNull)
    }

    @Test(arguments: ["0", "7.07", "-12345678901234567890.123456789", "1e100"])
    func decimalsGoIntoDataAndBack(_ text: String) throws {
        let decimal = try #require(Decimal(string: text))
        #expect(try roundTrip(NSDecimalNumber(decimal: decimal)) as? Decimal == decimal)
        #expect((try roundTrip([decimal, decimal]) as? [Decimal]) == [decimal, decimal])
    }

    @Test func decimalsInSwiftSetsGoIntoDataAndBack() throws {
        let decimals = Set(["1.5", "2.5"].compactMap { Decimal(string: $0) })
        #expect((try roundTrip(decimals) as? NSSet)?.count == 2)
        #expect((try roundTrip(["a": decimals]) as? NSDictionary)?.count == 1)
        #expect((try roundTrip([decimals: "a"] as [Set<Decimal>: String]) as? NSDictionary)?.count == 1)
    }

    @Test func anAllowedClassOfOnesOwnGoesIntoDataAndBack() throws {
        let color = SampleColor(name: "red", mixedOn: Date(timeIntervalSinceReferenceDate: 9))
        let data = try #require(colors.reverseTransformedValue(color) as? Data)
        let back = try #require(colors.transformedValue(data) as? SampleColor)
        #expect(back.name == "red" && back.mixedOn == color.mixedOn)
        let both = try #require(colors.reverseTransformedValue([color, color]) as? Data)
        #expect((colors.transformedValue(both) as? [SampleColor])?.count == 2)
    }

    @Test func aClassThatIsNotAllowedIsRefusedBothWays() throws {
        #expect(standard.reverseTransformedValue(SampleColor(name: "red")) == nil)
        #expect(standard.transformedValue(try archive(SampleColor(name: "red"))) == nil)
        #expect(standard.transformedValue(try archive([SampleColor(name: "red")])) == nil)
        let error = #expect(throws: CocoaError.self) {
            _ = try standard.value(forStored: try archive(SampleColor(name: "red")))
        }
        #expect(error?.code == .coderReadCorrupt)
        #expect(error?.localizedDescription.contains("SampleColor") == true)
    }

    @Test func aClassWithoutSecureCodingIsRefusedBothWays() throws {
        #expect(colors.reverseTransformedValue(InsecureColor()) == nil)
        #expect(colors.transformedValue(try archive(InsecureColor())) == nil)
        #expect(colors.transformedValue(try archive([InsecureColor()])) == nil)
        #expect(throws: CocoaError.self) { try colors.storedData(for: [InsecureColor()]) }
    }

    @Test func anObjectAtAPlaceThatAsksForAnotherClassIsRefused() throws {
        // A colour with a date for its name: both classes are allowed, but not there.
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        let stranger = Stranger()
        archiver.encode(stranger, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        let error = #expect(throws: CocoaError.self) { _ = try colors.value(forStored: archiver.encodedData) }
        #expect(error?.localizedDescription.contains("not allowed at its place") == true)
    }

    @Test func anArchiveThatContainsItselfIsRefused() throws {
        let error = #expect(throws: CocoaError.self) { _ = try colors.value(forStored: try archive(SampleLoop())) }
        #expect(error?.localizedDescription == "The archive holds an object that contains itself.")
    }

    @Test func deepNestingIsRefused() throws {
        var nested = NSArray()
        for _ in 0..<150 { nested = NSArray(object: nested) }
        #expect(throws: CocoaError.self) { try standard.storedData(for: nested) }
    }

    @Test func dataThatIsNoArchiveGivesNil() throws {
        let list = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .binary, options: 0)
        for data in [Data(), Data("bplist00".utf8), Data("<?xml".utf8), Data(repeating: 0xFF, count: 100), list] {
            #expect(standard.transformedValue(data) == nil)
            #expect(throws: CocoaError.self) { try standard.value(forStored: data) }
        }
        #expect(standard.transformedValue("no data") == nil)
        #expect(standard.transformedValue(nil) == nil)
        #expect(standard.reverseTransformedValue(nil) == nil)
    }

    @Test func theOlderNamesDecodeTheSameClasses() throws {
        let transformer = try #require(ValueTransformer(forName: .keyedUnarchiveFromDataTransformerName))
        #expect(transformer.transformedValue(try archive(["a"])) as? [String] == ["a"])
        #expect(transformer.transformedValue(try archive(SampleColor(name: "red"))) == nil)
    }

    @Test func storesUseUnarchivingTransformersInReverse() throws {
        let data = try standard.storedData(for: ["a"])
        #expect(try standard.value(forStored: data) as? [String] == ["a"])
        let hex = TextTransformer()
        #expect(try hex.storedData(for: "a") == Data("a".utf8))
        #expect(try hex.value(forStored: Data("a".utf8)) as? String == "a")
        #expect(throws: CocoaError.self) { try hex.storedData(for: 5) }
    }
}

final class Stranger: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() {}
    init?(coder: NSCoder) { nil }
    override var classForKeyedArchiver: AnyClass? { SampleColor.self }
    func encode(with coder: NSCoder) { coder.encode(NSDate(), forKey: "name") }
}

final class TextTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { Data($0.utf8) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0, as: UTF8.self) }
    }
}
