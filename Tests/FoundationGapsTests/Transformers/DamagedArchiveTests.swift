import Foundation
import FoundationGaps
import RandomSeeds
import Testing

@Suite struct DamagedArchiveTests {
    private let transformer = SampleColorTransformer()

    private func sampleArchive() throws -> Data {
        let values: [Any] = [
            1, 2.5, true, "text", "naïve", Date(), Data([1, 2]), UUID(), NSNull(), Decimal(string: "7.07")!,
            SampleColor(name: "red", mixedOn: Date()), Set([1, 2]), ["key": URL(string: "https://swift.org/a")!],
        ]
        return try transformer.storedData(for: values)
    }

    @Test func randomlyDamagedArchivesGiveAValueOrAnError() throws {
        let seed = SeededGenerator.seed
        var random = SeededGenerator(seed: seed)
        let archive = try sampleArchive()
        var refused = 0
        for round in 0..<2_000 {
            var damaged = archive
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                damaged[Int.random(in: 8..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do {
                _ = try transformer.value(forStored: damaged)
            } catch let error as CocoaError {
                refused += 1
                #expect(error.code == .coderReadCorrupt, "seed \(seed), round \(round)")
            }
        }
        #expect(refused > 1_000, "seed \(seed)")
    }

    @Test func everyTruncationIsAnError() throws {
        let archive = try sampleArchive()
        for length in 0..<archive.count {
            #expect(throws: CocoaError.self, "length \(length)") {
                try transformer.value(forStored: archive.prefix(length))
            }
        }
    }
}
