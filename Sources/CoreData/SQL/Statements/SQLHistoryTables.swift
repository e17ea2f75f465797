/// The entities that the tables of history have in `Z_PRIMARYKEY`.
enum SQLHistoryEntity: Int64, CaseIterable {
    case change = 16_001
    case transaction = 16_002
    case string = 16_003

    var name: String {
        switch self {
        case .change: "CHANGE"
        case .transaction: "TRANSACTION"
        case .string: "TRANSACTIONSTRING"
        }
    }

    fileprivate var table: String { "A" + name }
}

/// The tables of persistent history: transactions, the changes in them, and the strings that transactions name.
///
/// Names, columns and indexes are those of the stores that Apple's framework makes.
enum SQLHistoryTables {
    static let transactions = "ATRANSACTION"
    static let changes = "ACHANGE"
    static let strings = "ATRANSACTIONSTRING"

    /// What a transaction names: the end of its column's name, after `Z`.
    enum Label: String, CaseIterable {
        case author = "AUTHOR"
        case bundle = "BUNDLEID"
        case context = "CONTEXTNAME"
        case process = "PROCESSID"

        /// The column with the key of the string.
        var keyColumn: String { "Z" + rawValue + "TS" }
        /// The column with the string itself, in stores of older releases.
        var textColumn: String { "Z" + rawValue }
    }

    /// The column with the n-th preserved value of a deleted object.
    static func tombstone(_ number: Int) -> String { "ZTOMBSTONE\(number)" }

    /// How many columns for preserved values there are among the columns of the table of changes.
    static func tombstones(among columns: Set<String>?) -> Int {
        var count = 0
        while columns?.contains(tombstone(count)) == true { count += 1 }
        return count
    }

    // MARK: The tables

    /// Makes the tables that are missing.
    ///
    /// - Parameters:
    ///   - known: The tables that there are, with the names of their columns.
    ///   - tombstones: How many columns for preserved values are needed.
    static func creation(beside known: [String: Set<String>], tombstones: Int) -> [SQLStatement] {
        var statements: [SQLStatement] = []
        for definition in definitions where known[definition.name] == nil {
            statements.append(.createTable(definition))
            statements += indexes.filter { $0.table == definition.name }.map { .createIndex($0) }
        }
        for number in 0..<tombstones where known[changes]?.contains(tombstone(number)) != true {
            statements.append(
                .alterTable(changes, .columnAdded(.init(name: tombstone(number), type: .bytes))))
        }
        return statements
    }

    private static let head: [SQLTableDefinition.Column] = [
        .init(name: "Z_PK", type: .key), .init(name: "Z_ENT", type: .integer), .init(name: "Z_OPT", type: .integer),
    ]
    private static let definitions = [
        SQLTableDefinition(
            name: changes,
            columns: head + [
                .init(name: "ZCHANGETYPE", type: .integer), .init(name: "ZENTITY", type: .integer),
                .init(name: "ZENTITYPK", type: .integer), .init(name: "ZTRANSACTIONID", type: .integer),
                .init(name: "ZCOLUMNS", type: .bytes),
            ]),
        SQLTableDefinition(
            name: transactions,
            columns: head + Label.allCases.map { .init(name: $0.keyColumn, type: .integer) }
                + [.init(name: "ZTIMESTAMP", type: .float)]
                + Label.allCases.map { .init(name: $0.textColumn, type: .text) }
                + [.init(name: "ZQUERYGEN", type: .bytes)]),
        SQLTableDefinition(name: strings, columns: head + [.init(name: "ZNAME", type: .text)]),
    ]
    private static let indexes =
        [
            SQLIndexDefinition(
                name: "ACHANGE_ZTRANSACTIONID_INDEX", table: changes, columns: [.plain("ZTRANSACTIONID")])
        ]
        + Label.allCases.map {
            SQLIndexDefinition(
                name: "ATRANSACTION_\($0.keyColumn)_INDEX", table: transactions, columns: [.plain($0.keyColumn)])
        }
        + [
            SQLIndexDefinition(
                name: "Z_TRANSACTION_TransactionAuthorIndex", table: transactions,
                columns: [.binary("ZAUTHOR", isAscending: true)]),
            SQLIndexDefinition(
                name: "Z_TRANSACTION_TransactionTimestampIndex", table: transactions,
                columns: [.binary("ZTIMESTAMP", isAscending: true)]),
            SQLIndexDefinition(
                name: "Z_TRANSACTIONSTRING_UNIQUE_NAME", table: strings, isUnique: true,
                columns: [.binary("ZNAME", isAscending: true)]),
        ]

    // MARK: Keys

    /// The highest key of one of the tables, in its rows or in `Z_PRIMARYKEY`. Parameter: the entity's number.
    static func highestKey(_ entity: SQLHistoryEntity) -> SQLStatement {
        var highest = SQLSelect(from: .table(entity.table, .only))
        highest.columns = [.ifNull(.aggregate(.maximum, .own("Z_PK"), distinct: false), .integer(0))]
        var select = SQLSelect(from: .table("Z_PRIMARYKEY", .only))
        select.columns = [.greater(.ifNull(.own("Z_MAX"), .integer(0)), .scalar(highest))]
        select.conditions = [.equal(.own("Z_ENT"), .parameter(1))]
        return .select(select)
    }

    /// Notes the highest key of a table. Parameters: the key, the entity's number.
    static let keyNote = SQLStatement.update(
        SQLUpdate(
            table: "Z_PRIMARYKEY", settings: [SQLSetting(column: "Z_MAX", value: .parameter(1))],
            conditions: [.equal(.own("Z_ENT"), .parameter(2))]))

    // MARK: Writing

    /// The key of a string. Parameter: the string.
    static let stringKey: SQLStatement = {
        var select = SQLSelect(from: .table(strings, .only))
        select.columns = [.own("Z_PK")]
        select.conditions = [.equal(.own("ZNAME"), .parameter(1))]
        return .select(select)
    }()

    /// Enters a string. Parameters: its key, the string.
    static let stringInsertion = SQLStatement.insert(
        SQLInsert(
            table: strings, columns: ["Z_PK", "Z_ENT", "ZNAME"],
            values: [.parameter(1), .integer(Int(SQLHistoryEntity.string.rawValue)), .parameter(2)]))

    /// Enters a transaction. Parameters: its number, the time, and a value for each column.
    static func transactionInsertion(_ columns: [String]) -> SQLStatement {
        .insert(
            SQLInsert(
                table: transactions, columns: ["Z_PK", "Z_ENT", "ZTIMESTAMP"] + columns,
                values: [.parameter(1), .integer(Int(SQLHistoryEntity.transaction.rawValue)), .parameter(2)]
                    + columns.indices.map { .parameter($0 + 3) }))
    }

    /// Enters a change. Parameters: its key, its type, the row's entity and key, the transaction, the properties.
    static let changeInsertion = SQLStatement.insert(
        SQLInsert(
            table: changes, columns: changeColumns,
            values: [.parameter(1), .integer(Int(SQLHistoryEntity.change.rawValue))] + (2...6).map { .parameter($0) }))

    private static let changeColumns = [
        "Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS",
    ]

    /// Enters the deletion of a row that is still there. Parameters: the change's key, its type, the row's entity, the
    /// row's key, the transaction.
    ///
    /// - Parameters:
    ///   - table: The row's table.
    ///   - preserved: The columns with values to keep, in the order of the tombstone's columns.
    static func deletion(from table: String, preserving preserved: [String?]) -> SQLStatement {
        var row = SQLSelect(from: .table(table, .only))
        row.columns =
            [.parameter(1), .integer(Int(SQLHistoryEntity.change.rawValue))]
            + [2, 3, 4, 5].map { .parameter($0) } + [.null] + preserved.map { $0.map { .own($0) } ?? .null }
        row.conditions = [.equal(.own("Z_PK"), .parameter(4))]
        return .insert(
            SQLInsert(
                table: changes, columns: changeColumns + preserved.indices.map { tombstone($0) }, .rows(row)))
    }

    // MARK: Reading

    /// The transactions of a range, by number: number, time, and each label's string.
    ///
    /// - Parameter known: The columns that the table has.
    static func transactions(_ range: HistoryRange, known: Set<String>) -> SQLStatement {
        let own = SQLAlias(number: 0)
        var select = SQLSelect(from: .table(transactions, own))
        select.columns = [.column("Z_PK", of: own), .column("ZTIMESTAMP", of: own)]
        for (place, label) in Label.allCases.enumerated() {
            var values: [SQLExpression] = []
            if known.contains(label.keyColumn) {
                let string = SQLAlias(number: place + 1)
                select.joins.append(
                    SQLJoin(
                        kind: .left, table: strings, alias: string,
                        condition: .equal(.column("Z_PK", of: string), .column(label.keyColumn, of: own))))
                values.append(.column("ZNAME", of: string))
            }
            if known.contains(label.textColumn) { values.append(.column(label.textColumn, of: own)) }
            select.columns.append(values.count == 2 ? .ifNull(values[0], values[1]) : values.first ?? .null)
        }
        select.conditions = range.conditions(number: .column("Z_PK", of: own), time: .column("ZTIMESTAMP", of: own))
        select.order = [SQLOrder(.column("Z_PK", of: own), ascending: !range.isFromTheEnd)]
        if case .last(let count, _) = range { select.limit = count }
        return .select(select)
    }

    /// The changes of the transactions from one number to another, which are the parameters: key, transaction, type,
    /// entity, row, properties, and the tombstone's columns.
    static func changes(tombstones: Int) -> SQLStatement {
        var select = SQLSelect(from: .table(changes, .only))
        select.columns =
            ["Z_PK", "ZTRANSACTIONID", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS"].map { .own($0) }
            + (0..<tombstones).map { .own(tombstone($0)) }
        select.conditions = [.between(.own("ZTRANSACTIONID"), .parameter(1), .parameter(2))]
        select.order = ["ZTRANSACTIONID", "Z_PK"].map { SQLOrder(.own($0), ascending: true) }
        return .select(select)
    }

    /// The lowest and the highest number of a transaction.
    static let bounds: SQLStatement = {
        var select = SQLSelect(from: .table(transactions, .only))
        select.columns = [SQLAggregate.minimum, .maximum].map { .aggregate($0, .own("Z_PK"), distinct: false) }
        return .select(select)
    }()

    /// The number of the first transaction from a time on. Parameter: the time.
    static let firstFromTime: SQLStatement = {
        var select = SQLSelect(from: .table(transactions, .only))
        select.columns = [.aggregate(.minimum, .own("Z_PK"), distinct: false)]
        select.conditions = [.compare(.greaterOrEqual, .own("ZTIMESTAMP"), .parameter(1))]
        return .select(select)
    }()

    // MARK: Fitting to another model

    /// All changes: key, entity, properties, and the tombstone's columns.
    static func allChanges(tombstones: Int) -> SQLStatement {
        var select = SQLSelect(from: .table(changes, .only))
        select.columns = (["Z_PK", "ZENTITY", "ZCOLUMNS"] + (0..<tombstones).map { tombstone($0) }).map { .own($0) }
        return .select(select)
    }

    /// Fits a change. Parameters: the properties, the tombstone's columns, the change's key.
    static func changeFit(tombstones: Int) -> SQLStatement {
        let columns = ["ZCOLUMNS"] + (0..<tombstones).map { tombstone($0) }
        return .update(
            SQLUpdate(
                table: changes,
                settings: columns.enumerated().map { SQLSetting(column: $1, value: .parameter($0 + 1)) },
                conditions: [.hasKey(parameter: columns.count + 1)]))
    }

    // MARK: Purging

    /// Removes the changes, then the transactions, before a number, which is the parameter.
    static let purge: [SQLStatement] = [(changes, "ZTRANSACTIONID"), (transactions, "Z_PK")].map { table, column in
        .delete(SQLDelete(table: table, conditions: [.compare(.less, .own(column), .parameter(1))]))
    }
}

extension HistoryRange {
    /// That a transaction is in the range.
    fileprivate func conditions(number: SQLExpression, time: SQLExpression) -> [SQLExpression] {
        switch self {
        case .all: []
        case .afterNumber(let first): [.compare(.greater, number, .value(.int(first)))]
        case .afterTime(let first): [.compare(.greater, time, .value(.double(first)))]
        case .last(_, let limit): limit.map { [.compare(.less, number, .value(.int($0)))] } ?? []
        }
    }

    /// Whether the newest transaction is read first.
    package var isFromTheEnd: Bool { if case .last = self { true } else { false } }
}
