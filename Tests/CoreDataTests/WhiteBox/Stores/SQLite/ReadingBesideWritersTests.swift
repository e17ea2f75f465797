import Dispatch
import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite("Reading beside writers")
struct ReadingBesideWritersTests {
    private let reader: ReaderStack
    private var stack: Stack { reader.stack }
    private var store: SQLiteStore { reader.store }

    init() throws { reader = try ReaderStack() }

    /// Runs a block on another thread; whether it ended within some seconds.
    private func endsElsewhere(_ block: @escaping @Sendable () throws -> Void) -> Bool {
        let end = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.global().async {
            do { try block() } catch { failure.withLock { $0 = error } }
            end.signal()
        }
        let isOver = end.wait(timeout: .now() + 10) == .success
        failure.withLock { error in if let error { Issue.record(error) } }
        return isOver
    }

    @Test("fetches, counts, faults and to-manys are answered while a write transaction is open")
    func openTransaction() throws {
        let stack = stack
        nonisolated(unsafe) let unsafeStack = stack
        try stack.coordinator.writing {
            try store.connection.write {
                try store.connection.execute("UPDATE ZPLAYER SET ZNAME = 'nobody' WHERE ZAGE = 7")
                let isAnswered = endsElsewhere {
                    try unsafeStack.work { context in
                        let team = try context.all("Team")[0]
                        #expect(team.names("players").count == 50)
                        let found = try context.all("Player", "name CONTAINS[cd] 'PLAYER 7'")
                        #expect(found.map { $0.string("name") } == ["Player 7"])
                        context.refresh(found[0], mergeChanges: false)
                        #expect(found[0].string("name") == "Player 7")
                        let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
                        #expect(try context.count(for: request) == 50)
                        request.predicate = NSPredicate(format: "name MATCHES 'Player [0-4]'")
                        #expect(try context.count(for: request) == 5)
                    }
                }
                #expect(isAnswered, "a fetch waited for the writer")
                try store.connection.execute("UPDATE ZPLAYER SET ZNAME = 'Player 7' WHERE ZAGE = 7")
            }
        }
    }

    @Test("a writer does not wait for a read under way, which sees what was there when it began")
    func openRead() throws {
        nonisolated(unsafe) let stack = stack
        try store.reading { session in
            let statement = try SQLiteStatement("SELECT ZNAME FROM ZPLAYER ORDER BY ZAGE", on: session.connection)
            #expect(try statement.step())
            let isSaved = endsElsewhere {
                try stack.work { context in
                    for player in try context.all("Player") { player.setValue("changed", forKey: "name") }
                    try context.save()
                }
            }
            #expect(isSaved, "a save waited for a reader")
            var names = [statement.text(0) ?? ""]
            while try statement.step() { names.append(statement.text(0) ?? "") }
            #expect(names == (0..<50).map { "Player \($0)" })
        }
        try stack.work { context throws in #expect(try context.all("Player", "name = 'changed'").count == 50) }
    }

    @Test("a context sees at its next fetch what another has saved, whichever connection it reads by")
    func readYourWrites() throws {
        let (writer, reader) = (stack.context(), stack.context())
        for round in 0..<200 {
            try writer.performAndWait {
                _ = writer.insert("Player", ["name": "Round \(round)", "age": 1000 + round])
                try writer.save()
            }
            // Another connection has the pages that it knows from before.
            try reader.performAndWait { () throws in
                #expect(
                    try reader.all("Player", "age = \(1000 + round)").map { $0.string("name") } == ["Round \(round)"])
            }
            if round.isMultiple(of: 10) {
                try store.reading { _ in
                    try reader.performAndWait { () throws in #expect(try reader.all("Player").count == 51 + round) }
                }
            }
        }
    }

    // MARK: How many connections

    private func openStore(_ name: String, _ options: [String: Any]) throws -> SQLiteStore {
        let url = name == "/dev/null" ? URL(fileURLWithPath: name) : stack.folder.appendingPathComponent(name)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        return store as! SQLiteStore
    }

    @Test("as many connections read as the option says; the next reader waits")
    func poolSize() throws {
        let store = try openStore(
            "Two.sqlite", [NSPersistentStoreConnectionPoolMaxSizeKey: NSNumber(value: 2)])
        let (isWaiting, isServed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try store.reading { _ in
            let isServedAtOnce = endsElsewhere { try store.reading { _ in } }
            #expect(isServedAtOnce)
            let isSecondServed = endsElsewhere {
                try store.reading { _ in
                    DispatchQueue.global().async {
                        isWaiting.signal()
                        try? store.reading { _ in _ = isServed.signal() }
                    }
                    isWaiting.wait()
                    #expect(isServed.wait(timeout: .now() + 0.2) == .timedOut)
                }
            }
            #expect(isSecondServed)
            #expect(isServed.wait(timeout: .now() + 10) == .success)
        }
        try store.close()
    }

    @Test("a read inside of a read does not wait for itself, though there is one connection")
    func nestedReads() throws {
        let store = try openStore(
            "One.sqlite", [NSPersistentStoreConnectionPoolMaxSizeKey: NSNumber(value: 1)])
        let isOver = endsElsewhere {
            try store.reading { outer in try store.reading { #expect($0 !== outer) } }
        }
        #expect(isOver)
        try store.close()
    }

    @Test(
        "one connection serves stores that can't be read beside a writer: no log, in memory, read-only, or by choice",
        arguments: ["pragma", "memory", "readOnly", "option", "exclusive"])
    func oneConnection(kind: String) throws {
        let store =
            switch kind {
            case "pragma":
                try openStore(
                    "Delete.sqlite",
                    [NSSQLitePragmasOption: ["journal_mode": "DELETE"] as [String: String] as NSDictionary])
            case "memory": try openStore("/dev/null", [:])
            case "readOnly": try openStore("Store.sqlite", [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
            case "exclusive":
                try openStore(
                    "Mine.sqlite",
                    [NSSQLitePragmasOption: ["locking_mode": "EXCLUSIVE"] as [String: String] as NSDictionary])
            default: try openStore("Zero.sqlite", [NSPersistentStoreConnectionPoolMaxSizeKey: NSNumber(value: 0)])
            }
        try store.reading { #expect($0 === store.main) }
        try store.close()
    }

    @Test("pragmas of connections are set on those that read, too")
    func pragmas() throws {
        let pragmas = ["cache_size": "-321", "user_version": "7"] as NSDictionary
        let store = try openStore("Pragmas.sqlite", [NSSQLitePragmasOption: pragmas])
        try store.reading { session throws in
            #expect(session !== store.main)
            #expect(try session.connection.integer("PRAGMA cache_size") == -321)
        }
        #expect(try store.connection.integer("PRAGMA user_version") == 7)
        try store.close()
    }

    // MARK: Stores that go

    @Test("removing a store waits for reads; afterwards it is asked no more, and nothing is left of its log")
    func removing() throws {
        nonisolated(unsafe) let stack = stack
        let store = store
        let (isReading, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchQueue.global().async {
            try? store.reading { session in
                isReading.signal()
                mayEnd.wait()
                _ = try? session.connection.integer("SELECT count(*) FROM ZPLAYER")
            }
        }
        isReading.wait()
        let context = stack.context()
        let isRemoved = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            try? stack.coordinator.remove(store)
            isRemoved.signal()
        }
        #expect(isRemoved.wait(timeout: .now() + 0.2) == .timedOut)
        mayEnd.signal()
        #expect(isRemoved.wait(timeout: .now() + 10) == .success)
        #expect(!FileManager.default.fileExists(atPath: stack.storeURL.path + "-wal"))
        #expect(throws: StoreIsClosed.self) { try store.reading { _ in } }
        let error = context.performAndWait { thrown { _ = try context.all("Player") } }
        #expect(error?.domain == NSCocoaErrorDomain)
    }

    @Test("fetches go on while a store is moved back and forth")
    func moving() throws {
        nonisolated(unsafe) let stack = stack
        let isOver = Atomic<Bool>(false)
        let count = Atomic<Int>(0)
        let reading = DispatchGroup()
        for _ in 0..<2 {
            DispatchQueue.global().async(group: reading) {
                while !isOver.load(ordering: .relaxed) {
                    do {
                        try stack.work { context throws in #expect(try context.all("Player").count == 50) }
                        count.add(1, ordering: .relaxed)
                    } catch {
                        Issue.record(error)
                        return count.store(.max / 2, ordering: .relaxed)
                    }
                }
            }
        }
        for number in 0..<8 {
            let before = count.load(ordering: .relaxed)
            while count.load(ordering: .relaxed) < before + 2 { usleep(1000) }
            let url = stack.folder.appendingPathComponent("Moved \(number).sqlite")
            try stack.coordinator.migratePersistentStore(
                stack.coordinator.persistentStores[0], to: url, withType: NSSQLiteStoreType)
        }
        isOver.store(true, ordering: .relaxed)
        reading.wait()
    }
}
