import Foundation
import ModelArchive
import ModelDocument
import Testing

@testable import CoreData

/// What we would create for the model of an Apple-made store, beside what Apple's framework created.
@Suite struct SchemaComparisonTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test func storesOfAllAgesAreCompared() {
        #expect(ModelledStore.names.count >= (SharedFixtures.isAtHand ? 26 : 18))
    }

    /// Tables with their columns in order and their types, indexes, triggers: statement by statement.
    ///
    /// The Photos library went through many migrations, which left older names of tables and triggers, and statements
    /// of other versions.
    @Test(arguments: ModelledStore.names.filter { $0 != AppleStores.photos })
    func theSchemaThatWeWouldCreateIsTheStoresOwn(name: String) throws {
        let store = try ModelledStore(name, folder)
        try withExtendedLifetime(store.model) {
            let derived = SQLSchema.derived(from: try store.model.storeModel(configuration: nil).layouts)
            let real = try AppleSchema(store.url)
            let expected = real.allow(for: try derived.creationStatements())
            let missing = real.statements.subtracting(expected).map { "not ours: \($0)" }
            let surplus = expected.subtracting(real.statements).map { "not Apple's: \($0)" }
            #expect(missing.isEmpty && surplus.isEmpty, "\((missing + surplus).sorted().joined(separator: "\n"))")
        }
    }

    @Test(arguments: ModelledStore.names)
    func entitiesAreNumberedAsInTheStore(name: String) throws {
        let store = try ModelledStore(name, folder)
        try withExtendedLifetime(store.model) {
            let derived = SQLSchema.derived(from: try store.model.storeModel(configuration: nil).layouts)
            let connection = try SQLiteConnection(path: store.url.path, access: .readWrite)
            let rows = try SQLiteStatement(
                "SELECT Z_ENT, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT", on: connection)
            var found: [[Int64]] = []
            while try rows.step() { found.append([rows.int(0), rows.int(1)]) }
            let ours = derived.layouts.layouts.map { layout in
                [derived.number(of: layout) ?? 0, layout.parent.flatMap { derived.number(of: $0) } ?? 0]
            }
            #expect(found == ours)
        }
    }

    /// The settings that only a file's first page can have.
    @Test func aNewStoreHasTheSettingsOfApplesNewestStores() throws {
        let url = folder.file("New.sqlite")
        let under = try StoreUnderTest(url)
        try under.save(inserts: [under.change(try under.newReference("Team"))])
        let names = ["page_size", "auto_vacuum", "user_version", "application_id", "encoding", "journal_mode"]
        let ours = try names.map { try under.store.connection.text("PRAGMA \($0)") }
        #expect(ours == ["4096", "2", "0", "0", "UTF-8", "wal"])
    }

    /// The metadata has the keys and types that the newest stores have.
    @Test func aNewStoreHasTheMetadataOfApplesNewestStores() throws {
        let sample = try AppleStores.copy("coredataplus-samplemodel3/SampleModel3_V1.sqlite", to: folder)
        let apple = try SQLiteStore.metadata(at: sample.url)
        try withExtendedLifetime(sample.model) {
            let url = folder.file("New.sqlite")
            let under = try StoreUnderTest(url, sample.identity)
            try under.store.close()
            let ours = try SQLiteStore.metadata(at: url)
            #expect(Set(ours.keys) == Set(apple.keys))
            for key in apple.keys where key != NSStoreUUIDKey {
                #expect(
                    NSDictionary(dictionary: [key: ours[key]!]) == NSDictionary(dictionary: [key: apple[key]!]),
                    "\(key)")
            }
        }
    }
}

/// The statements of a store, and how its framework's choices differ from those of today's.
///
/// Persistent history is an option and no part of the model. Nothing is said of the order of the statements: it follows
/// the order in which a store's entities were added and migrated.
struct AppleSchema {
    let statements: Set<String>
    private let version: Int

    init(_ url: URL) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        version = try SQLiteMetadata.read(connection).values["NSPersistenceFrameworkVersion"] as? Int ?? 0
        let rows = try SQLiteStatement("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL", on: connection)
        var found: Set<String> = []
        while try rows.step() { found.insert(rows.text(0) ?? "") }
        // What other tools leave has other names.
        let own = found.filter {
            !$0.contains(" ACHANGE") && !$0.contains(" ATRANSACTION") && !$0.contains(" TABLE sqlite")
        }
        let isUnordered = version < Self.firstInOrder
        statements = Set(own.map { isUnordered ? Self.inOrder($0) : $0 })
    }

    /// Until 10.6 and iOS 4 (241 and 248 are at hand, the next is 419), columns of one type came in hash order.
    private static let firstInOrder = 300

    /// The statement with each run of columns of one type in alphabetical order.
    private static func inOrder(_ statement: String) -> String {
        guard statement.hasPrefix("CREATE TABLE Z"), let open = statement.firstIndex(of: "(") else { return statement }
        let columns = statement[open...].dropFirst().dropLast().components(separatedBy: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        var runs: [(type: String, columns: [String])] = []
        for column in columns {
            let type = column.split(separator: " ").dropFirst().joined(separator: " ")
            if runs.last?.type == type {
                runs[runs.count - 1].columns.append(column)
            } else {
                runs.append((type, [column]))
            }
        }
        return statement[..<open] + "( " + runs.flatMap { $0.columns.sorted() }.joined(separator: ", ") + " )"
    }

    /// Our statements as the store's framework would have them.
    func allow(for ours: [String]) -> Set<String> {
        var expected = ours
        // The model is kept in stores since version 6xx (iOS 9).
        if version < 600 { expected.removeAll { $0.contains("Z_MODELCACHE") } }
        // Until iOS 10 indexes had other names and no direction, and constraints stood in their table.
        if version < 800 { expected = OlderForm(expected).statements }
        if version < Self.firstInOrder { expected = expected.map(Self.inOrder) }
        return Set(expected.map { swappedIfStored($0, among: ours) })
    }

    /// Where both ends of a many-to-many lie in one entity, the choice of the side that names the table follows hash
    /// order, which differs between releases.
    private func swappedIfStored(_ statement: String, among ours: [String]) -> String {
        for table in ours where table.hasPrefix("CREATE TABLE Z_") && table.contains("PRIMARY KEY (Z_") {
            let words = table.split { " (),".contains($0) }.map(String.init)
            let (name, first, second) = (words[2], words[3], words[5])
            guard name == second, name.dropFirst(2).prefix(1) == first.dropFirst(2).prefix(1) else { continue }
            guard !statements.contains(where: { $0.hasPrefix("CREATE TABLE \(name) ") }) else { continue }
            let order = words.filter { $0.hasPrefix("Z_FOK_") }.map { ", \($0) INTEGER" }.joined()
            if statement == table {
                return "CREATE TABLE \(first) ( \(second) INTEGER, \(first) INTEGER\(order), "
                    + "PRIMARY KEY (\(second), \(first)) )"
            }
            if statement == "CREATE INDEX \(name)_\(second)_INDEX ON \(name) (\(second), \(first))" {
                return "CREATE INDEX \(first)_\(first)_INDEX ON \(first) (\(first), \(second))"
            }
        }
        return statement
    }
}

/// Statements in the form that they had until iOS 10.
private struct OlderForm {
    private(set) var statements: [String] = []

    init(_ newer: [String]) {
        let constraints = newer.filter { $0.hasPrefix("CREATE UNIQUE INDEX") }.map { OlderForm.parts($0) }
        for statement in newer where !statement.hasPrefix("CREATE UNIQUE INDEX") {
            if statement.hasPrefix("CREATE INDEX"), statement.contains("COLLATE") {
                statements.append(OlderForm.index(statement))
            } else if let constraint = constraints.first(where: { statement.hasPrefix("CREATE TABLE \($0.table) ") }) {
                let name = constraint.columns.joined(separator: "_")
                statements.append(
                    statement.dropLast(2)
                        + ", CONSTRAINT \(name) UNIQUE (\(constraint.columns.joined(separator: ", "))))")
            } else {
                statements.append(statement)
            }
        }
    }

    /// A single attribute's index ended in `_INDEX`, one of several was named for its columns.
    private static func index(_ statement: String) -> String {
        let (table, columns) = parts(statement)
        let name = columns.count == 1 ? "\(columns[0])_INDEX" : columns.joined(separator: "_")
        return "CREATE INDEX \(table)_\(name) ON \(table) (\(columns.joined(separator: ", ")))"
    }

    private static func parts(_ statement: String) -> (table: String, columns: [String]) {
        let rest = statement.components(separatedBy: " ON ")[1].split { " (),".contains($0) }.map(String.init)
        return (rest[0], rest.dropFirst().filter { !["COLLATE", "BINARY", "ASC"].contains($0) })
    }
}

/// An Apple-made store with the model that made it: from its cache or, with the shared folder at hand, from a source
/// with the store's hashes.
struct ModelledStore {
    let url: URL
    let model: NSManagedObjectModel

    static let names: [String] = AppleStores.names + sources.keys.sorted()

    init(_ name: String, _ folder: StoreFolder) throws {
        guard let source = Self.sources[name] else {
            let copy = try AppleStores.copy(name, to: folder)
            (url, model) = (copy.url, copy.model)
            return
        }
        url = folder.file("Store.sqlite")
        for suffix in ["", "-wal"] {
            let original = SharedFixtures.stores.appendingPathComponent(name).path + suffix
            guard FileManager.default.fileExists(atPath: original) else { continue }
            try FileManager.default.copyItem(atPath: original, toPath: url.path + suffix)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path + suffix)
        }
        model = try Self.model(at: source)
    }

    private static func model(at source: URL) throws -> NSManagedObjectModel {
        let data = try Data(contentsOf: source)
        let isCompiled = source.pathExtension == "mom"
        return try NSManagedObjectModel(document: isCompiled ? ModelArchive.read(data) : Model(contents: data))
    }

    private static func files(in folder: URL) -> [URL] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.sorted().map { folder.appendingPathComponent($0) }
    }

    /// The sources of stores without a model of their own, by the store's name.
    private static let sources: [String: URL] = {
        guard SharedFixtures.isAtHand else { return [:] }
        let fixtures = SharedFixtures.folder.appendingPathComponent("fixtures")
        var hashes: [(URL, [String: Data])] = []
        for source in ["models", "compiled"].flatMap({ files(in: fixtures.appendingPathComponent($0)) }) {
            guard source.lastPathComponent == "contents" || source.pathExtension == "mom",
                let model = try? model(at: source), let identity = try? model.storeModel(configuration: nil)
            else { continue }
            hashes.append((source, identity.hashes))
        }
        var found: [String: URL] = [:]
        for name in AppleStores.allNames where !AppleStores.names.contains(name) {
            let metadata = try? SQLiteStore.metadata(
                at: SharedFixtures.stores.appendingPathComponent(name),
                options: [SQLiteEvidenceOption: NSNumber(value: true)])
            guard let stored = metadata?[NSStoreModelVersionHashesKey] as? [String: Data] else { continue }
            found[name] = hashes.first { $0.1 == stored }?.0
        }
        return found
    }()
}
