import Foundation
import Testing

@testable import CoreData

/// Stores that Apple's framework made become those of their model with edits: all else that is in the file stays.
///
/// What is compared is the file: every table with every column, also those of the history and of what the model does
/// not know.
@Suite struct EditedAppleStoreTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test(arguments: AppleStores.names)
    func whatTheEditsAreNotAboutStaysAsItIs(store: String) throws {
        let (url, _, _) = try AppleStores.copy(store, to: folder)
        let edits = try ModelEdits(of: url)
        let before = try DatabaseContents(url)
        try migrate(url, to: edits.model)
        let after = try DatabaseContents(url)
        #expect(edits.renamed.count + edits.added.count > 0, "\(store) was not edited")
        let expected = before.renaming { edits.renamed[$0]?[$1] ?? $1 }
        for (table, rows) in expected.tables {
            if Self.isOfPairs(table) { continue }
            let found = try #require(after.tables[table], "\(store): \(table) is gone")
            let columns = rows.columns.filter { !edits.isToChange($0, table) }
            let lost = Set(columns).subtracting(found.columns)
            #expect(lost.isEmpty, "\(store): \(table) has lost \(lost)")
            let (kept, wanted) = (found.lines(columns), rows.lines(columns))
            // The new entity has a row of its own.
            let isKept = table == "Z_PRIMARYKEY" ? Set(wanted).isSubset(of: kept) : kept == wanted
            #expect(isKept, "\(store): other rows in \(table): \(kept.prefix(3)), not \(wanted.prefix(3))")
        }
        for (table, columns) in edits.added {
            #expect(after.tables[table]?.columns.contains { columns.contains($0) } ?? false, "\(store): \(table)")
        }
        #expect(before.pairCount == after.pairCount, "\(store)")
        // The framework makes those of derived attributes anew, with names of its own.
        let lost = expected.others.subtracting(after.others).filter { !$0.hasPrefix("trigger Z_DA_") }
        #expect(lost.isEmpty, "\(store) has lost \(lost)")
        let missing = expected.indexes.subtracting(after.indexes).filter { !Self.isOfPairs($0.table) }
        #expect(missing.isEmpty, "\(store) has lost the indexes \(missing)")
        let problems = try SQLiteConnection.problems(in: url, edits.model)
        #expect(problems.isEmpty, "\(store): \(problems)")
        if Oracle.isAtHand { try Oracle.checkHashes(url) }
    }

    /// Whether a table is that of a many-to-many. It, and its columns, may be called after either end.
    static func isOfPairs(_ table: String) -> Bool {
        table.hasPrefix("Z_") && table.dropFirst(2).first?.isNumber == true
    }

    @Test(arguments: AppleStores.names)
    func changesOfTheHistoryNameTheSameEntitiesUnderOtherNumbers(store: String) throws {
        let (url, _, _) = try AppleStores.copy(store, to: folder)
        let (former, later) = (try ModelEdits.model(of: url), try ModelEdits.model(of: url))
        // It comes first, and all others get another number.
        later.entities.append(entity("AAA", [attribute("name", .stringAttributeType)]))
        let before = (try history(url), try dump(url, former))
        let contents = try DatabaseContents(url)
        if store == AppleStores.photos {
            // A trigger of the app's own compares numbers of entities.
            let error = try #require(thrown { try migrate(url, to: later) })
            #expect(error.code == NSMigrationError && error.localizedDescription.contains("as it was"))
            #expect(try DatabaseContents(url) == contents)
            return
        }
        try migrate(url, to: later)
        #expect(try history(url) == before.0, "\(store)")
        let lost = before.1.lost(in: try dump(url, later), former, later)
        #expect(lost.isEmpty, "\(store): \(lost.prefix(5).joined(separator: "\n"))")
    }

    private func migrate(_ url: URL, to model: NSManagedObjectModel) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: MigratedStore.automatic)
        try coordinator.remove(store)
    }

    private func dump(_ url: URL, _ model: NSManagedObjectModel) throws -> NamedDump {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let dump = try context.performAndWait { try NamedDump(context, model) }
        try coordinator.remove(store)
        return dump
    }

    /// All transactions, and all changes with the names of their entities.
    private func history(_ url: URL) throws -> [[String]] {
        let contents = try DatabaseContents(url)
        guard let changes = contents.tables["ACHANGE"], let entities = contents.tables["Z_PRIMARYKEY"] else {
            return []
        }
        let names = Dictionary(
            entities.lines(["Z_ENT", "Z_NAME"]).map { $0.split(separator: "|", maxSplits: 1).map(String.init) }
                .map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
        let named = zip(changes.lines(["ZENTITY"]), changes.lines(changes.columns.filter { $0 != "ZENTITY" }))
            .map { "\(names[$0] ?? $0) \($1)" }
        let others = ["ATRANSACTION", "ATRANSACTIONSTRING"].compactMap { contents.tables[$0] }
        return [named] + others.map { $0.lines($0.columns) }
    }
}

/// A store's model with some edits: a new entity behind all others, and in every other table a renamed attribute and a
/// new one.
private struct ModelEdits {
    let model: NSManagedObjectModel
    /// The new names of columns, by table and old name.
    private(set) var renamed: [String: [String: String]] = [:]
    /// The new columns of tables.
    private(set) var added: [String: [String]] = [:]

    init(of url: URL) throws {
        model = try Self.model(of: url)
        let roots = model.entities.filter { $0.superentity == nil }.sorted { $0.name ?? "" < $1.name ?? "" }
        for (place, entity) in roots.enumerated() where place % 2 == 0 { edit(entity) }
        model.entities.append(entity("Zzz", [attribute("name", .stringAttributeType)]))
    }

    private mutating func edit(_ entity: NSEntityDescription) {
        let table = "Z" + (entity.name ?? "").uppercased()
        let new = attribute("zzzNote", .stringAttributeType)
        new.defaultValue = "a note"
        if let attribute = entity.properties.first(where: { isFree($0, entity) }) {
            let name = attribute.name
            renamed[table] = ["Z" + name.uppercased(): "Z" + name.uppercased() + "ZZZ"]
            attribute.name = name + "Zzz"
            attribute.renamingIdentifier = name
        }
        entity.properties.append(new)
        added[table] = ["ZZZZNOTE"]
    }

    /// Whether nothing else in the model names an attribute.
    private func isFree(_ property: NSPropertyDescription, _ entity: NSEntityDescription) -> Bool {
        guard let attribute = property as? NSAttributeDescription, !attribute.isTransient,
            !(attribute is NSDerivedAttributeDescription), !(attribute is NSCompositeAttributeDescription)
        else { return false }
        return !texts.contains { $0.hasWord(attribute.name) }
    }

    /// What names properties: indexes, constraints and derivations.
    private var texts: [String] {
        var texts: [String] = []
        for entity in model.entities {
            for index in entity.indexes {
                texts.append(index.partialIndexPredicate.map { "\($0)" } ?? "")
                for element in index.elements { texts.append(element.property?.name ?? element.propertyName ?? "") }
            }
            for constraint in entity.compoundIndexes { texts.append("\(constraint)") }
            for constraint in entity.uniquenessConstraints { texts.append("\(constraint)") }
            for case let derived as NSDerivedAttributeDescription in entity.properties {
                texts.append(derived.derivationExpression?.description ?? "")
            }
        }
        return texts
    }

    /// What the model and its edits decide of themselves.
    func isToChange(_ column: String, _ table: String) -> Bool {
        switch table {
        case "Z_METADATA": column == "Z_PLIST"
        case "Z_MODELCACHE": true
        // Older releases of Apple's framework left the former names of renamed entities.
        case "Z_PRIMARYKEY": column == "Z_NAME"
        // Masks of properties and kept values are fitted to the new model.
        case "ACHANGE": column == "ZCOLUMNS" || column.hasPrefix("ZTOMBSTONE")
        default: false
        }
    }

    /// The model in a store, with plain objects and values as they are stored.
    static func model(of url: URL) throws -> NSManagedObjectModel {
        let model = try #require(try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url))
        for entity in model.entities {
            entity.managedObjectClassName = NSStringFromClass(UncheckedObject.self)
            for property in entity.ownProperties {
                (property as? NSAttributeDescription)?.valueTransformerName = nil
            }
        }
        return model
    }
}

/// Everything in a database: the rows of its tables, and the names of what else there is.
private struct DatabaseContents: Equatable {
    struct Rows: Equatable {
        var columns: [String]
        var values: [[String]]

        /// Some columns of all rows, in an order that does not depend on the file.
        func lines(_ names: [String]) -> [String] {
            let places = names.compactMap { columns.firstIndex(of: $0) }
            let key = columns.firstIndex(of: "Z_PK")
            let sorted = key.map { key in values.sorted { Int($0[key]) ?? 0 < Int($1[key]) ?? 0 } } ?? values
            let lines = sorted.map { row in places.map { row[$0] }.joined(separator: "|") }
            return key == nil ? lines.sorted() : lines
        }
    }

    private(set) var tables: [String: Rows] = [:]
    /// Triggers and views, by their kinds and names.
    private(set) var others: Set<String> = []
    /// Those of old stores get other names.
    private(set) var indexes: Set<Index> = []

    init(_ url: URL) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { connection.close() }
        for (table, columns) in try connection.columnsByTable() {
            tables[table] = try Rows(columns: columns.map(\.name), values: Self.rows(table, columns.count, connection))
        }
        let names = try SQLiteStatement(
            "SELECT type || ' ' || name FROM sqlite_master WHERE type IN ('trigger', 'view')", on: connection)
        while try names.step() { others.insert(names.text(0) ?? "") }
        let columns = try SQLiteStatement(
            """
            SELECT m.tbl_name, group_concat(coalesce(c.name, '')) FROM sqlite_master m, pragma_index_info(m.name) c \
            WHERE m.type = 'index' AND m.sql IS NOT NULL GROUP BY m.name
            """, on: connection)
        while try columns.step() { indexes.insert(.init(columns.text(0) ?? "", columns.text(1) ?? "")) }
    }

    /// The columns of an index.
    struct Index: Hashable {
        let table: String
        var columns: [String]

        init(_ table: String, _ columns: String) {
            (self.table, self.columns) = (
                table, columns.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            )
        }
    }

    private static func rows(_ table: String, _ count: Int, _ connection: SQLiteConnection) throws -> [[String]] {
        let statement = try SQLiteStatement("SELECT * FROM \(table.quotedForSQL)", on: connection)
        var rows: [[String]] = []
        while try statement.step() {
            rows.append(
                (0..<Int32(count)).map { column in
                    switch SQLValue(statement, column) {
                    case .null: "NULL"
                    case .int(let number): "\(number)"
                    case .double(let number): "\(number)"
                    case .text(let text): "'\(text)'"
                    case .blob(let data): data.base64EncodedString()
                    }
                })
        }
        return rows
    }

    /// How many pairs all many-to-manys have.
    var pairCount: Int {
        tables.reduce(0) { $0 + (EditedAppleStoreTests.isOfPairs($1.key) ? $1.value.values.count : 0) }
    }

    func renaming(_ name: (_ table: String, _ column: String) -> String) -> DatabaseContents {
        var renamed = self
        for (table, rows) in tables { renamed.tables[table]?.columns = rows.columns.map { name(table, $0) } }
        renamed.indexes = Set(
            indexes.map { index in
                var index = index
                index.columns = index.columns.map { name(index.table, $0) }
                return index
            })
        return renamed
    }
}
