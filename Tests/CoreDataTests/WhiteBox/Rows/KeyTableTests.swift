import RandomSeeds
import Testing

@testable import CoreData

/// The table that contexts find their objects with, and the row cache its rows.
@Suite("Tables of keys")
struct KeyTableTests {
    @Test(
        "a table says what a dictionary says, whatever is entered, removed and swept",
        arguments: SeededGenerator.seeds(40, full: 2_000))
    func oracle(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let table = KeyTable<Int>()
        var oracle: [Int64: Int] = [:]
        let spreads: [Int64] = [100, 5_000, 1 << 40]
        let spread = spreads[Int.random(in: 0..<3, using: &random)]
        for step in 0..<4_000 {
            let key = Int64.random(in: -spread...spread, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<55:
                table.set(key, step)
                oracle[key] = step
            case 55..<75:
                let known: Int64 = oracle.keys.randomElement(using: &random) ?? key
                table.remove(known)
                oracle[known] = nil
            case 75..<95:
                let known: Int64 = oracle.keys.randomElement(using: &random) ?? key
                let goes = table.remove(known) { $0 % 2 == 1 }
                #expect(goes == (oracle[known].map { $0 % 2 == 1 } ?? false), "seed \(seed), step \(step)")
                if goes { oracle[known] = nil }
            case 95..<99:
                let odd = Bool.random(using: &random)
                var place: Int? = 0
                while let next = place { place = table.filter(from: next, count: 128) { ($0 % 2 == 1) == odd } }
                oracle = oracle.filter { ($0.value % 2 == 1) == odd }
            default: table.shrink()
            }
            #expect(table[key] == oracle[key], "seed \(seed), step \(step)")
            #expect(table.count == oracle.count, "seed \(seed), step \(step)")
        }
        var entries: [Int64: Int] = [:]
        table.forEach { entries[$0] = $1 }
        #expect(entries == oracle, "seed \(seed)")
        for (key, value) in oracle { #expect(table[key] == value, "seed \(seed)") }
    }

    @Test("keys that are dense, and keys that lie a power of two apart, are found and let go of")
    func patterns() {
        for distance in [Int64(1), 64, 4_096, 1 << 32] {
            let table = KeyTable<Int64>(minimumCapacity: 1_000)
            for number in Int64(1)...1_000 { table.set(number * distance, number) }
            #expect((Int64(1)...1_000).allSatisfy { table[$0 * distance] == $0 })
            #expect(table[0] == nil && table[1_001 * distance] == nil && table[-distance] == nil)
            for number in Int64(1)...1_000 where number != 500 { table.remove(number * distance) }
            table.shrink()
            #expect(table.count == 1 && table[500 * distance] == 500)
        }
    }
}
