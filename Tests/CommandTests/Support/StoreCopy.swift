import Foundation
import Testing

/// A copy of a committed store in a folder of its own, to be changed by plain SQL.
struct StoreCopy {
    let folder: TemporaryFolder
    let path: String

    /// - Parameter sql: What changes the copy.
    init(_ store: String, sql: String = "") throws {
        folder = try TemporaryFolder()
        path = folder.url.appendingPathComponent("Copy.sqlite").path
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: Samples.path(store) + suffix) {
            try FileManager.default.copyItem(atPath: Samples.path(store) + suffix, toPath: path + suffix)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + suffix)
        }
        if !sql.isEmpty { try execute(sql) }
    }

    /// Runs SQL on the copy, leaving no log behind.
    func execute(_ sql: String) throws {
        let run = try Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"),
            arguments: ["sqlite3", path, sql + "; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE"])
        try #require(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }
}

/// An exported object.
struct ExportedObject {
    let id: String
    let attributes: [String: Any]
    let relationships: [String: Any]

    /// The objects of JSON lines, by identifier.
    static func all(_ lines: String) throws -> [String: ExportedObject] {
        var all: [String: ExportedObject] = [:]
        for line in lines.split(separator: "\n") {
            let json = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let id = try #require(json["id"] as? String)
            all[id] = ExportedObject(
                id: id, attributes: json["attributes"] as? [String: Any] ?? [:],
                relationships: json["relationships"] as? [String: Any] ?? [:])
        }
        return all
    }
}
