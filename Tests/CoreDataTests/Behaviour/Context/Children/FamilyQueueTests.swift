import CoreData
import Foundation
import RandomSeeds
import Testing

/// Contexts of one family that wait for each other, each test in a process of its own that is ended where it hangs.
@Suite("Queues of families of contexts")
struct FamilyQueueTests {
    /// Makes a parent and a child that merges by itself, and has the parent save and wait for the child many times.
    private static func saveAndWait(parent type: NSManagedObjectContextConcurrencyType) throws {
        let stack = try Stack(LeagueModel.make())
        let parent = stack.context(type)
        let child = parent.makeChild()
        child.automaticallyMergesChangesFromParent = true
        try parent.performAndWait {
            let teams = (0..<20).map { parent.insert("Team", ["name": "\($0)"]) }
            for round in 0..<100 {
                for team in teams { team.setValue("\(round)", forKey: "name") }
                try parent.save()
                let names = try child.performAndWait { try child.all("Team").map { $0.string("name") } }
                #expect(Set(names) == ["\(round)"])
            }
        }
    }

    @Test("a main-queue parent saves and waits for a private child that merges by itself")
    func mergingChildOfMain() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            try await MainActor.run { try FamilyQueueTests.saveAndWait(parent: .mainQueueConcurrencyType) }
        }
    }

    @Test("a private parent saves and waits for a private child that merges by itself")
    func mergingChildOfPrivate() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            try FamilyQueueTests.saveAndWait(parent: .privateQueueConcurrencyType)
        }
    }

    @Test("a main-queue parent waits for a child while an earlier block of the child asks the parent")
    func askingChild() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            try await MainActor.run {
                let stack = try Stack(LeagueModel.make())
                let parent = stack.context(.mainQueueConcurrencyType)
                let child = parent.makeChild()
                _ = parent.insert("Team", ["name": "Heat"])
                for round in 1...100 {
                    child.perform {
                        _ = child.insert("Team", ["name": "Bulls"])
                        try? child.save()
                    }
                    let count = try child.performAndWait { try child.all("Team").count }
                    #expect(count == round + 1)
                }
                #expect(parent.insertedObjects.count == 101)
            }
        }
    }

    @Test("what a main-queue parent is asked while it waits runs on the main thread")
    func mainThread() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            try await MainActor.run {
                let stack = try Stack(LeagueModel.make())
                let parent = stack.context(.mainQueueConcurrencyType)
                let child = parent.makeChild()
                let observer = NotificationCenter.default.addObserver(
                    forName: .NSManagedObjectContextObjectsDidChange, object: parent, queue: nil
                ) { _ in MainActor.assumeIsolated {} }
                for _ in 0..<100 {
                    child.perform {
                        _ = child.insert("Team", ["name": "Bulls"])
                        try? child.save()
                    }
                    child.performAndWait {}
                }
                NotificationCenter.default.removeObserver(observer)
            }
        }
    }

    @Test(
        "an observer that waits for ever, for a context that asks the saving one, ends the program; the sentence names the contexts"
    )
    func observerThatWaits() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            alarm(60)
            let stack = try Stack(LeagueModel.make())
            let root = stack.context()
            let parent = root.makeChild()
            let child = parent.makeChild()
            child.name = "the child"
            let childRuns = DispatchSemaphore(value: 0)
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: root, queue: nil
            ) { _ in
                child.perform {
                    childRuns.signal()
                    _ = try? child.all("Team")
                }
                childRuns.wait()
                child.performAndWait {}
            }
            try parent.performAndWait {
                _ = parent.insert("Team", ["name": "Heat"])
                try parent.save()
            }
            withExtendedLifetime((stack, observer)) {}
        }
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains("wait for each other for ever") && text.contains("the child"), "\(text)")
    }

    @Test("a lent queue is back before its lender goes on, also where the main thread runs a block for the lender")
    func lentFromMain() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            for _ in 0..<20 {
                let stack = try Stack(LeagueModel.make())
                let (first, second) = (stack.context(), stack.context())
                let child = second.makeChild(.mainQueueConcurrencyType)
                let otherOnMain = stack.context(.mainQueueConcurrencyType)
                let users = Ordered()
                let hasSecond = DispatchSemaphore(value: 0)
                async let asking: Void = onThread {
                    try first.performAndWait {
                        hasSecond.wait()
                        // The main thread asks for this thread, and has to wait for the other.
                        _ = try child.performAndWait { try child.all("Team") }
                        users.append(1)
                        Thread.sleep(forTimeInterval: 0.002)
                        users.append(-1)
                    }
                }
                async let borrowing: Void = onThread {
                    second.performAndWait {
                        hasSecond.signal()
                        Thread.sleep(forTimeInterval: 0.02)
                        first.performAndWait {
                            users.append(2)
                            otherOnMain.performAndWait {}
                            Thread.sleep(forTimeInterval: 0.002)
                            users.append(-2)
                        }
                    }
                }
                _ = try await (asking, borrowing)
                let numbers = users.numbers
                #expect(numbers[0] == -numbers[1] && numbers[2] == -numbers[3], "\(numbers)")
            }
        }
    }

    @Test("blocks of a queue run in the order in which they came, whether anything waits for them")
    func order() throws {
        let context = try Stack(LeagueModel.make()).context()
        let order = Ordered()
        for round in 0..<200 {
            context.perform { order.append(round * 2) }
            if round.isMultiple(of: 3) { context.performAndWait { order.append(round * 2 + 1) } }
        }
        context.performAndWait {}
        #expect(order.numbers == order.numbers.sorted() && order.numbers.count == 267)
    }

    @Test("random families of contexts, used from several threads, come to an end and lose nothing")
    func random() async {
        await #expect(processExitsWith: .success) {
            for seed in SeededGenerator.seeds(40, full: 1000) {
                print("family of contexts: COREDATA_TEST_SEED=\(seed)")
                alarm(60)
                try await FamilyDriver(seed: seed, waitsAnywhere: false).run()
            }
        }
    }

    @Test("random families with blocks that wait for each other in any order come to an end and lose nothing")
    func anyOrder() async {
        await #expect(processExitsWith: .success) {
            for seed in SeededGenerator.seeds(40, full: 1000) {
                print("family of contexts in any order: COREDATA_TEST_SEED=\(seed)")
                alarm(60)
                try await FamilyDriver(seed: seed, waitsAnywhere: true).run()
            }
        }
    }
}

/// Runs a block on a thread of its own.
private func onThread(_ block: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try block() }) }.start()
    }
}

/// Numbers that several threads note.
private final class Ordered: @unchecked Sendable {
    // Unchecked: under the lock.
    private let lock = NSLock()
    private var list: [Int] = []

    var numbers: [Int] { lock.withLock { list } }
    func append(_ number: Int) { lock.withLock { list.append(number) } }
}
