import Foundation
import Synchronization

/// What an SQLite store has prepared for persistent history.
final class SQLiteHistory {
    let connection: SQLiteConnection
    let schema: SQLSchema
    /// The labels that the table of transactions has strings or keys of strings for.
    private let labels: [(label: SQLHistoryTables.Label, isKey: Bool)]
    /// How many columns the table of changes has for the values of deleted objects.
    let tombstones: Int
    private var columns: [Int32: HistoryColumns] = [:]

    /// What was recorded and is not committed yet; 0: nothing.
    var recorded: Int64 = 0
    /// The numbers of committed transactions, until they are asked for.
    private let own = Mutex<Set<Int64>>([])
    /// Whether anything asks for them.
    private let isOwnWanted = Atomic<Bool>(false)

    /// The statements that record deletions of objects with values to keep, by the entity's number.
    private var deletions: [Int32: SQLiteStatement] = [:]
    /// The statements that were prepared so far.
    private var statements: [Purpose: SQLiteStatement] = [:]

    /// What a statement is for.
    enum Purpose: Hashable {
        case enterTransaction, enterChange, findString, enterString, noteKey
        case findHighestKey(SQLHistoryEntity)
    }

    /// - Parameter tables: The tables of history that there are, with their columns.
    init(_ connection: SQLiteConnection, _ schema: SQLSchema, tables: [String: Set<String>]) {
        (self.connection, self.schema) = (connection, schema)
        let known = tables[SQLHistoryTables.transactions] ?? []
        labels = SQLHistoryTables.Label.allCases.compactMap { label in
            if known.contains(label.keyColumn) { return (label, true) }
            return known.contains(label.textColumn) ? (label, false) : nil
        }
        tombstones = SQLHistoryTables.tombstones(among: tables[SQLHistoryTables.changes])
    }

    /// Makes the tables and columns that a store lacks in which changes are to be recorded.
    ///
    /// - Parameter known: The tables of history that there are, with their columns.
    /// - Returns: The tables of history that there are now.
    static func prepare(
        _ connection: SQLiteConnection, _ schema: SQLSchema, _ known: [String: Set<String>]
    ) throws -> [String: Set<String>] {
        let widest = schema.layouts.layouts.filter(schema.contains).map { HistoryColumns($0).preserved.count }.max()
        if SQLHistoryTables.creation(beside: known, tombstones: widest ?? 0).isEmpty { return known }
        let make = {
            // Another process may have made them since.
            let known = tables(among: try connection.columnsByTable())
            for statement in SQLHistoryTables.creation(beside: known, tombstones: widest ?? 0) {
                try connection.run(statement)
            }
            return tables(among: try connection.columnsByTable())
        }
        return connection.isInTransaction ? try make() : try connection.write(make)
    }

    /// The tables of history, with their columns, among all that a database has.
    static func tables(among all: [String: [SQLTableColumn]]) -> [String: Set<String>] {
        let names = [SQLHistoryTables.transactions, SQLHistoryTables.changes, SQLHistoryTables.strings]
        return all.filter { names.contains($0.key) }.mapValues { Set($0.map(\.name)) }
    }

    func columns(of layout: EntityLayout) -> HistoryColumns {
        if let known = columns[layout.number] { return known }
        let new = HistoryColumns(layout)
        columns[layout.number] = new
        return new
    }

    // MARK: Transactions of this store object

    /// A transaction has been committed.
    func noteCommit() {
        if recorded != 0, isOwnWanted.load(ordering: .relaxed) { own.withLock { _ = $0.insert(recorded) } }
        recorded = 0
    }

    /// See ``HistoryStore/takeOwnTransactions(upTo:)``.
    func takeOwn(upTo last: Int64) -> Set<Int64> {
        own.withLock { own in
            let taken = own.filter { $0 <= last }
            own.subtract(taken)
            return taken
        }
    }

    /// From now on the numbers of committed transactions are kept.
    func keepOwn() { isOwnWanted.store(true, ordering: .relaxed) }

    // MARK: Labels

    /// Binds what a transaction is called by to the statement that enters it.
    func bindLabels(_ origin: ChangeOrigin?, to statement: SQLiteStatement) throws {
        for (place, (label, isKey)) in labels.enumerated() {
            let index = Int32(place + 3)
            guard let text = Self.text(of: label, origin) else {
                statement.bindNull(index)
                continue
            }
            if isKey {
                statement.bind(index, int: try key(of: text))
            } else {
                statement.bind(index, text: text)
            }
        }
    }

    private static func text(of label: SQLHistoryTables.Label, _ origin: ChangeOrigin?) -> String? {
        switch label {
        case .author: origin?.author
        case .context: origin?.contextName
        case .bundle: bundleID
        case .process: processName
        }
    }

    private static let processName = ProcessInfo.processInfo.processName
    /// Programs without a bundle have none: the program's name stands in.
    private static let bundleID = Bundle.main.bundleIdentifier ?? processName

    private func key(of string: String) throws -> Int64 {
        let stringKey = try statement(.findString)
        stringKey.bind(1, text: string)
        if try stringKey.step() {
            defer { stringKey.reset() }
            return stringKey.int(0)
        }
        let key = try number(after: highestKey(.string))
        let stringInsertion = try statement(.enterString)
        stringInsertion.bind(1, int: key)
        stringInsertion.bind(2, text: string)
        try stringInsertion.run()
        try note(key, of: .string)
        return key
    }

    // MARK: Keys

    /// The highest key that one of the tables ever had.
    func highestKey(_ entity: SQLHistoryEntity) throws -> Int64 {
        let select = try statement(.findHighestKey(entity))
        if let key = try Self.highestKey(entity, by: select) { return key }
        let entry = try connection.statement(SQLStoreTables.entityInsertion)
        entry.bind(1, int: entity.rawValue)
        entry.bind(2, text: entity.name)
        entry.bind(3, int: 0)
        try entry.run()
        return try Self.highestKey(entity, by: select) ?? 0
    }

    /// - Throws: 259 where the tables have the last number that there is: no store comes to it by itself.
    func number(after last: Int64) throws -> Int64 {
        if last < .max { return last + 1 }
        throw NSError.cocoa(
            259, "The history of the store “\((connection.path as NSString).lastPathComponent)” is damaged.",
            reason: "Its highest number is the last one that there is, so no change can be recorded.",
            userInfo: [NSFilePathErrorKey: connection.path])
    }

    /// - Returns: Nil where `Z_PRIMARYKEY` does not know the entity: nothing was recorded so far.
    static func highestKey(_ entity: SQLHistoryEntity, _ connection: SQLiteConnection) throws -> Int64? {
        try highestKey(entity, by: try connection.statement(SQLHistoryTables.highestKey(entity)))
    }

    private static func highestKey(_ entity: SQLHistoryEntity, by select: SQLiteStatement) throws -> Int64? {
        select.bind(1, int: entity.rawValue)
        defer { select.reset() }
        return try select.step() ? select.int(0) : nil
    }

    func note(_ key: Int64, of entity: SQLHistoryEntity) throws {
        let keyNote = try statement(.noteKey)
        keyNote.bind(1, int: key)
        keyNote.bind(2, int: entity.rawValue)
        try keyNote.run()
    }

    // MARK: Statements

    /// A statement, prepared when it is first used.
    ///
    /// - Throws: What SQLite reports where the tables are not as they should be.
    func statement(_ purpose: Purpose) throws -> SQLiteStatement {
        if let known = statements[purpose] { return known }
        let new = try connection.newStatement(tree(of: purpose))
        statements[purpose] = new
        return new
    }

    /// The statement that records the deletion of a row, with values to keep; nil for an entity without any.
    func deletion(of layout: EntityLayout) throws -> SQLiteStatement? {
        if let known = deletions[layout.number] { return known }
        let preserved = columns(of: layout).preserved.prefix(tombstones)
        if preserved.isEmpty { return nil }
        // The reference to a file of external data would outlive the file.
        let columns = preserved.map { $0.isExternal ? nil : schema.column(of: layout, slot: $0.index)?.name }
        let new = try connection.newStatement(
            SQLHistoryTables.deletion(from: schema.table(of: layout).name, preserving: columns))
        deletions[layout.number] = new
        return new
    }

    private func tree(of purpose: Purpose) -> SQLStatement {
        switch purpose {
        case .enterTransaction:
            SQLHistoryTables.transactionInsertion(
                labels.map { $0.isKey ? $0.label.keyColumn : $0.label.textColumn })
        case .enterChange: SQLHistoryTables.changeInsertion
        case .findString: SQLHistoryTables.stringKey
        case .enterString: SQLHistoryTables.stringInsertion
        case .noteKey: SQLHistoryTables.keyNote
        case .findHighestKey(let entity): SQLHistoryTables.highestKey(entity)
        }
    }
}
