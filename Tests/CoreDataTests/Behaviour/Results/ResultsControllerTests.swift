import CoreData
import Testing

@Suite("Results controller")
struct ResultsControllerTests {
    @Test("objects are in the request's order, in sections by key path; places and objects lead to each other")
    func sections() throws {
        try withPlayers { context throws in
            let controller = PlayerList(sort: ["group", "number"], sections: "group").controller(in: context)
            #expect(controller.fetchedObjects == nil && controller.sections == nil)
            try controller.performFetch()
            let sections = try #require(controller.sections)
            #expect(sections.map(\.name) == ["a", "b", "c"])
            #expect(sections.map(\.numberOfObjects) == [2, 1, 2])
            #expect(sections.map(\.indexTitle) == ["A", "B", "C"])
            #expect((sections[2].objects as? [NSManagedObject])?.map { $0.string("name") } == ["cleo", "dora"])
            #expect(controller.fetchedObjects?.map { $0.string("name") } == ["anna", "bert", "carl", "cleo", "dora"])
            for (section, info) in sections.enumerated() {
                for item in 0..<info.numberOfObjects {
                    let path = IndexPath(item: item, section: section)
                    #expect(controller.indexPath(forObject: controller.object(at: path)) == path)
                }
            }
            #expect(controller.indexPath(forObject: context.insert("Team")) == nil)
            #expect(controller.sectionNameKeyPath == "group" && controller.cacheName == nil)
            #expect(controller.managedObjectContext === context)
        }
    }

    @Test("without a section key path there is one section, also of nothing; numbers and nil make names too")
    func sectionNames() throws {
        try withPlayers { context throws in
            let plain = PlayerList(sort: ["number"], predicate: "age > 90").controller(in: context)
            try plain.performFetch()
            #expect(plain.sections?.map(\.name) == [""] && plain.sections?.first?.numberOfObjects == 0)
            #expect(plain.sectionIndexTitles == [])

            try context.all("Player", "name == 'dora'").forEach { $0.setValue(nil, forKey: "age") }
            let ages = PlayerList(sort: ["age", "number"], sections: "age").controller(in: context)
            try ages.performFetch()
            #expect(ages.sections?.map(\.name) == ["", "1", "2", "3"])
            #expect(ages.sections?.map(\.indexTitle) == [nil, "1", "2", "3"])
        }
    }

    @Test("a property that the class computes makes sections, which change with what it is computed from")
    func computedSections() throws {
        try withPlayers { context throws in
            let (controller, replay) = try PlayerList(sort: ["name", "number"], sections: "initial").followed(
                in: context)
            #expect(controller.sections?.map(\.name) == ["a", "b", "c", "d"])
            try #require(controller.fetchedObjects?.first).setValue("zoe", forKey: "name")
            context.processPendingChanges()
            #expect(replay.calls == ["delete section a 0", "insert section z 3", "move 0.0 3.0"])
        }
    }

    @Test("titles: each once, from the delegate or a subclass if they have some; a title leads to its first section")
    func indexTitles() throws {
        try withPlayers { context throws in
            try context.all("Player", "group == 'b'").forEach { $0.setValue("Cx", forKey: "group") }
            let list = PlayerList(sort: ["group", "number"], sections: "group")
            let controller = list.controller(in: context)
            try controller.performFetch()
            #expect(controller.sections?.map(\.name) == ["Cx", "a", "c"])
            #expect(controller.sectionIndexTitles == ["C", "A"])
            #expect(controller.section(forSectionIndexTitle: "A", at: 1) == 1)
            #expect(controller.section(forSectionIndexTitle: "C", at: 0) == 0)
            #expect(controller.sectionIndexTitle(forSectionName: "élan") == "É")

            let titles = TitleGiver()
            controller.delegate = titles
            #expect(controller.sectionIndexTitle(forSectionName: "a") == "<a>")
            #expect(controller.sections?.map(\.indexTitle) == ["<Cx>", "<a>", nil])
            #expect(controller.sectionIndexTitles == ["<Cx>", "<a>"])

            let own = TitledController(
                fetchRequest: list.request, managedObjectContext: context, sectionNameKeyPath: "group", cacheName: nil)
            own.delegate = titles
            try own.performFetch()
            #expect(own.sectionIndexTitles == ["-Cx-", "-a-", "-c-"])
            #expect(own.sections?.first?.indexTitle == "-Cx-")
        }
    }

    @Test(
        "calls come in order: sections that go and come, then objects that go, come, move, change, by places of table views"
    )
    func order() throws {
        try withPlayers { context throws in
            let (controller, replay) = try PlayerList(sort: ["group", "number"], sections: "group").followed(
                in: context)
            let players = try #require(controller.fetchedObjects)  // a: anna, bert; b: carl; c: cleo, dora
            context.delete(players[0])
            players[2].setValue("d", forKey: "group")
            players[4].setValue(9, forKey: "age")
            _ = context.insert("Player", ["name": "ada", "group": "aa", "number": 0])
            _ = context.insert("Player", ["name": "abe", "group": "c", "number": 0])
            context.processPendingChanges()
            #expect(
                replay.calls == [
                    "delete section b 1", "insert section aa 1", "insert section d 3", "delete 0.0 -", "insert - 1.0",
                    "insert - 2.0", "move 1.0 3.0", "update 2.1 2.2",
                ])
            #expect(replay.changeCount == 1)
        }
    }

    @Test("a move is told when what is sorted by was set, wherever the object stays; otherwise it is an update")
    func movesAndUpdates() throws {
        try withPlayers { context throws in
            let (controller, replay) = try PlayerList(sort: ["age", "number"]).followed(in: context)
            let last = try #require(controller.fetchedObjects?.last)
            last.setValue(50, forKey: "age")
            context.processPendingChanges()
            #expect(replay.calls == ["move 0.4 0.4"])
            last.setValue("zoe", forKey: "name")
            context.processPendingChanges()
            #expect(replay.calls == ["update 0.4 0.4"])
            last.setValue(0, forKey: "age")
            context.processPendingChanges()
            #expect(replay.calls == ["move 0.4 0.0"])
        }
    }

    @Test("a delegate's kind is what its class implements: snapshots before differences before calls for each object")
    func kinds() throws {
        try withPlayers { context throws in
            let plain = PlayerList(sort: ["number"]).controller(in: context)
            let sectioned = PlayerList(sort: ["group", "number"], sections: "group").controller(in: context)
            let all = Everything()
            let (forPlain, forSectioned) = (DifferencesAndCalls(), DifferencesAndCalls())
            let controllers = [plain, sectioned].flatMap { [$0, copy(of: $0)] }
            controllers[0].delegate = all
            controllers[1].delegate = forPlain
            controllers[3].delegate = forSectioned
            for controller in controllers { try controller.performFetch() }
            #expect(all.calls == ["snapshot"] && forPlain.calls == [])
            _ = context.insert("Player", ["name": "new", "number": 99, "group": "a"])
            context.processPendingChanges()
            #expect(all.calls == ["snapshot", "snapshot"])
            #expect(forPlain.calls == ["difference"])
            #expect(forSectioned.calls == ["will", "object", "did"])
            try context.save()
            // IDs that become permanent are news for delegates that are told IDs.
            #expect(all.calls.count == 3 && forPlain.calls == ["difference", "difference"])
            #expect(forSectioned.calls == ["will", "object", "did"])
        }
    }

    @Test(
        "a difference has moves; an update is an object that moves to where it is, with its permanent ID after a save")
    func differences() throws {
        try withPlayers { context throws in
            let controller = PlayerList(sort: ["age", "number"]).controller(in: context)
            let replay = DifferenceReplay()
            controller.delegate = replay
            try controller.performFetch()
            let players = try #require(controller.fetchedObjects)
            replay.ids = players.map(\.objectID)
            players[0].setValue(70, forKey: "age")
            players[2].setValue("zoe", forKey: "name")
            context.processPendingChanges()
            let last = try #require(replay.last)
            #expect(
                last.removals == [
                    .remove(offset: 0, element: players[0].objectID, associatedWith: 4),
                    .remove(offset: 2, element: players[2].objectID, associatedWith: 1),
                ])
            #expect(
                last.insertions == [
                    .insert(offset: 1, element: players[2].objectID, associatedWith: 2),
                    .insert(offset: 4, element: players[0].objectID, associatedWith: 0),
                ])
            _ = context.insert("Player", ["age": 80, "number": 80])
            context.processPendingChanges()
            #expect(replay.ids.last?.isTemporaryID == true)
            try context.save()
            #expect(replay.ids.last?.isTemporaryID == false)
            #expect(replay.ids == controller.fetchedObjects?.map(\.objectID))
        }
    }

    @Test("snapshots come after each fetch and change, with what changed in place as reloaded items")
    func snapshots() throws {
        try withPlayers { context throws in
            let controller = PlayerList(sort: ["group", "number"], sections: "group").controller(in: context)
            let replay = SnapshotReplay()
            controller.delegate = replay
            try controller.performFetch()
            #expect(replay.count == 1)
            #expect(replay.snapshot.sectionIdentifiers == ["a", "b", "c"])
            #expect(replay.snapshot.itemIdentifiers == controller.fetchedObjects?.map(\.objectID))
            let player = controller.object(at: IndexPath(item: 1, section: 2))
            player.setValue("zoe", forKey: "name")
            context.processPendingChanges()
            #expect(replay.count == 2)
            #expect(replay.snapshot.reloadedItemIdentifiers == [player.objectID])
            #expect(replay.snapshot.itemIdentifiers(inSection: "c").last == player.objectID)
            context.delete(player)
            context.processPendingChanges()
            #expect(replay.snapshot.numberOfItems(inSection: "c") == 1)
            #expect(replay.snapshot.reloadedItemIdentifiers == [])
        }
    }

    @Test("without a delegate nothing is followed; what was missed is told with the first change after")
    func noTracking() throws {
        try withPlayers { context throws in
            let controller = PlayerList(sort: ["number"]).controller(in: context)
            try controller.performFetch()
            let before = controller.fetchedObjects
            _ = context.insert("Player", ["number": -1])
            context.processPendingChanges()
            #expect(controller.fetchedObjects == before)
            let replay = ObjectReplay()
            controller.delegate = replay
            replay.start(controller)
            _ = context.insert("Player", ["number": 100])
            context.processPendingChanges()
            #expect(replay.calls == ["insert - 0.0", "insert - 0.6"])
            controller.delegate = nil
            try context.all("Player").forEach(context.delete)
            context.processPendingChanges()
            #expect(controller.fetchedObjects?.count == 7)
            try controller.performFetch()
            #expect(controller.fetchedObjects == [])
        }
    }

    @Test("a changed request counts from the next fetch on, and what changes until then is judged by the old one")
    func changedRequest() throws {
        try withPlayers { context throws in
            let (controller, replay) = try PlayerList(sort: ["number"], predicate: "age < 3").followed(in: context)
            #expect(controller.fetchedObjects?.count == 3)
            controller.fetchRequest.predicate = NSPredicate(format: "age >= 3")
            controller.fetchRequest.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            _ = context.insert("Player", ["age": 1, "number": 50, "name": "young"])
            _ = context.insert("Player", ["age": 10, "number": 51, "name": "old"])
            context.processPendingChanges()
            #expect(replay.calls == ["insert - 0.3"])
            try controller.performFetch()
            #expect(controller.fetchedObjects?.map { $0.string("name") } == ["old", "dora", "cleo"])
        }
    }

    @Test("what others save comes by merging: also objects that were not here and become results")
    func merging() throws {
        let stack = try Stack(ResultsModel.make())
        let other = stack.context()
        try stack.work { context throws in
            fill(context)
            try context.save()
            context.automaticallyMergesChangesFromParent = false
            context.reset()
            let (controller, replay) = try PlayerList(sort: ["number"], predicate: "group == 'b'").followed(in: context)
            let saves = Collector(.NSManagedObjectContextDidSave, of: other)
            try other.performAndWait {
                let anna = try #require(try other.all("Player", "name == 'anna'").first)
                anna.setValue("b", forKey: "group")
                _ = other.insert("Player", ["number": 40, "group": "b"])
                try other.save()
            }
            let note = Notification(
                name: .NSManagedObjectContextDidSave, object: other, userInfo: saves.payloads.last)
            context.mergeChanges(fromContextDidSave: note)
            #expect(replay.calls == ["insert - 0.0", "insert - 0.2"])
            #expect(controller.fetchedObjects?.first?.string("name") == "anna")
        }
    }

    @Test("an unsaved object loses a destination that others deleted, and with it its place in the results")
    func mergedDeletion() throws {
        let stack = try Stack(ResultsModel.make())
        let other = stack.context()
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            try context.save()
            let (controller, replay) = try PlayerList(sort: ["number"], predicate: "team != nil").followed(in: context)
            _ = context.insert("Player", ["number": 1, "team": team])
            context.processPendingChanges()
            #expect(replay.calls == ["insert - 0.0"])
            let saves = Collector(.NSManagedObjectContextDidSave, of: other)
            let userInfo = try other.performAndWait {
                try other.all("Team").forEach(other.delete)
                try other.save()
                return saves.payloads.last
            }
            context.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSave, object: other, userInfo: userInfo))
            #expect(replay.calls == ["delete 0.0 -"])
            #expect(controller.fetchedObjects == [])
        }
    }

    @Test("rollback takes insertions out of the results, and brings back what was deleted")
    func rollback() throws {
        try withPlayers { context throws in
            try context.save()
            let (controller, replay) = try PlayerList(sort: ["number"]).followed(in: context)
            _ = context.insert("Player", ["number": -1])
            context.delete(try #require(controller.fetchedObjects?.last))
            context.processPendingChanges()
            #expect(replay.calls == ["delete 0.4 -", "insert - 0.0"])
            context.rollback()
            #expect(replay.calls == ["delete 0.0 -", "insert - 0.4"])
        }
    }

    @Test(
        "what a key path through a relationship reaches moves objects when it changes, and a limit lets others follow")
    func otherObjects() throws {
        try withPlayers { context throws in
            let bulls = context.insert("Team", ["name": "Bulls"])
            let heat = context.insert("Team", ["name": "Heat"])
            for (index, player) in try context.all("Player", sortedBy: "number").enumerated() {
                player.setValue(index < 2 ? bulls : heat, forKey: "team")
            }
            try context.save()
            let (byTeam, replay) = try PlayerList(
                sort: ["team.name", "number"], sections: "team.name"
            ).followed(in: context)
            let (plain, list) = try PlayerList(sort: ["team.name", "number"]).followed(in: context)
            let (firstTwo, window) = try PlayerList(sort: ["number"], limit: 2).followed(in: context)
            bulls.setValue("Jazz", forKey: "name")
            context.processPendingChanges()
            #expect(
                replay.calls == [
                    "delete section Bulls 0", "insert section Jazz 1", "move 0.0 1.0", "move 0.1 1.1",
                ])
            // The three of the other team stay where they are.
            #expect(list.calls == ["move 0.0 0.3", "move 0.1 0.4"])
            context.delete(try #require(firstTwo.fetchedObjects?.first))
            context.processPendingChanges()
            #expect(window.calls == ["delete 0.0 -", "insert - 0.1"])
            #expect(byTeam.fetchedObjects == plain.fetchedObjects)
        }
    }

    @Test("a delegate may change objects and process them: what comes of it is told after the change under way")
    func changesWithinCalls() throws {
        try withPlayers { context throws in
            let controller = PlayerList(sort: ["number"]).controller(in: context)
            let delegate = Meddler(context)
            controller.delegate = delegate
            try controller.performFetch()
            _ = context.insert("Player", ["number": 10])
            context.processPendingChanges()
            #expect(delegate.calls == ["will", "insert", "did", "will", "insert", "did"])
            #expect(controller.fetchedObjects?.count == 7)
        }
    }

    @Test("a controller of a class hands its delegate one of any results, which equals it and shows the same")
    func standIn() throws {
        try withPlayers { context throws in
            let request = NSFetchRequest<ListedPlayer>(entityName: "Player")
            request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
            let typed = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            let untyped = NSFetchedResultsController<any NSFetchRequestResult>(
                fetchRequest: NSFetchRequest(entityName: "Player", like: request), managedObjectContext: context,
                sectionNameKeyPath: nil, cacheName: nil)
            let keeper = ControllerKeeper()
            for isTyped in [true, false] {
                if isTyped { typed.delegate = keeper } else { untyped.delegate = keeper }
                try typed.performFetch()
                try untyped.performFetch()
                let number = isTyped ? 60 : 61
                _ = context.insert("Player", ["number": number])
                context.processPendingChanges()
                let seen = try #require(keeper.controller)
                #expect((seen == typed) == isTyped && (seen == untyped) != isTyped)
                #expect((seen === typed) == isTyped && (seen !== untyped) == isTyped)
                let last = IndexPath(row: isTyped ? 5 : 6, section: 0)
                #expect((seen.object(at: last) as? NSManagedObject)?.value(forKey: "number") as? Int == number)
                #expect((seen.fetchedObjects as? [ListedPlayer])?.count == last.row + 1)
                #expect(seen.indexPath(forObject: seen.object(at: last)) == last)
                #expect(seen.fetchRequest.predicate == nil && seen.fetchRequest.entityName == "Player")
                (typed.delegate, untyped.delegate) = (nil, nil)
            }
            #expect(typed.object(at: IndexPath(row: 0, section: 0)).string("name") == "anna")
        }
    }

    @Test("reset tells the delegate nothing; the results are fetched anew, and later changes are told")
    func reset() throws {
        try withPlayers { context throws in
            try context.save()
            let (controller, replay) = try PlayerList(sort: ["number"]).followed(in: context)
            _ = context.insert("Player", ["number": 70])
            context.processPendingChanges()
            #expect(replay.calls == ["insert - 0.5"])
            context.reset()
            #expect(replay.calls == ["insert - 0.5"])
            #expect(controller.fetchedObjects?.count == 5)
            #expect(controller.fetchedObjects?.map { $0.string("name") }.first == "anna")
            replay.start(controller)
            try #require(controller.fetchedObjects?.first).setValue("zoe", forKey: "name")
            context.processPendingChanges()
            #expect(replay.calls.count == 1 && replay.calls.last?.hasPrefix("update") == true, "\(replay.calls)")
        }
    }

    @Test("an empty array of sort descriptors is accepted: new objects come last, and changes move nothing")
    func unsorted() throws {
        try withPlayers { context throws in
            try context.save()
            let (controller, replay) = try PlayerList(sort: []).followed(in: context)
            #expect(Set(controller.fetchedObjects?.compactMap { $0.string("name") } ?? []).count == 5)
            let new = context.insert("Player", ["name": "aaron", "number": -1])
            context.processPendingChanges()
            #expect(controller.fetchedObjects?.last == new && replay.calls == ["insert - 0.5"])
            new.setValue("zoe", forKey: "name")
            context.processPendingChanges()
            #expect(replay.calls.last?.hasPrefix("update") == true, "\(replay.calls)")
            context.delete(new)
            context.processPendingChanges()
            #expect(controller.fetchedObjects?.count == 5 && replay.calls.last?.hasPrefix("delete") == true)
        }
    }

    @Test(
        "objects of a section that are no neighbours, and requests for other things than objects, are errors of the fetch"
    )
    func errors() throws {
        try withPlayers { context throws in
            try context.all("Player", "name == 'anna'").forEach { $0.setValue(3, forKey: "age") }
            let list = PlayerList(sort: ["number"], sections: "age")
            let scattered = list.controller(in: context)
            let error = try #require(thrown { try scattered.performFetch() })
            #expect(error.code == NSPersistentStoreOperationError)
            #expect(error.localizedDescription.contains("sort by what \"age\" comes from first"))
            #expect(scattered.fetchedObjects == nil)

            let ids = PlayerList(sort: ["number"]).controller(in: context)
            ids.fetchRequest.resultType = .managedObjectIDResultType
            #expect(thrown { try ids.performFetch() }?.localizedDescription.contains("resultType") == true)
        }
    }

    @Test("a request without sort descriptors, a place without object, a title at another place trap with a sentence")
    func traps() async {
        let unsorted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withPlayers { context throws in
                _ = NSFetchedResultsController(
                    fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Player"), managedObjectContext: context,
                    sectionNameKeyPath: nil, cacheName: nil)
            }
        }
        #expect(words(unsorted).contains("set sortDescriptors of the fetch request for Player"))
        let place = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withPlayers { context throws in
                let controller = PlayerList(sort: ["number"]).controller(in: context)
                try controller.performFetch()
                _ = controller.object(at: IndexPath(row: 5, section: 0))
            }
        }
        #expect(words(place).contains("There is no object at [0, 5]: the results have 1 sections with [5] objects."))
        let title = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withPlayers { context throws in
                let controller = PlayerList(sort: ["group", "number"], sections: "group").controller(in: context)
                try controller.performFetch()
                _ = controller.section(forSectionIndexTitle: "B", at: 0)
            }
        }
        #expect(words(title).contains("\"B\" is not at 0 of sectionIndexTitles"))
    }
}

/// Five players in a new store, unsaved: anna, bert, carl, cleo, dora, numbered, in the groups a, a, b, c, c, 1, 1, 2,
/// 3, 3 years old.
func withPlayers(_ body: (NSManagedObjectContext) throws -> Void) throws {
    try Stack(ResultsModel.make()).work { context throws in
        fill(context)
        try body(context)
    }
}

func fill(_ context: NSManagedObjectContext) {
    let players = [("anna", "a", 1), ("bert", "a", 1), ("carl", "b", 2), ("cleo", "c", 3), ("dora", "c", 3)]
    for (number, (name, group, age)) in players.enumerated() {
        _ = context.insert("Player", ["name": name, "group": group, "age": age, "number": number])
    }
}

private func copy(of controller: NSFetchedResultsController<NSManagedObject>) -> NSFetchedResultsController<
    NSManagedObject
> {
    NSFetchedResultsController(
        fetchRequest: controller.fetchRequest, managedObjectContext: controller.managedObjectContext,
        sectionNameKeyPath: controller.sectionNameKeyPath, cacheName: nil)
}

extension NSFetchRequest {
    /// The same order for results of another type.
    fileprivate convenience init(entityName: String, like other: AnyFetchRequest) {
        self.init(entityName: entityName)
        sortDescriptors = other.sortDescriptors
    }
}

private final class TitleGiver: NSFetchedResultsControllerDelegate {
    func controller(_ controller: AnyController, sectionIndexTitleForSectionName sectionName: String) -> String? {
        sectionName == "c" ? nil : "<\(sectionName)>"
    }
}

private final class TitledController: NSFetchedResultsController<NSManagedObject> {
    override func sectionIndexTitle(forSectionName sectionName: String) -> String? { "-\(sectionName)-" }
}

private class DifferencesAndCalls: NSFetchedResultsControllerDelegate {
    fileprivate(set) var calls: [String] = []

    func controllerWillChangeContent(_ controller: AnyController) { calls.append("will") }
    func controllerDidChangeContent(_ controller: AnyController) { calls.append("did") }

    func controller(
        _ controller: AnyController, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        calls.append("object")
    }

    func controller(_ controller: AnyController, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>) {
        calls.append("difference")
    }
}

private final class Everything: NSFetchedResultsControllerDelegate {
    private(set) var calls: [String] = []

    func controllerWillChangeContent(_ controller: AnyController) { calls.append("will") }
    func controllerDidChangeContent(_ controller: AnyController) { calls.append("did") }

    func controller(_ controller: AnyController, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>) {
        calls.append("difference")
    }

    func controller(
        _ controller: AnyController, didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        calls.append("snapshot")
    }
}

/// A delegate that inserts another player when it hears of the first.
private final class Meddler: NSFetchedResultsControllerDelegate {
    private let context: NSManagedObjectContext
    private(set) var calls: [String] = []

    init(_ context: NSManagedObjectContext) { self.context = context }

    func controllerWillChangeContent(_ controller: AnyController) { calls.append("will") }
    func controllerDidChangeContent(_ controller: AnyController) { calls.append("did") }

    func controller(
        _ controller: AnyController, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        calls.append("\(type)")
        guard calls.count == 2 else { return }
        _ = context.insert("Player", ["number": 11])
        context.processPendingChanges()
    }
}

private final class ControllerKeeper: NSFetchedResultsControllerDelegate {
    private(set) var controller: AnyController?

    func controllerDidChangeContent(_ controller: AnyController) { self.controller = controller }
}
