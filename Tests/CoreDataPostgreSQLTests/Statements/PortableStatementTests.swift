import CoreData
import Foundation
import PostgreSQLServer
import Testing

@testable import CoreDataPostgreSQL

/// What a cluster of several nodes can't do, or does slowly.
@Suite("Statements for more than one node")
struct PortableStatementTests {
    /// Words that no statement on the way of an app may have, and why.
    private static let words = [
        ("advisory", "a lock of one node, which a pooler gives to another client"),
        ("ctid", "the place of a row, which no other node has"),
        ("currval", "what a session did last, which a pooler gives to another client"),
        ("lastval", "what a session did last"),
        ("lock table", "a lock of all rows"),
        ("serializable", "a mode that makes others fail"),
        ("temporary", "a table of one session"),
        ("temp table", "a table of one session"),
        ("declare ", "a cursor, which holds a transaction open"),
    ]

    @Test("requests, saves and batches need no order of keys, no lock of tables, and no session")
    func recorded() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folders = ["CoreDataPostgreSQLTests/Expected", "CoreDataTests/WhiteBox/SQL/Expected/postgresql"]
        var count = 0
        for folder in folders.map({ tests.appendingPathComponent($0) }) {
            for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
                for line in try Self.statements(file) {
                    count += 1
                    try Self.check(line, in: file.lastPathComponent)
                }
            }
        }
        #expect(count > 300)
    }

    @Test("neither do the statements that a program really sends while it opens a store, saves, fetches and deletes")
    func sent() throws {
        let server = try PostgreSQLServer(settings: ["log_statement": "all"])
        let store = try NamedStore(on: server)
        // The first program makes the tables and the functions, behind a lock.
        _ = try store.open(NamedModel().make())
        try store.run("SELECT 'the beginning'")
        let context = try store.open(NamedModel().make())
        try context.performAndWait {
            let band = context.insert("Band", ["name": "Can", "labels": [context.insert("Label", [:])] as NSSet])
            try context.save()
            band.setValue("CAN", forKey: "name")
            try context.save()
            #expect(try context.all("Band", "ANY labels.name == nil AND name LIKE 'C*'", sorted: "name").count == 1)
            context.delete(band)
            try context.save()
        }
        let log = try #require(server.log.components(separatedBy: "the beginning").last)
        let statements = log.split(separator: "\n").filter {
            $0.contains("LOG:  statement:") || $0.contains("LOG:  execute")
        }
        #expect(statements.count > 20)
        for statement in statements { try Self.check(String(statement), in: "the log") }
    }

    /// The lines of a file that are no comments.
    private static func statements(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("--") }.map(
            String.init)
    }

    private static func check(_ statement: String, in file: String) throws {
        let text = statement.lowercased()
        for (word, reason) in words where text.contains(word) {
            Issue.record("\(file): “\(word)” is \(reason): \(statement.prefix(300))")
        }
    }
}
