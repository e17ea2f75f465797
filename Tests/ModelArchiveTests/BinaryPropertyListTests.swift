import Foundation
import ModelArchive
import ModelDocument
import Testing
import PropertyLists

@Suite struct BinaryPropertyListTests {
    @Test(
        arguments: [
            .boolean(true), .boolean(false), .integer(0), .integer(255), .integer(65_536), .integer(4_294_967_296),
            .integer(-1), .integer(.min), .integer(.max), .unsigned(.max), .unsigned(1 << 63), .real(0.1),
            .real(-.infinity), .date(123.5),
            .data(Data([0, 255])),
            .data(Data(repeating: 7, count: 300)), .string(""), .string("text"), .string("ünïcödé 👍"),
            .string(String(repeating: "long ", count: 60)), .uid(0), .uid(70_000), .array([]), .dictionary([:]),
            .array((0..<300).map { .integer($0) }),
            .dictionary(["a": .array([.string("a"), .uid(3)]), "b": .real(1)]),
        ] as [PropertyListValue])
    func valuesAreReadAsTheyWereWritten(value: PropertyListValue) throws {
        #expect(try PropertyListValue(binary: value.binary) == value)
    }

    @Test func whatItWritesIsReadByFoundation() throws {
        let value = PropertyListValue.dictionary([
            "integers": .array([.integer(1), .integer(-70_000)]), "text": .string("é"), "flag": .boolean(true),
            "date": .date(10), "data": .data(Data([1, 2])), "real": .real(2.5),
        ])
        let list = try PropertyListSerialization.propertyList(from: value.binary, format: nil) as? [String: Any]
        #expect(list?["integers"] as? [Int] == [1, -70_000])
        #expect(list?["text"] as? String == "é")
        #expect(list?["flag"] as? Bool == true)
        #expect(list?["date"] as? Date == Date(timeIntervalSinceReferenceDate: 10))
        #expect(list?["data"] as? Data == Data([1, 2]))
        #expect(list?["real"] as? Double == 2.5)
    }

    @Test func whatFoundationWritesIsRead() throws {
        let list: [String: Any] = [
            "numbers": [1, 2.5, -3] as [Any], "nested": ["text": "ü", "date": Date.distantPast],
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        #expect(
            try PropertyListValue(binary: data)
                == .dictionary([
                    "numbers": .array([.integer(1), .real(2.5), .integer(-3)]),
                    "nested": .dictionary([
                        "text": .string("ü"), "date": .date(Date.distantPast.timeIntervalSinceReferenceDate),
                    ]),
                ]))
    }

    @Test func integersBeyondInt64AreThoseOfFoundation() throws {
        let data = try PropertyListSerialization.data(
            fromPropertyList: [NSNumber(value: UInt64.max)], format: .binary, options: 0)
        let value = PropertyListValue.array([.unsigned(.max)])
        #expect(try PropertyListValue(binary: data) == value)
        #expect(try PropertyListValue.foundationValue(of: value.binary) as? [UInt64] == [.max])
    }

    @Test("what an app keeps in metadata is written so that Foundation reads the same")
    func foundationValues() throws {
        let values: [String: Any] = [
            "text": "ü", "int": -7, "large": UInt64.max, "real": 2.5, "flag": true, "number": NSNumber(value: 3),
            "date": Date(timeIntervalSinceReferenceDate: 1.5), "data": Data([1, 2]), "none": [String](),
            "list": ["a", 1, [true]] as [Any], "hashes": ["Team": Data([9])], "object": NSString("x"),
        ]
        let written = try PropertyListValue(foundation: values).binary
        let read = try PropertyListSerialization.propertyList(from: written, format: nil)
        #expect((read as? NSDictionary) == values as NSDictionary)
        #expect(throws: CocoaError.self) { try PropertyListValue(foundation: ["url": URL(fileURLWithPath: "/")]) }
    }

    @Test func equalValuesGiveEqualBytes() {
        let keys = (0..<100).map { "key \($0)" }
        let first = Dictionary(uniqueKeysWithValues: keys.map { ($0, PropertyListValue.string($0)) })
        let second = Dictionary(uniqueKeysWithValues: keys.reversed().map { ($0, PropertyListValue.string($0)) })
        #expect(PropertyListValue.dictionary(first).binary == PropertyListValue.dictionary(second).binary)
    }
}

// MARK: - Damage

extension BinaryPropertyListTests {
    @Test func aListThatContainsItselfIsRefused() {
        #expect(throws: CocoaError.self) { try PropertyListValue(binary: list(objects: [[0xA1, 0]])) }
    }

    @Test func aListThatNestsTooDeepIsRefused() {
        let objects = (1...200).map { [0xA1, UInt8($0)] } + [[0x09]]
        #expect(throws: CocoaError.self) { try PropertyListValue(binary: list(objects: objects)) }
    }

    /// 60 arrays of two elements, both the next array: 2⁶⁰ elements, were they not shared.
    @Test func aListThatRepeatsItselfCostsNoMoreThanItsSize() throws {
        let objects = (1...60).map { [0xA2, UInt8($0), UInt8($0)] } + [[0x09]]
        var value = try PropertyListValue(binary: list(objects: objects))
        var depth = 0
        while let first = value.array?.first {
            value = first
            depth += 1
        }
        #expect(depth == 60)
    }

    /// Foundation would make all of them.
    // The limit is for what never ends: it counts the time that other tests take, too.
    @Test(.timeLimit(.minutes(60))) func aListThatRepeatsItselfIsNotHandedToFoundation() throws {
        let objects = (1...60).map { [0xA2, UInt8($0), UInt8($0)] } + [[0x09]]
        let data = list(objects: objects)
        #expect(throws: CocoaError.self) { try PropertyListValue.foundationValue(of: data) }
        #expect(throws: CocoaError.self) { try VersionInfo(data) }
        #expect(throws: ModelDocumentError.self) { try ModelBundleFile(data: data) }
    }

    /// Data objects that all claim the same bytes would take memory far beyond the file.
    @Test func objectsThatOverlapAreRefused() {
        var bytes = Array("bplist00".utf8) + [0xA4, 1, 2, 3, 4]
        let start = bytes.count
        bytes += [0x4F, 0x10, 100] + [UInt8](repeating: 0, count: 100)
        #expect(throws: CocoaError.self) {
            try PropertyListValue(binary: finished(bytes, offsets: [8] + Array(repeating: start, count: 4)))
        }
    }

    @Test(
        arguments: [
            [0x4F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x6F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0xDF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x1F], [0x2F], [0x30], [0xF0], [0x51, 0x80],
            [0x61, 0xD8, 0x00],
            [0xD1, 0, 0],
        ] as [[UInt8]])
    func anObjectThatIsNoneIsRefused(object: [UInt8]) {
        #expect(throws: CocoaError.self) { try PropertyListValue(binary: list(objects: [object])) }
    }

    private func list(objects: [[UInt8]]) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        return finished(bytes, offsets: offsets)
    }

    /// The bytes with offset table and trailer.
    private func finished(_ bytes: [UInt8], offsets: [Int]) -> Data {
        let table: [UInt8] = offsets.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 2, 1]
        let counts: [Int] = [offsets.count, 0, bytes.count]
        let digits = counts.flatMap { count in (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) } }
        return Data(bytes + table + trailer + digits)
    }
}
