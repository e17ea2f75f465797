import Foundation
import RandomSeeds
import Testing

@testable import CoreData

/// The files that collect the pages of a transaction: the log has to be what SQLite's own files would have made it.
///
/// Connections that only read go through SQLite's own files.
struct WriteAheadLogTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test(
        "After each commit, another connection and a copy without the shared index find all of a random transaction",
        arguments: SeededGenerator.seeds(40, full: 2000))
    func randomTransactions(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let database = try LoggedDatabase(in: folder.url, using: &random)
        for _ in 0..<20 {
            let isKept = !random.chance(20)
            try database.transaction(of: random.chance(25) ? 200 : 8, isKept: isKept, using: &random)
            if random.chance(15) { try database.insertElsewhere() }
            let content = try database.content(database.connection)
            #expect(try database.contentElsewhere() == content, "seed \(seed)")
            #expect(try database.contentOfCopy() == content, "seed \(seed)")
        }
    }

    @Test(
        "A transaction that outgrew the cache and was taken back does not touch what another connection writes next",
        arguments: [false, true])
    func takenBackTransaction(inExclusiveMode isExclusive: Bool) throws {
        let database = try LoggedDatabase(in: folder.url, pageSize: 4096, cacheSize: 5)
        if isExclusive { try database.connection.execute("PRAGMA locking_mode = EXCLUSIVE") }
        try database.insert(bytes: 1)
        try database.connection.execute("BEGIN IMMEDIATE")
        // Some of these pages have to leave the cache, and no more than are collected.
        try database.insert(bytes: 40_000)
        if isExclusive { try database.connection.execute("PRAGMA locking_mode = NORMAL") }
        try database.connection.execute("ROLLBACK")
        for _ in 0..<3 { try database.insertElsewhere() }
        try database.insert(bytes: 2)
        #expect(try database.connection.integer("SELECT count(*) FROM item") == 5)
        let after = try database.content(database.connection)
        #expect(try database.contentElsewhere() == after)
        #expect(try database.contentOfCopy() == after)
    }

    @Test("Pages of every size come to the log", arguments: [512, 1024, 4096, 32768, 65536])
    func pageSizes(size: Int) throws {
        var random = SeededGenerator(seed: 1)
        let database = try LoggedDatabase(in: folder.url, pageSize: size, cacheSize: 20)
        for _ in 0..<5 { try database.transaction(of: 50, isKept: true, using: &random) }
        #expect(try database.connection.integer("PRAGMA page_size") == Int64(size))
        #expect(try database.contentOfCopy() == database.content(database.connection))
    }
}

/// A database with a table and an index, written through files that collect pages.
private struct LoggedDatabase {
    let connection: SQLiteConnection
    private let url: URL

    init(in folder: URL, using random: inout SeededGenerator) throws {
        try self.init(
            in: folder, pageSize: 512 << Int.random(in: 0..<8, using: &random),
            cacheSize: Int.random(in: 1...30, using: &random))
        try connection.execute("PRAGMA synchronous = \(Int.random(in: 0...3, using: &random))")
        try connection.execute("PRAGMA wal_autocheckpoint = \([10, 100, 1000].randomElement(using: &random)!)")
        if random.chance(30) { try connection.execute("PRAGMA journal_size_limit = 20000") }
    }

    init(in folder: URL, pageSize: Int, cacheSize: Int) throws {
        url = folder.appendingPathComponent("Logged.sqlite")
        connection = try SQLiteConnection(path: url.path, access: .create)
        let statements = [
            "PRAGMA page_size = \(pageSize)", "PRAGMA journal_mode = WAL", "PRAGMA cache_size = \(cacheSize)",
            "CREATE TABLE item (key INTEGER PRIMARY KEY, number INTEGER, bytes BLOB)",
            "CREATE INDEX item_number ON item (number)",
        ]
        for statement in statements { try connection.execute(statement) }
    }

    /// Runs random statements, some of which read.
    func transaction(of count: Int, isKept: Bool, using random: inout SeededGenerator) throws {
        try connection.execute("BEGIN IMMEDIATE")
        for _ in 0..<count { try connection.execute(statement(using: &random)) }
        try connection.execute(isKept ? "COMMIT" : "ROLLBACK")
    }

    private func statement(using random: inout SeededGenerator) -> String {
        let (number, key) = (Int.random(in: 0..<1000, using: &random), Int.random(in: 1...300, using: &random))
        return switch Int.random(in: 0..<6, using: &random) {
        case 0...2: "INSERT INTO item (number, bytes) VALUES (\(number), zeroblob(\(random.chance(10) ? 9000 : 100)))"
        case 3: "UPDATE item SET number = \(number) WHERE key = \(key)"
        case 4: "DELETE FROM item WHERE key = \(key)"
        default: "SELECT sum(length(bytes)) FROM item WHERE number < \(number)"
        }
    }

    func insert(bytes: Int) throws {
        try connection.execute("INSERT INTO item (number, bytes) VALUES (1, zeroblob(\(bytes)))")
    }

    func insertElsewhere() throws {
        let other = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { other.close() }
        try other.execute("INSERT INTO item (number, bytes) VALUES (5, x'05')")
    }

    /// What the table has, or what is wrong with it.
    func content(_ connection: SQLiteConnection) throws -> String? {
        let state = try connection.text("PRAGMA integrity_check")
        guard state == "ok" else { return state }
        return try connection.text(
            "SELECT count(*) || ' ' || total(key * 7 + number) || ' ' || total(length(bytes)) FROM item")
    }

    func contentElsewhere() throws -> String? {
        let reader = try SQLiteConnection(path: url.path, access: .readOnly)
        defer { reader.close() }
        return try content(reader)
    }

    /// What SQLite recovers from copies of the file and its log, as after a loss of power.
    func contentOfCopy() throws -> String? {
        let copy = url.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: copy.path + suffix)
            if suffix == "-shm" || !FileManager.default.fileExists(atPath: url.path + suffix) { continue }
            try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
        }
        let connection = try SQLiteConnection(path: copy.path, access: .readWrite)
        defer { connection.close() }
        return try content(connection)
    }
}
