import CSQLite

extension ReadMonitor {
    /// Has SQLite ask every some thousand steps whether to go on.
    func watch(_ connection: SQLiteConnection) {
        sqlite3_progress_handler(
            connection.handle, 2000,
            { monitor in
                guard let monitor else { return 0 }
                return Unmanaged<ReadMonitor>.fromOpaque(monitor).takeUnretainedValue().progress.isGivenUp ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func leave(_ connection: SQLiteConnection) { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
}

extension RowReader {
    /// All rows of a statement, counted as they come.
    func readAll(_ statement: SQLiteStatement, _ monitor: ReadMonitor) throws -> RowBatch {
        let rows = RowBatch()
        while try statement.step() {
            monitor.noteRow()
            if let row = read(statement) { rows.append(row) }
        }
        return rows
    }
}
