import CoreData
import Foundation
import Testing

@testable import CoreData

/// Where the store of a Photos library is, if it is at hand.
private enum PhotosStore {
    static let original = SharedFixtures.stores.appendingPathComponent("osxphotos-13/Photos.sqlite")
    static var isAtHand: Bool { FileManager.default.fileExists(atPath: original.path) }
}

/// The store of a Photos library of macOS 13.
@Suite("A Mac's Photos library", .enabled(if: PhotosStore.isAtHand, "the shared folder's stores are needed"))
struct PhotosStoreTests {
    private let folder: StoreFolder
    private let url: URL

    init() throws {
        folder = try StoreFolder()
        url = folder.file("Photos.sqlite")
        try FileManager.default.copyItem(at: PhotosStore.original, to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    }

    @Test("it is exported as an independent reader exports it", .enabled(if: Oracle.isAtHand))
    func export() throws { try Oracle.expectSameExport(url) }

    @Test("its model is understood as a whole: the hashes are the store's, and the index over SELF is one over the key")
    func model() throws {
        let model = try #require(try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url))
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(!model.isIncomplete)
        let new = folder.file("New.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: new)
        try coordinator.remove(store)
        let name = "Z_Asset_forFavoritesAlbum"
        #expect(try statement(name, in: new) == statement(name, in: url))
    }

    private func statement(_ name: String, in url: URL) throws -> String? {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { connection.close() }
        return try connection.text("SELECT sql FROM sqlite_master WHERE name = '\(name)'")
    }

    @Test("it is opened, edited and saved, and every other row, column and table stays as it was")
    func editing() throws {
        let before = try Content(of: url)
        let model = try #require(try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url))
        model.entities.forEach { $0.managedObjectClassName = "NSManagedObject" }
        for case let attribute as NSAttributeDescription in model.entities.flatMap(\.ownProperties) {
            if attribute.attributeType == .transformableAttributeType { attribute.valueTransformerName = nil }
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: HistoryStack.options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let key = try context.performAndWait {
            let asset = try #require(try context.all("Asset", sortedBy: "uuid").first)
            asset.setValue(asset.value(forKey: "favorite") as? Int == 1 ? 0 : 1, forKey: "favorite")
            _ = context.insert("Keyword", ["title": "a new keyword"])
            try context.save()
            return asset.objectID.uriRepresentation().lastPathComponent.dropFirst()
        }
        try coordinator.remove(store)
        let after = try Content(of: url)
        #expect(before.statements == after.statements)
        #expect(
            after.differences(from: before) == [
                "ACHANGE: added", "ATRANSACTION: added", "ATRANSACTIONSTRING: added",
                "ZASSET \(key): ZFAVORITE, Z_OPT", "ZKEYWORD: added", "Z_PRIMARYKEY: Z_MAX",
            ])
    }

    @Test(
        "a check finds what the tables have, and nothing else: required values that are NULL, pairs with rows that are gone"
    )
    func check() throws {
        let found = try CommandLineTool.run(["check", url.path], expecting: 1).split(separator: "\n")
        let kinds = Dictionary(grouping: found) { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { connection.close() }
        let columns = ["ZVIDEOKEYFRAMETIMESCALE", "ZVIDEOKEYFRAMEVALUE"]
        let empty = try columns.map {
            Int(try connection.integer("SELECT count(*) FROM ZASSET WHERE \($0) IS NULL") ?? 0)
        }
        let gone = Int(
            try connection.integer(
                "SELECT count(*) FROM Z_47MERGECANDIDATES WHERE REFLEXIVE NOT IN (SELECT Z_PK FROM ZPERSON)") ?? 0)
        #expect(empty.reduce(0, +) > 0 && gone > 0)
        #expect(
            kinds.mapValues(\.count) == [
                "error required-value ZASSET": empty.reduce(0, +),
                "error dangling-reference Z_47MERGECANDIDATES": gone, "error one-sided Z_47MERGECANDIDATES": gone,
            ])
    }

    /// All that a database holds.
    private struct Content {
        let statements: [String]
        /// Table, row, column, value.
        private var rows: [String: [String: [String: String]]] = [:]

        init(of url: URL) throws {
            let connection = try SQLiteConnection(path: url.path, access: .readWrite)
            defer { connection.close() }
            let list = try SQLiteStatement("SELECT type, name, ifnull(sql, '') FROM sqlite_master", on: connection)
            var statements: [String] = []
            var tables: [String] = []
            while try list.step() {
                statements.append((0..<3).map { list.text($0) ?? "" }.joined(separator: "|"))
                if list.text(0) == "table", let name = list.text(1) { tables.append(name) }
            }
            let boxes = try connection.text(
                "SELECT group_concat(Z_PK || ' ' || ZLATITUDE_MIN || ' ' || ZLONGITUDE_MAX, '; ') FROM "
                    + "(SELECT * FROM Z_RT_Asset_boundedByRect ORDER BY Z_PK)")
            self.statements = statements.sorted() + [boxes ?? ""]
            let columns = try connection.columnsByTable()
            for table in tables {
                let names = (columns[table] ?? []).map(\.name)
                // A spatial index keeps its boxes in tables of its own, which its trigger writes anew in any order.
                if table.hasPrefix("Z_RT_") { continue }
                let shown = names.map { "quote(\($0.quotedForSQL))" }.joined(separator: ", ")
                let key = names.contains("Z_PK") ? "Z_PK" : names.contains("Z_ENT") ? "Z_ENT" : "rowid"
                let all = try SQLiteStatement("SELECT \(key), \(shown) FROM \(table.quotedForSQL)", on: connection)
                while try all.step() {
                    var row: [String: String] = [:]
                    for (place, name) in names.enumerated() { row[name] = all.text(Int32(place + 1)) }
                    rows[table, default: [:]][all.text(0) ?? ""] = row
                }
            }
        }

        func differences(from old: Content) -> [String] {
            var found: Set<String> = []
            for table in Set(rows.keys).union(old.rows.keys) {
                let (before, after) = (old.rows[table] ?? [:], rows[table] ?? [:])
                for key in Set(before.keys).union(after.keys) where before[key] != after[key] {
                    guard let was = before[key], let row = after[key] else {
                        found.insert("\(table): \(before[key] == nil ? "added" : "removed")")
                        continue
                    }
                    let names = row.keys.filter { row[$0] != was[$0] }.sorted().joined(separator: ", ")
                    found.insert(table == "Z_PRIMARYKEY" ? "\(table): \(names)" : "\(table) \(key): \(names)")
                }
            }
            return found.sorted()
        }
    }
}
