import CoreData
import Testing

@Suite("Changes of results as a sequence", .timeLimit(.minutes(5)))
struct ResultsChangesTests {
    @Test("the first change leads to the results as they are; IDs that become permanent are updates")
    func content() async throws {
        let (stack, context) = try stack()
        let changes = try await context.perform {
            let controller = PlayerList(sort: ["group", "number"], sections: "group").controller(in: context)
            try controller.performFetch()
            return controller.changes()
        }
        var iterator = changes.makeAsyncIterator()
        var content: [FetchedResultsSection] = []
        let first = try #require(await iterator.next())
        first.apply(to: &content)
        #expect(content.map(\.name) == ["a", "b", "c"] && content.map(\.objectIDs.count) == [2, 1, 2])
        #expect(first.objects.allSatisfy { $0.type == .insert && $0.objectID.isTemporaryID })
        try await context.perform { try context.save() }
        let second = try #require(await iterator.next())
        #expect(second.objects.count == 5 && second.sections.isEmpty)
        #expect(second.objects.allSatisfy { $0.type == .update && $0.replacedID?.isTemporaryID == true })
        second.apply(to: &content)
        #expect(content.flatMap(\.objectIDs).allSatisfy { !$0.isTemporaryID })
        withExtendedLifetime(stack) {}
    }

    @Test("a slow reader loses nothing, and keeps the results alive by itself")
    func slowReader() async throws {
        let (stack, context) = try stack()
        let changes = try await context.perform {
            let controller = PlayerList(sort: ["number"]).controller(in: context)
            try controller.performFetch()
            return controller.changes()
        }
        let expected = try await context.perform {
            for number in 10..<110 {
                _ = context.insert("Player", ["number": number])
                context.processPendingChanges()
            }
            return try context.all("Player", sortedBy: "number").map(\.objectID)
        }
        var content: [FetchedResultsSection] = []
        var count = 0
        for await change in changes {
            change.apply(to: &content)
            count += 1
            if count == 101 { break }
        }
        #expect(content.flatMap(\.objectIDs) == expected)
        withExtendedLifetime(stack) {}
    }

    @Test("a cancelled task's reading ends, and the controller follows nothing for it any longer")
    func cancellation() async throws {
        let (stack, context) = try stack()
        let box = try await context.perform {
            let controller = PlayerList(sort: ["number"]).controller(in: context)
            try controller.performFetch()
            return ControllerBox(controller: controller)
        }
        let changes = await context.perform { box.controller.changes() }
        let task = Task {
            var count = 0
            for await _ in changes { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value <= 1)
        await context.perform {
            // Nor for a sequence that is not kept.
            _ = box.controller.changes()
            _ = context.insert("Player", ["number": 77])
            context.processPendingChanges()
            #expect(box.controller.fetchedObjects?.count == 5)
        }
        withExtendedLifetime(stack) {}
    }

    @Test("several readers and a delegate are told the same, also of what a new fetch finds")
    func severalReaders() async throws {
        let (stack, context) = try stack()
        let replay = ObjectReplay()
        let box = ControllerBox(controller: PlayerList(sort: ["number"]).controller(in: context), delegate: replay)
        let sequences = try await context.perform {
            let sequences = [box.controller.changes(), box.controller.changes()]
            try box.controller.performFetch()
            box.controller.delegate = box.delegate
            box.delegate?.start(box.controller)
            _ = context.insert("Player", ["number": 50])
            context.processPendingChanges()
            box.controller.fetchRequest.predicate = NSPredicate(format: "number > 1")
            try box.controller.performFetch()
            return sequences
        }
        let expected = await context.perform { box.controller.fetchedObjects?.map(\.objectID) }
        for sequence in sequences {
            var content: [FetchedResultsSection] = []
            var iterator = sequence.makeAsyncIterator()
            for _ in 0..<3 { try #require(await iterator.next()).apply(to: &content) }
            #expect(content.flatMap(\.objectIDs) == expected)
        }
        withExtendedLifetime(stack) {}
    }

    private func stack() throws -> (Stack, NSManagedObjectContext) {
        let stack = try Stack(ResultsModel.make())
        let context = stack.context()
        context.performAndWait { fill(context) }
        return (stack, context)
    }
}

/// A controller and its delegate, which are used on the context's queue only.
private struct ControllerBox: @unchecked Sendable {
    let controller: NSFetchedResultsController<NSManagedObject>
    var delegate: ObjectReplay?
}
