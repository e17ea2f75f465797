import CSQLite

extension SQLiteConnection {
    /// What the library offers of full-text search; nil where it has none.
    func fullTextSearch() throws -> UnsafeMutablePointer<fts5_api>? {
        var api: UnsafeMutablePointer<fts5_api>?
        guard let statement = try? SQLiteStatement("SELECT fts5(?)", on: self) else { return nil }
        // The name must stay where it is; the function writes to the pointer while the statement runs.
        let name: StaticString = "fts5_api_ptr"
        return try withUnsafeMutablePointer(to: &api) { api in
            let type = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
            sqlite3_bind_pointer(statement.handle, 1, api, type, nil)
            _ = try statement.step()
            statement.reset()
            return api.pointee
        }
    }

    /// Whether a statement makes a search table, and not one of its triggers.
    static func isSearchTable(_ text: String) -> Bool { text.hasPrefix("CREATE VIRTUAL") }

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
