import Foundation
import FoundationGaps
import RandomSeeds
import Testing

@Suite("Archives depend on the archived value alone")
struct CanonicalArchiveTests {
    private let transformer = SampleColorTransformer()

    @Test("sets and dictionaries built in any order have one archive")
    func unordered() throws {
        let seed = SeededGenerator.seed
        var random = SeededGenerator(seed: seed)
        let words = (0..<40).map { "word \($0)" }
        let expected = try archive(of: words)
        for _ in 0..<20 { #expect(try archive(of: words.shuffled(using: &random)) == expected, "seed \(seed)") }
    }

    /// Collections of the words in each other, made in the words' order.
    private func archive(of words: [String]) throws -> Data {
        let dictionary = NSMutableDictionary()
        for word in words { dictionary.setObject(NSSet(array: [word, word.count]), forKey: word as NSString) }
        let colors = NSMutableSet()
        for word in words { colors.add(SampleColor(name: word)) }
        let sets = NSMutableSet()
        for word in words { sets.add(NSSet(array: words.shuffled().filter { $0 <= word })) }
        return try transformer.storedData(for: [dictionary, colors, sets, NSArray(array: words.sorted())])
    }

    @Test("what is there twice has one archive, as one object and as two")
    func duplicates() throws {
        let text = NSString(string: "a text that is no constant of the program")
        let copy = NSString(string: String(decoding: Array(String(text).utf8), as: UTF8.self))
        #expect(try transformer.storedData(for: [text, text]) == transformer.storedData(for: [text, copy]))
        let color = SampleColor(name: "red", mixedOn: Date(timeIntervalSinceReferenceDate: 1))
        let other = SampleColor(name: "red", mixedOn: Date(timeIntervalSinceReferenceDate: 1))
        #expect(try transformer.storedData(for: [color, color]) == transformer.storedData(for: [color, other]))
    }

    @Test("what differs has different archives, and comes back as it was")
    func differences() throws {
        let values: [Any] = [
            [0.0], [1], [1.0], [true], ["1"], Set([1, 2]), [1, 2], [2, 1], ["$null"],
            [NSNull()], [[1], [2]], [["a": 1, "b": 2]], [["a": 2, "b": 1]], ["a", ["a"]], [Data([1]), Data([2])],
            [UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")!],
            [Decimal(string: "1.10")!], [Decimal(string: "1.11")!], [URL(string: "https://swift.org/")!],
        ]
        var archives: [Data: Int] = [:]
        for (index, value) in values.enumerated() {
            let data = try transformer.storedData(for: value)
            #expect(archives.updateValue(index, forKey: data) == nil, "\(value)")
            let back = try #require(try transformer.value(forStored: data))
            #expect(ValueComparison.isEqual(back, value), "\(value) came back as \(back)")
        }
    }

    @Test("members of a set that look alike are not lost")
    func lookalikes() throws {
        let colors = NSSet(array: [SampleColor(name: "red"), SampleColor(name: "red"), SampleColor(name: "blue")])
        let back = try transformer.value(forStored: transformer.storedData(for: colors)) as? NSSet
        #expect(back?.compactMap { ($0 as? SampleColor)?.name }.sorted() == ["blue", "red", "red"])
    }

    @Test("the archive is one that Foundation reads")
    func foundation() throws {
        let data = try transformer.storedData(for: ["a": [1, 2], "b": [3]])
        let classes = [NSDictionary.self, NSArray.self, NSString.self, NSNumber.self]
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? [String: [Int]]
        #expect(back == ["a": [1, 2], "b": [3]])
    }

    @Test("a value that contains itself is refused")
    func loops() {
        let error = #expect(throws: CocoaError.self) { try transformer.storedData(for: SampleLoop()) }
        #expect(error?.code == .coderInvalidValue)
    }
}
