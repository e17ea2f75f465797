import CoreData
import Foundation
import Testing

@Suite("Batch deletions")
struct BatchDeleteTests {
    private let stack: Stack

    init() throws {
        stack = try Stack(BatchLeague.make())
        try stack.work { context throws in
            let sponsors = ["S1", "S2"].map { context.insert("Sponsor", ["name": $0]) }
            for team in ["Heat", "Bulls"] {
                let object = context.insert("Team", ["name": team, "sponsors": NSSet(array: sponsors)])
                for number in 1...3 {
                    _ = context.insert(
                        number == 3 ? "Captain" : "Player", ["name": "\(team)\(number)", "team": object, "age": number])
                    let note = context.insert("Note", ["text": "\(team)\(number)", "team": object])
                    let pages = ["a", "b"].map { context.insert("Page", ["text": $0]) }
                    note.setValue(NSOrderedSet(array: pages), forKey: "pages")
                }
            }
            try context.save()
        }
    }

    private func names(_ context: NSManagedObjectContext, _ entity: String = "Player") throws -> [String] {
        try context.all(entity, sortedBy: "name").compactMap { $0.string("name") }
    }

    // MARK: Which rows

    @Test("what the fetch request finds goes, rows of subentities too")
    func predicate() throws {
        try stack.work { context throws in
            let ids = try context.ids(NSManagedObjectContext.deletion("Player", "team.name == 'Heat'"))
            #expect(ids.count == 3 && Set(ids.compactMap(\.entity.name)) == ["Player", "Captain"])
            #expect(try names(context) == ["Bulls1", "Bulls2", "Bulls3"])
        }
    }

    @Test("order, limit and offset of the fetch request count")
    func window() throws {
        try stack.work { context throws in
            let oldest = NSFetchRequest<NSManagedObject>(entityName: "Player")
            oldest.sortDescriptors = [
                NSSortDescriptor(key: "age", ascending: false), NSSortDescriptor(key: "name", ascending: true),
            ]
            (oldest.fetchLimit, oldest.fetchOffset) = (2, 1)
            let request = NSBatchDeleteRequest(fetchRequest: oldest)
            request.resultType = .resultTypeCount
            let result = try #require(try context.execute(request) as? NSBatchDeleteResult)
            #expect(result.result as? Int == 2 && result.resultType == .resultTypeCount)
            #expect(try names(context) == ["Bulls1", "Bulls3", "Heat1", "Heat2"])
        }
    }

    @Test("objects of several entities go by their IDs, and IDs without a row are passed over")
    func objectIDs() throws {
        try stack.work { context throws in
            let player = try context.all("Player", "name == 'Heat1'")[0].objectID
            let sponsor = try context.all("Sponsor", "name == 'S1'")[0].objectID
            let request = NSBatchDeleteRequest(objectIDs: [player, sponsor, player])
            #expect(Set(try context.ids(request)) == [player, sponsor])
            #expect(try context.ids(request) == [])
            #expect(try context.ids(NSBatchDeleteRequest(objectIDs: [])) == [])
            #expect(try names(context).count == 5)
            #expect(try names(context, "Sponsor") == ["S2"])
        }
    }

    // MARK: Delete rules

    @Test("cascades go on, and nullified relationships lose the rows")
    func rules() throws {
        try stack.work { context throws in
            let ids = try context.ids(NSManagedObjectContext.deletion("Team", "name == 'Heat'"))
            #expect(ids.first?.entity.name == "Team")
            #expect(
                Dictionary(grouping: ids) { $0.entity.name ?? "" }.mapValues(\.count) == [
                    "Team": 1, "Note": 3, "Page": 6,
                ])
            #expect(try context.count("Note") == 3)
            #expect(try context.count("Page") == 6)
            let left = try context.all("Player", "team == nil", sortedBy: "name").compactMap { $0.string("name") }
            #expect(left == ["Heat1", "Heat2", "Heat3"])
            for sponsor in try context.all("Sponsor") { #expect(sponsor.names("teams") == ["Bulls"]) }
        }
    }

    @Test("a nullified row gets its next version")
    func versions() throws {
        try stack.work { context throws in
            let player = try context.all("Player", "name == 'Heat1'")[0]
            player.setValue(9, forKey: "age")
            _ = try stack.work { try $0.execute(NSManagedObjectContext.deletion("Team")) }
            #expect(thrown { try context.save() }?.code == NSManagedObjectMergeError)
        }
    }

    @Test("Deny keeps everything where a row leads to one that stays")
    func deny() throws {
        try stack.work { context throws in
            let player = try context.all("Player", "name == 'Heat1'")[0]
            _ = context.insert("Contract", ["player": player])
            try context.save()
            let error = try #require(thrown { _ = try context.execute(NSManagedObjectContext.deletion("Player")) })
            #expect(error.code == NSValidationRelationshipDeniedDeleteError)
            #expect(error.localizedDescription.contains("Player.contracts"))
            #expect(try context.count("Player") == 6)
            _ = try context.execute(NSManagedObjectContext.deletion("Contract"))
            _ = try context.execute(NSManagedObjectContext.deletion("Player"))
            #expect(try context.count("Player") == 0)
        }
    }

    @Test("a mandatory inverse that would become nil keeps everything")
    func mandatory() throws {
        try stack.work { context throws in
            let team = try context.all("Team", "name == 'Heat'")[0]
            _ = context.insert("Ground", ["team": team])
            try context.save()
            let error = try #require(thrown { _ = try context.execute(NSManagedObjectContext.deletion("Team")) })
            #expect(error.code == NSValidationMissingMandatoryPropertyError)
            #expect(try context.count("Team") == 2)
            #expect(try context.count("Note") == 6)
            _ = try context.execute(NSManagedObjectContext.deletion("Ground"))
            _ = try context.execute(NSManagedObjectContext.deletion("Team"))
            #expect(try context.count("Team") == 0)
        }
    }

    @Test("files of external data go with their rows")
    func files() throws {
        _ = try stack.saved("Player", ["name": "X", "photo": Data(repeating: 1, count: 200_000)])
        let files = stack.folder.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 1)
        try stack.work { _ = try $0.execute(NSManagedObjectContext.deletion("Player", "name == 'X'")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).isEmpty)
    }

    // MARK: Contexts

    @Test("merged IDs take the objects out of a context, and relationships to them become nil")
    func merging() throws {
        let viewer = stack.context()
        try viewer.performAndWait {
            let team = try viewer.all("Team", "name == 'Heat'")[0]
            let player = try viewer.all("Player", "name == 'Heat1'")[0]
            #expect(player.object("team") === team)
            let ids = try stack.work { try $0.ids(NSManagedObjectContext.deletion("Team", "name == 'Heat'")) }
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [viewer])
            #expect(player.object("team") == nil)
            #expect(team.managedObjectContext == nil || team.isDeleted)
            #expect(!viewer.hasChanges || viewer.deletedObjects.isEmpty)
        }
    }

    @Test("a results controller shows a merged deletion")
    func controller() throws {
        let viewer = stack.context()
        try viewer.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: viewer, sectionNameKeyPath: nil, cacheName: nil)
            let delegate = Follower()
            controller.delegate = delegate
            try controller.performFetch()
            let ids = try stack.work { try $0.ids(NSManagedObjectContext.deletion("Player", "age < 3")) }
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [viewer])
            #expect(controller.fetchedObjects?.compactMap { $0.string("name") } == ["Bulls3", "Heat3"])
        }
    }

    @Test("a request has a copy of the fetch request, and copies are the same")
    func request() throws {
        let fetch = NSFetchRequest<NSManagedObject>(entityName: "Player")
        fetch.predicate = NSPredicate(format: "age > 1")
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        fetch.predicate = nil
        #expect(request.fetchRequest.predicate == NSPredicate(format: "age > 1"))
        #expect(request.requestType == .batchDeleteRequestType)
        let copy = try #require(request.copy() as? NSBatchDeleteRequest)
        #expect(copy.fetchRequest.predicate == NSPredicate(format: "age > 1"))
        #expect(NSBatchDeleteRequestResultType.resultTypeCount.rawValue == 2)
    }
}

/// A delegate that only makes its controller follow.
private final class Follower: NSFetchedResultsControllerDelegate {
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
}
