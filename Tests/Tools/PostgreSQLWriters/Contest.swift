import CoreData
import Foundation
import PostgreSQLServer
import RandomSeeds
import Synchronization

/// A server, the processes that change a store in it, and what must be true at the end.
struct Contest {
    private static let processes = 8
    private static let policies: [(name: String, type: NSMergePolicyType)] = [
        ("error", .errorMergePolicyType), ("store trumps", .mergeByPropertyStoreTrumpMergePolicyType),
        ("object trumps", .mergeByPropertyObjectTrumpMergePolicyType), ("overwrite", .overwriteMergePolicyType),
        ("rollback", .rollbackMergePolicyType),
    ]

    private let seconds: Double
    private let isBroken: Bool
    private let seed: UInt64

    init(_ arguments: [String]) throws {
        seconds = arguments.first.flatMap { Double($0) } ?? 60
        isBroken = arguments.dropFirst().first == "broken"
        seed = arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? 1
    }

    /// - Returns: Whether all is as it must be. What is not is printed.
    func run() throws -> Bool {
        let server = try PostgreSQLServer(durability: isBroken ? .full : .none, settings: ["max_connections": "200"])
        var isGood = true
        for (index, policy) in Self.policies.enumerated() {
            let direct = try server.newDatabase()
            guard let url = URL(string: direct) else { return false }
            try WritersStore.fill(url)
            let ledger = try write(
                server, direct, policy.type, seed &* 1_000 &+ UInt64(index) &* 100)
            var problems = try Self.problems(url, acknowledged: ledger.saved, refused: ledger.refused)
            if ledger.saved.isEmpty { problems.append("no process saved") }
            if !ledger.isAsMeant { problems.append("nothing was broken") }
            // Nothing but other writers is in the way of a calm run.
            if !isBroken { problems += ledger.failures }
            print(
                "\(policy.name): \(ledger.saved.count) saves, \(ledger.refused.count) refused, \(problems.isEmpty ? "all is right" : "PROBLEMS")"
            )
            problems.prefix(20).forEach { print("  " + $0) }
            isGood = isGood && problems.isEmpty
        }
        return isGood
    }

    // MARK: Processes

    private func write(
        _ server: PostgreSQLServer, _ direct: String, _ policy: NSMergePolicyType, _ seed: UInt64
    ) throws -> (saved: [String], refused: [String], failures: [String], isAsMeant: Bool) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("writers-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let faults = isBroken ? try Faults(server, direct, seed) : nil
        let share = seconds / Double(Self.policies.count)
        let writers = try (0..<Self.processes).map { number in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            // Half of the processes of a broken run have connections that break.
            let url = number % 2 == 0 ? direct : faults?.url ?? direct
            process.arguments = [
                "work", url, "\(policy.rawValue)", "\(share)", "\(seed + UInt64(number))",
                folder.appendingPathComponent("\(number)").path,
            ]
            try process.run()
            return process
        }
        writers.forEach { $0.waitUntilExit() }
        try faults?.end()
        guard writers.allSatisfy({ $0.terminationStatus == 0 }) else { throw CocoaError(.executableLoad) }
        let lines = try (0..<Self.processes).flatMap { number in
            try String(contentsOf: folder.appendingPathComponent("\(number)"), encoding: .utf8).split(separator: "\n")
        }
        let marked = { (mark: Character) in lines.filter { $0.first == mark }.map { String($0.dropFirst()) } }
        return (marked("+"), marked("-"), marked("!"), faults?.haveCome ?? true)
    }

    // MARK: What must be true

    private static func problems(_ url: URL, acknowledged: [String], refused: [String]) throws -> [String] {
        let context = WritersStore.context(try WritersStore.open(url))
        return try context.performAndWait {
            let name = { (object: NSManagedObject) in object.value(forKey: "name") as? String ?? "" }
            let entries = try WritersStore.all("Entry", in: context).map(name)
            let (known, told) = (Set(entries), Set(acknowledged))
            var problems = told.subtracting(known).map { "lost: \($0)" }
            problems += known.subtracting(told).map { "saved, but not told: \($0)" }
            problems += known.intersection(refused).map { "saved, but told to be refused: \($0)" }
            if known.count != entries.count { problems.append("\(entries.count - known.count) saves are there twice") }
            let sum = try WritersStore.all("Counter", in: context).reduce(0) {
                $0 + ($1.value(forKey: "value") as? Int64 ?? 0)
            }
            let counted = Int64(entries.count { $0.hasPrefix("count") })
            if sum != counted { problems.append("counters say \(sum), and \(counted) saves counted") }
            let players = try WritersStore.all("Player", in: context)
            if Set(players.map(name)).count != players.count { problems.append("two players have the same name") }
            for team in try WritersStore.all("Team", in: context) {
                for (own, theirs) in [("players", "team"), ("fans", "favourites"), ("captains", "captaincies")] {
                    let members = members(of: team, own)
                    let owned = players.filter { Self.members(of: $0, theirs).contains(team) }
                    if Set(members) != Set(owned) || members.count != owned.count {
                        problems.append("team \(name(team)): its \(own) do not agree with their \(theirs)")
                    }
                }
            }
            return problems
        }
    }

    private static func members(of object: NSManagedObject, _ key: String) -> [NSManagedObject] {
        switch object.value(forKey: key) {
        case let one as NSManagedObject: [one]
        case let members as NSOrderedSet: members.array as? [NSManagedObject] ?? []
        case let members as Set<NSManagedObject>: Array(members)
        default: []
        }
    }
}

/// What breaks while the processes save.
private final class Faults: Sendable {
    /// Where connections break.
    let url: String
    private let server: PostgreSQLServer
    private let proxy: CuttingProxy
    private let isEnding = Atomic<Bool>(false)
    private let restarts = Atomic<Int>(0)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ server: PostgreSQLServer, _ direct: String, _ seed: UInt64) throws {
        self.server = server
        let random = Mutex(SeededGenerator(seed: seed))
        proxy = try CuttingProxy(to: server) {
            random.withLock {
                Int.random(in: Int.random(in: 0..<10, using: &$0) == 0 ? 0...2_000 : 2_000...60_000, using: &$0)
            }
        }
        url = proxy.url(database: String(URLComponents(string: direct)?.path.dropFirst() ?? "postgres"))
        Thread.detachNewThread { [self] in
            while !isEnding.load(ordering: .relaxed) {
                usleep(random.withLock { UInt32.random(in: 100_000...700_000, using: &$0) })
                if random.withLock({ $0.chance(70) }) {
                    endSessions()
                } else if (try? server.stop(.immediate)) != nil {
                    try? server.start()
                    restarts.add(1, ordering: .relaxed)
                }
            }
            hasEnded.signal()
        }
    }

    /// Whether the server was stopped, and connections were cut.
    var haveCome: Bool { restarts.load(ordering: .relaxed) > 0 && proxy.cutCount > 0 }

    /// Ends a third of all sessions.
    private func endSessions() {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: server.program("psql"))
        process.arguments = [
            "-X", "-q", server.url, "-c",
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND random() < 0.3",
        ]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return }
        process.waitUntilExit()
    }

    /// Waits until nothing breaks any more, and the server runs.
    func end() throws {
        isEnding.store(true, ordering: .relaxed)
        hasEnded.wait()
        proxy.stop()
        try server.start()
    }
}
