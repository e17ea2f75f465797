import CoreData
import Foundation
import Testing

/// The ten cases at the end of the article Conflicts.
@Suite("Ten cases of conflicts")
struct ConflictCasesTests {
    enum Edit: Sendable {
        case set(String, Int)
        case rename(String)
        case delete

        func apply(to player: NSManagedObject) {
            switch self {
            case .set(let key, let value): player.setValue(value, forKey: key)
            case .rename(let name): player.setValue(name, forKey: "name")
            case .delete: player.managedObjectContext?.delete(player)
            }
        }
    }

    enum Outcome: Equatable, Sendable {
        case fails(Int)
        case stored(name: String, age: Int)
        case gone
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let number: Int
        let policy: NSMergePolicyType
        let theirs: Edit
        let ours: Edit
        let outcome: Outcome

        var testDescription: String { "case \(number)" }
    }

    static let cases = [
        Case(
            number: 1, policy: .errorMergePolicyType, theirs: .set("age", 41), ours: .rename("Flash"),
            outcome: .fails(NSManagedObjectMergeError)),
        Case(
            number: 2, policy: .mergeByPropertyStoreTrumpMergePolicyType, theirs: .set("age", 41),
            ours: .rename("Flash"), outcome: .stored(name: "Flash", age: 41)),
        Case(
            number: 3, policy: .mergeByPropertyStoreTrumpMergePolicyType, theirs: .set("age", 41),
            ours: .set("age", 42), outcome: .stored(name: "Wade", age: 41)),
        Case(
            number: 4, policy: .mergeByPropertyObjectTrumpMergePolicyType, theirs: .set("age", 41),
            ours: .set("age", 42), outcome: .stored(name: "Wade", age: 42)),
        Case(
            number: 5, policy: .overwriteMergePolicyType, theirs: .set("age", 41), ours: .rename("Flash"),
            outcome: .stored(name: "Flash", age: 40)),
        Case(
            number: 6, policy: .rollbackMergePolicyType, theirs: .set("age", 41), ours: .rename("Flash"),
            outcome: .stored(name: "Wade", age: 41)),
        Case(
            number: 7, policy: .mergeByPropertyObjectTrumpMergePolicyType, theirs: .delete, ours: .rename("Flash"),
            outcome: .stored(name: "Flash", age: 40)),
        Case(
            number: 8, policy: .mergeByPropertyStoreTrumpMergePolicyType, theirs: .delete, ours: .rename("Flash"),
            outcome: .gone),
        Case(
            number: 9, policy: .mergeByPropertyObjectTrumpMergePolicyType, theirs: .set("age", 41), ours: .delete,
            outcome: .gone),
        Case(
            number: 10, policy: .mergeByPropertyStoreTrumpMergePolicyType, theirs: .set("age", 41), ours: .delete,
            outcome: .stored(name: "Wade", age: 41)),
    ]

    @Test("each case has the outcome that the article says", arguments: cases)
    func outcome(conflict: Case) throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.saved("Player", ["name": "Wade", "age": 40])
        let ours = stack.context()
        let outcome = try ours.work { context throws in
            context.mergePolicy = NSMergePolicy(merge: conflict.policy)
            let player = context.object(with: id)
            #expect(player.string("name") == "Wade")
            try stack.work { other throws in
                conflict.theirs.apply(to: other.object(with: id))
                try other.save()
            }
            conflict.ours.apply(to: player)
            do { try context.save() } catch { return Outcome.fails((error as NSError).code) }
            #expect(!context.hasChanges)
            return try stored(id, in: stack)
        }
        #expect(outcome == conflict.outcome)
    }

    /// What the store has under an ID.
    private func stored(_ id: NSManagedObjectID, in stack: Stack) throws -> Outcome {
        var outcome = Outcome.gone
        try stack.reopened { context throws in
            let url = id.uriRepresentation()
            let all = try context.all("Player").filter { $0.objectID.uriRepresentation() == url }
            guard let player = all.first else { return }
            outcome = .stored(
                name: try #require(player.string("name")), age: try #require(player.value(forKey: "age") as? Int))
        }
        return outcome
    }
}
