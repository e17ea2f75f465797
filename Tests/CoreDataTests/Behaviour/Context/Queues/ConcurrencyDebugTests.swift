import CoreData
import Dispatch
import Foundation
import Testing

/// What a program does on the wrong queue; each runs in a process of its own.
@Suite("The concurrency debug switch")
struct ConcurrencyDebugTests {
    @Test("reading an object outside of its context's queue traps, and the sentence names the context")
    func reading() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Program { context, player in
                context.name = "import"
                _ = player.value(forKey: "name")
            }.run()
        }
        #expect(result.map(text)?.contains("the private-queue context \"import\" or one of its objects") ?? false)
        #expect(result.map(text)?.contains("perform { }") ?? false)
    }

    @Test("so do writing, fetching, inserting, saving and the rest")
    func others() async {
        await #expect(processExitsWith: .failure) {
            try Program { _, player in player.setValue("x", forKey: "name") }.run()
        }
        await #expect(processExitsWith: .failure) { try Program { context, _ in _ = try context.all("Player") }.run() }
        await #expect(processExitsWith: .failure) { try Program { context, _ in _ = context.insert("Player") }.run() }
        await #expect(processExitsWith: .failure) { try Program { context, _ in try context.save() }.run() }
        await #expect(processExitsWith: .failure) {
            try Program { context, player in context.delete(player) }.run()
        }
        await #expect(processExitsWith: .failure) { try Program { context, _ in context.reset() }.run() }
        await #expect(processExitsWith: .failure) {
            try Program { context, player in _ = context.object(with: player.objectID) }.run()
        }
    }

    @Test(
        "on the queue, in nested blocks and after a jump to the main queue's context nothing traps; identity can be asked for anywhere"
    )
    func allowed() async {
        await #expect(processExitsWith: .success) {
            try Program { context, player in
                _ = (player.objectID, player.isFault, player.hasChanges, player.entity.name)
                try context.performAndWait {
                    player.setValue("Bosh", forKey: "name")
                    try context.performAndWait { try context.save() }
                }
                DispatchQueue.global().sync { context.performAndWait { _ = player.value(forKey: "name") } }
                let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
                main.persistentStoreCoordinator = context.persistentStoreCoordinator
                nonisolated(unsafe) let player = player
                DispatchQueue.main.async {
                    let same = main.object(with: player.objectID)
                    exit(same.value(forKey: "name") as? String == "Bosh" ? 0 : 1)
                }
                // The main queue has a thread of its own here.
                Thread.sleep(forTimeInterval: 60)
                exit(1)
            }.run()
        }
    }

    @Test("without the switch nothing is checked")
    func off() async {
        await #expect(processExitsWith: .success) {
            try Program(isOn: false) { _, player in _ = player.value(forKey: "name") }.run()
        }
    }

    private func text(_ result: ExitTest.Result) -> String {
        String(decoding: result.standardErrorContent, as: UTF8.self)
    }
}

/// A program that is started with the switch, has a context with one saved player, and does something outside of its
/// queue.
private struct Program {
    private let body: (NSManagedObjectContext, NSManagedObject) throws -> Void

    init(isOn: Bool = true, _ body: @escaping (NSManagedObjectContext, NSManagedObject) throws -> Void) {
        if isOn { setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1) }
        self.body = body
    }

    func run() throws {
        let stack = try Stack(LeagueModel.make())
        let context = stack.context()
        let player = try context.performAndWait {
            let player = context.insert("Player", ["name": "Wade"])
            try context.save()
            return player
        }
        try withExtendedLifetime(stack) { try body(context, player) }
    }
}
