import CoreData
import Foundation
import RandomSeeds
import Testing

@testable import CoreDataStudio

/// Two windows of one studio and another program change the same orders.
@Suite("Random edits beside another program") struct RandomEditingTests {
    /// `COREDATA_FULL_TESTS` raises the runs to 500.
    @Test("After a save the store has what the windows show, and nothing was overwritten untold")
    func randomEdits() async throws {
        for seed in SeededGenerator.seeds(12, full: 500) {
            print("random edits: seed \(seed)")
            try await EditingRun(seed).carryOut()
        }
    }
}

/// One run: the values that the store has to have are known independently of the studio.
private final class EditingRun {
    private let seed: UInt64
    private var numbers: SeededGenerator
    private let store: SampleStore
    private let session: StoreSession
    private let other: OtherProgram
    /// The remark and the city of each order that is there, by number.
    private var stored: [Int: [String: String]] = [:]
    /// What was staged on what: the value that the window saw, and the one that it wants.
    private var staged: [Int: [String: (saw: String, wants: String)]] = [:]
    private var values = 0

    init(_ seed: UInt64) throws {
        (self.seed, numbers) = (seed, SeededGenerator(seed: seed))
        store = try SampleStore.shop()
        session = try StoreSession(.file(store.url), isEdited: true)
        other = try OtherProgram(store.url)
        for number in 1...12 { stored[number] = ["remark": "", "city": ""] }
    }

    func carryOut() async throws {
        for _ in 0..<25 {
            switch Int.random(in: 0..<10, using: &numbers) {
            case 0...4: try await editInWindow()
            case 5...7: try editElsewhere()
            case 8: try await undoAll()
            default: try await save()
            }
        }
        try await save()
        #expect(try contents() == stored, "seed \(seed)")
        #expect(try await shown() == stored, "seed \(seed)")
        try other.close()
    }

    private func newValue() -> String {
        values += 1
        return "value \(values)"
    }

    private func newKey() -> String { numbers.chance(50) ? "remark" : "city" }

    private func editInWindow() async throws {
        guard let number = stored.keys.sorted().randomElement(using: &numbers) else { return }
        let (key, value) = (newKey(), newValue())
        let saw = staged[number]?[key]?.saw ?? stored[number]?[key] ?? ""
        let body: JSON = [
            "action": ["kind": "set", "object": .text("Order/p\(number)"), "key": .text(key), "value": .text(value)],
            "client": .text(numbers.chance(50) ? "one" : "two"),
        ]
        _ = try await session.edit(JSONDecoder().decode(EditRequest.self, from: body.data()))
        staged[number, default: [:]][key] = (saw, value)
    }

    private func editElsewhere() throws {
        guard let number = stored.keys.sorted().randomElement(using: &numbers) else { return }
        if numbers.chance(15), stored.count > 4 {
            try other.change { context in context.delete(try #require(try context.order(number))) }
            stored[number] = nil
            return
        }
        let (key, value) = (newKey(), newValue())
        try other.change { try $0.order(number)?.setValue(value, forKey: key) }
        stored[number]?[key] = value
    }

    private func undoAll() async throws {
        _ = try await session.discardEdits(StepRequest())
        staged = [:]
    }

    private func save() async throws {
        var choices: [String: [String: ConflictChoices.Side]] = [:]
        for _ in 0..<3 {
            let answer = try await session.saveEdits(StepRequest(choices: choices))
            if answer["saved"] == true { return wasSaved(choices) }
            let conflicts = answer["conflicts"]?.array ?? []
            #expect(!conflicts.isEmpty, "seed \(seed)")
            for conflict in conflicts { choices[conflict["object"]?.text ?? ""] = choice(conflict) }
        }
        Issue.record("three saves found conflicts, and there was no other save between them; seed \(seed)")
    }

    private func choice(_ conflict: JSON) -> [String: ConflictChoices.Side] {
        if conflict["isGone"] == true { return ["": .theirs] }
        let names = (conflict["properties"]?.array ?? []).compactMap { $0["name"]?.text }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, numbers.chance(50) ? .mine : .theirs) })
    }

    /// What the store has now, by what was staged and told.
    private func wasSaved(_ choices: [String: [String: ConflictChoices.Side]]) {
        for (number, changes) in staged {
            guard stored[number] != nil else {
                #expect(choices["Order/p\(number)"]?[""] == .theirs, "a deletion was not told; seed \(seed)")
                continue
            }
            for (key, change) in changes {
                let theirs = stored[number]?[key] ?? ""
                let side = choices["Order/p\(number)"]?[key]
                if theirs != change.saw { #expect(side != nil, "\(theirs) was overwritten untold; seed \(seed)") }
                if side != .theirs { stored[number]?[key] = change.wants }
            }
        }
        staged = [:]
    }

    /// What another program reads.
    private func contents() throws -> [Int: [String: String]] {
        try other.read { context in
            let orders = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Order"))
            return Dictionary(
                uniqueKeysWithValues: orders.map { order in
                    func text(_ key: String) -> String { order.value(forKey: key) as? String ?? "" }
                    return (
                        order.value(forKey: "number") as? Int ?? 0, ["remark": text("remark"), "city": text("city")]
                    )
                })
        }
    }

    /// What the windows show.
    private func shown() async throws -> [Int: [String: String]] {
        let columns = ["number", "remark", "city"]
        let request = RowsRequest(query: RowQuery(entity: "Order"), from: 0, count: 50, columns: columns)
        let rows = try await session.rows(request)["rows"]?.array ?? []
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let cells = (row["cells"]?.array ?? []).map { $0.text ?? "" }
                return (Int(cells[0]) ?? 0, ["remark": cells[1], "city": cells[2]])
            })
    }
}
