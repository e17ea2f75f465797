import CSQLite

extension SQLiteConnection {
    /// What the library offers of full-text search; nil where it has none.
    func fullTextSearch() throws -> UnsafeMutablePointer<fts5_api>? {
        var api: UnsafeMutablePointer<fts5_api>?
        guard let statement = try? SQLiteStatement("SELECT fts5(?)", on: self) else { return nil }
        // The function writes to the pointer while the statement runs.
        return try withUnsafeMutablePointer(to: &api) { api in
            sqlite3_bind_pointer(statement.handle, 1, api, "fts5_api_ptr", nil)
            _ = try statement.step()
            statement.reset()
            return api.pointee
        }
    }

    /// The statements that made the search tables and their triggers, by name.
    func searchTexts() throws -> [String: String] {
        let statement = try SQLiteStatement(
            "SELECT name, sql FROM sqlite_master WHERE name GLOB ? "
                + "AND (type = 'trigger' OR sql LIKE 'CREATE VIRTUAL%')", on: self)
        statement.bind(1, text: SQLSearchTable.prefix + "*")
        var texts: [String: String] = [:]
        while try statement.step() {
            if let name = statement.text(0), let text = statement.text(1) { texts[name] = text }
        }
        return texts
    }
}
