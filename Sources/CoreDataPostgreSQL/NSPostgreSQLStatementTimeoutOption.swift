/// Option of a PostgreSQL store: for how many seconds a statement may run, an `NSNumber` above 0.
///
/// ```swift
/// description.setOption(5 as NSNumber, forKey: NSPostgreSQLStatementTimeoutOption)
/// ```
///
/// The server ends a statement that takes longer. A fetch or a save then throws `NSPersistentStoreTimeoutError`
/// (134090). Nothing of the save is written, and the context keeps its changes. Without the option the server decides:
/// its own `statement_timeout` is without end at first.
///
/// The limit is for each statement of the store, those of its replicas among them: fetches, saves, batches, history,
/// and what opening the store makes, such as an index for full-text search. A request may have several statements.
/// Migrations and copies have no limit. `NSPersistentStoreTimeoutOption` limits the time that a statement waits for
/// other transactions, which is part of its time here.
///
/// Opening a store with another value throws 134080.
public let NSPostgreSQLStatementTimeoutOption = "NSPostgreSQLStatementTimeoutOption"
