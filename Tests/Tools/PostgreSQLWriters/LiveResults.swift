import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer
import Synchronization

/// A results controller in this process, and another process that saves: how long it takes until the controller tells
/// its delegate.
///
/// The context is a container's view context, which merges by itself what others save. The time begins when the other
/// process begins to save.
final class LiveResults: Sendable {
    private let saves: Int
    private let url: URL
    /// When the delegate was told of a player.
    private let told = Mutex<[String: UInt64]>([:])
    private let isTold = DispatchSemaphore(value: 0)

    init(saves: Int) throws {
        self.saves = saves
        guard let url = URL(string: try PostgreSQLServer.shared.newDatabase()) else { throw CocoaError(.formatting) }
        self.url = url
    }

    /// Prints the milliseconds of each save, and then the median, the 95th percentile and the longest time. Then the
    /// process ends.
    @MainActor
    func run() throws {
        let container = try open()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: container.viewContext, sectionNameKeyPath: nil, cacheName: nil)
        let listener = Listener { [self] names in note(names) }
        controller.delegate = listener
        try controller.performFetch()
        Thread.detachNewThread { [self] in
            do {
                report(try measure())
                exit(0)
            } catch {
                print(error)
                exit(2)
            }
        }
        withExtendedLifetime((container, controller, listener)) { RunLoop.main.run() }
    }

    @MainActor
    private func open() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Live", managedObjectModel: WritersStore.model())
        let description = NSPersistentStoreDescription(url: url)
        description.type = NSPostgreSQLStoreType
        for (key, value) in Saver.options {
            if let key = key as? String, let value = value as? NSObject { description.setOption(value, forKey: key) }
        }
        container.persistentStoreDescriptions = [description]
        let failure = Mutex<(any Error)?>(nil)
        container.loadPersistentStores { _, error in failure.withLock { $0 = error } }
        if let failure = failure.withLock({ $0 }) { throw failure }
        container.viewContext.automaticallyMergesChangesFromParent = true
        return container
    }

    private func note(_ names: [String]) {
        let time = Saver.time()
        told.withLock { told in
            for name in names where told[name] == nil { told[name] = time }
        }
        isTold.signal()
    }

    // MARK: The other process

    /// - Returns: The milliseconds of each save.
    private func measure() throws -> [Double] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["save", url.absoluteString]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        return try (0..<saves).map { number in
            // No save comes at a moment that the one before it chose.
            usleep(UInt32.random(in: 5_000...60_000))
            try input.fileHandleForWriting.write(contentsOf: Data("Player \(number)\n".utf8))
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            guard let start = line.split(separator: " ").first.flatMap({ UInt64($0) }) else {
                throw CocoaError(.formatting)
            }
            return Double(try timeTold("Player \(number)") - start) / 1e6
        }
    }

    private func timeTold(_ name: String) throws -> UInt64 {
        while true {
            if let time = told.withLock({ $0[name] }) { return time }
            guard isTold.wait(timeout: .now() + 30) == .success else {
                throw CocoaError(.coderValueNotFound, userInfo: ["reason": "\(name) did not come within 30 seconds."])
            }
        }
    }

    private func report(_ times: [Double]) {
        for (number, time) in times.enumerated() { print("save \(number): \(String(format: "%.2f", time)) ms") }
        let sorted = times.sorted()
        func part(_ share: Double) -> String {
            String(format: "%.2f", sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))])
        }
        print("median \(part(0.5)) ms, 95th percentile \(part(0.95)) ms, longest \(part(1)) ms")
    }
}

/// Tells the names of all players after each change.
private final class Listener: NSFetchedResultsControllerDelegate {
    private let tell: @Sendable ([String]) -> Void

    init(_ tell: @escaping @Sendable ([String]) -> Void) { self.tell = tell }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        let players = controller.fetchedObjects as? [NSManagedObject] ?? []
        tell(players.compactMap { $0.value(forKey: "name") as? String })
    }
}
