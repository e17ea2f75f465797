import Dispatch
import Foundation
import Testing

@testable import CoreData

@Suite("Read transactions that stay open")
struct ReadTransactionTests {
    private let reader: ReaderStack
    private var stack: Stack { reader.stack }
    private var store: SQLiteStore { reader.store }

    init() throws { reader = try ReaderStack() }

    /// Whether the connection that serves a purpose has a transaction open between reads.
    private func keepsTransaction(_ purpose: ReadPurpose = .search) throws -> Bool {
        var session: SQLiteSession?
        try store.reading(for: purpose) { session = $0 }
        return session?.connection.isInTransaction ?? false
    }

    private func waits(_ condition: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<500 {
            if try condition() { return true }
            usleep(10_000)
        }
        return false
    }

    @Test(
        "reads that follow one another share a transaction, until a commit",
        arguments: [ReadPurpose.search, .lookup])
    func shared(purpose: ReadPurpose) throws {
        try store.reading(for: purpose) { _ = try $0.connection.integer("SELECT count(*) FROM ZPLAYER") }
        #expect(try keepsTransaction(purpose))
        try store.reading(for: purpose) { session throws in #expect(session.connection.isInTransaction) }
    }

    @Test("what another coordinator commits is seen by the next read, as is what one's own does")
    func othersCommits() throws {
        let reader = stack.context()
        let ids = try reader.performAndWait { try reader.all("Player").map(\.objectID) }
        let other = NSPersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
        let otherStore = try other.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.storeURL)
        for round in 0..<100 {
            let writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            writer.persistentStoreCoordinator = round.isMultiple(of: 3) ? stack.coordinator : other
            try writer.performAndWait {
                let player = try writer.all("Player", "age = 7")[0]
                player.setValue("Round \(round)", forKey: "name")
                try writer.save()
            }
            try reader.performAndWait {
                #expect(try reader.all("Player", "name = 'Round \(round)'").count == 1)
                // By key, past the row cache.
                let players = try ids.map { try reader.existingObject(with: $0) }
                for player in players { reader.refresh(player, mergeChanges: false) }
                #expect(players.filter { $0.string("name") == "Round \(round)" }.count == 1)
            }
        }
        try other.remove(otherStore)
    }

    @Test("an unused transaction ends by itself, and the log can be put away")
    func ending() throws {
        let log = try SQLiteConnection(path: stack.storeURL.path, access: .readWrite)
        defer { log.close() }
        try stack.work { context in
            _ = context.insert("Player", ["name": "Late"])
            try context.save()
            _ = try context.all("Player")
        }
        let isPutAway = try waits { try log.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 }
        #expect(isPutAway)
        let size = try FileManager.default.attributesOfItem(atPath: stack.storeURL.path + "-wal")[.size] as? Int
        #expect(size == 0)
    }

    @Test("reads without a pause do not keep another connection from putting the log away")
    func steadyReads() throws {
        nonisolated(unsafe) let stack = stack
        nonisolated(unsafe) var isOver = false
        let lock = NSLock()
        let reading = DispatchGroup()
        DispatchQueue.global().async(group: reading) {
            let context = stack.context()
            while !lock.withLock({ isOver }) {
                context.performAndWait { _ = try? context.all("Player", "age < 5") }
            }
        }
        let log = try SQLiteConnection(path: stack.storeURL.path, access: .readWrite, timeout: 2)
        for round in 0..<3 {
            try stack.work { context in
                _ = context.insert("Player", ["name": "Round \(round)"])
                try context.save()
            }
            #expect(try waits { try log.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 })
        }
        lock.withLock { isOver = true }
        reading.wait()
        log.close()
    }

    @Test("a fetch after each of many saves does not make the log grow")
    func savesAndFetches() throws {
        let context = stack.context()
        try context.performAndWait {
            for round in 0..<300 {
                for player in try context.all("Player") {
                    player.setValue(String(repeating: "\(round)", count: 400), forKey: "name")
                }
                try context.save()
                let id = try context.all("Player", "age = 3")[0].objectID
                _ = try context.existingObject(with: id)
            }
        }
        let size = try FileManager.default.attributesOfItem(atPath: stack.storeURL.path + "-wal")[.size] as? Int ?? 0
        // SQLite writes it back from a thousand pages on.
        #expect(size < 12 << 20, "\(size) bytes")
    }

    @Test("a state that a generation holds is the one of its beginning, whatever its connection had open before")
    func generations() throws {
        let (pinned, writer) = (stack.context(), stack.context())
        for round in 0..<20 {
            try pinned.performAndWait {
                _ = try pinned.all("Player")
                try pinned.setQueryGenerationFrom(nil)
                try pinned.setQueryGenerationFrom(.current)
                #expect(try pinned.all("Player").count == 50 + round)
            }
            try writer.performAndWait {
                _ = writer.insert("Player", ["name": "New"])
                try writer.save()
                #expect(try writer.all("Player").count == 51 + round)
            }
            try pinned.performAndWait { () throws in #expect(try pinned.all("Player").count == 50 + round) }
        }
    }

    @Test("rows are looked up in the file as the system has it in memory, unless the app says otherwise")
    func mapping() throws {
        try store.reading(for: .lookup) { session throws in
            #expect(try session.connection.integer("PRAGMA mmap_size") == 1 << 30)
        }
        try store.reading(for: .search) { session throws in
            #expect(try session.connection.integer("PRAGMA mmap_size") == 0)
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        let other = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.appendingPathComponent("Other.sqlite"),
            options: [NSSQLitePragmasOption: ["mmap_size": "0"] as NSDictionary])
        try (other as! SQLiteStore).reading(for: .lookup) { session throws in
            #expect(try session.connection.integer("PRAGMA mmap_size") == 0)
        }
        try coordinator.remove(other)
    }

    @Test("one connection serves both purposes where there may be no more")
    func onlyOne() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        let other = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.appendingPathComponent("One.sqlite"),
            options: [NSPersistentStoreConnectionPoolMaxSizeKey: NSNumber(value: 1)])
        var sessions: Set<ObjectIdentifier> = []
        for purpose in [ReadPurpose.search, .lookup, .search] {
            try (other as! SQLiteStore).reading(for: purpose) { _ = sessions.insert(ObjectIdentifier($0)) }
        }
        #expect(sessions.count == 1)
        try coordinator.remove(other)
    }
}
