import CoreData
import Foundation
import RandomSeeds
import Testing

@testable import CoreDataStudio

/// Two windows of a studio, the window of another studio and another process change one shop.
///
/// The run has a model of its own of what the store has, and of what each studio has staged. After each save the model
/// says what the store has to have now: what was staged, on what others saved since. Where both changed the same, the
/// save has to tell a conflict.
final class EditingRun {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What happened in the runs: a run in which nothing happens finds nothing.
    struct Tally {
        var counts: [String: Int] = [:]

        mutating func count(_ what: String) { counts[what, default: 0] += 1 }
        mutating func add(_ other: Tally) { counts.merge(other.counts, uniquingKeysWith: +) }
    }

    let seed: UInt64
    var numbers: SeededGenerator
    let store: SampleStore
    let writer: WriterProcess
    var studios: [EditedStudio] = []
    /// What the store has.
    var stored: ShopWorld
    /// The values that an attribute had or was to have.
    var history: [Fact: [WideShop.Value]] = [:]
    var log: [String] = []
    var tally = Tally()
    /// The row that was checked last.
    var lastRow = ""
    private var values = 0

    init(_ seed: UInt64) throws {
        (self.seed, numbers) = (seed, SeededGenerator(seed: seed))
        store = try WideShop.store()
        writer = try WriterProcess(store.url)
        stored = try writer.world()
    }

    func carryOut(steps: Int = 60) async throws {
        do {
            let isListening = seed.isMultiple(of: 2)
            for windows in [["one", "two"], ["three"]] {
                studios.append(try await EditedStudio(store, windows, isListening: isListening, stored))
            }
            for _ in 0..<steps { try await step() }
            try await end()
        } catch {
            for studio in studios { try? await studio.session.close() }
            print("random edits: seed \(seed)", log.joined(separator: "\n"), lastRow, separator: "\n")
            throw Failure(description: "seed \(seed), after \(log.count) lines: \(error)")
        }
    }

    private func step() async throws {
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0..<62: try await editInWindow(studio())
        case 62..<80: try await editElsewhere()
        case 80..<90: try await undoAndRedo(studio())
        case 90..<92: try await discard(studio())
        default: try await save(studio())
        }
    }

    private func end() async throws {
        for studio in studios {
            try await save(studio)
            try await expectWindows(studio, all: true)
        }
        for studio in studios { try await follow(studio) }
        for studio in studios { try await expectWindows(studio, all: true) }
        try await expectNews()
        // What the windows show now is what the store has, and that is what the file has.
        stored = try writer.world()
        for studio in studios { try await follow(studio) }
        for studio in studios { try await studio.session.close() }
        try writer.end()
        try checkTables()
    }

    // MARK: Chance

    private func studio() -> EditedStudio { studios[numbers.chance(65) ? 0 : 1] }

    func window(_ studio: EditedStudio) -> ListeningWindow {
        studio.windows.randomElement(using: &numbers) ?? studio.windows[0]
    }

    /// A value that the attribute did not have, or seldom one that it had, or none.
    func value(_ fact: Fact, _ key: String, _ type: NSAttributeType, _ entity: String) -> WideShop.Value? {
        if WideShop.required[entity] != key, numbers.chance(8) { return nil }
        if numbers.chance(20), let old = history[fact]?.randomElement(using: &numbers) { return old }
        return newValue(fact, type)
    }

    func newValue(_ fact: Fact, _ type: NSAttributeType) -> WideShop.Value {
        values += 1
        let new = WideShop.Value(values, type)
        history[fact, default: []].append(new)
        return new
    }

    func some(_ all: [String], _ most: Int) -> [String] {
        Array(all.shuffled(using: &numbers).prefix(Int.random(in: 1...most, using: &numbers)))
    }

    func note(_ text: String) { log.append(text) }

    func fail(_ text: String) -> Failure { Failure(description: text) }
}
