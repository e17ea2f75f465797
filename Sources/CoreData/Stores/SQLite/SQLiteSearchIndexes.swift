import Foundation

/// The indexes for full-text search that a store has, and those that its model asks for.
struct SQLiteSearchIndexes {
    private let schema: SQLSchema
    private let connection: SQLiteConnection
    private let parts: [SQLSchema.SearchParts]

    /// - Throws: 134020 for a mark that can't be kept.
    init(_ schema: SQLSchema, _ connection: SQLiteConnection) throws {
        (self.schema, self.connection) = (schema, connection)
        parts = try schema.searchParts()
    }

    /// The tables that are as the model asks for them, with all of their triggers.
    func current() throws -> Set<String> {
        let texts = try connection.searchTexts()
        return Set(parts.filter { isCurrent($0, texts) }.map(\.table.name))
    }

    private func isCurrent(_ parts: SQLSchema.SearchParts, _ texts: [String: String]) -> Bool {
        parts.matches(texts, connection.dialect)
    }

    /// Makes what is missing or out of date, in one transaction, and drops what the model no longer asks for.
    ///
    /// - Throws: 134020 where the library has no full-text search.
    func keep() throws {
        if try isKept() { return }
        try connection.write {
            // Another process may have done it meanwhile.
            for statement in try changes() { try run(statement) }
        }
    }

    private func isKept() throws -> Bool { try changes().isEmpty }

    private func changes() throws -> [SQLStatement] {
        let texts = try connection.searchTexts()
        let current = Set(parts.filter { isCurrent($0, texts) }.flatMap(\.names))
        let old = texts.filter { !current.contains($0.key) }
        return Self.removals(old) + parts.filter { !isCurrent($0, texts) }.flatMap(\.statements)
    }

    /// What takes tables and triggers away, given the statements that made them by their names. Triggers go first.
    private static func removals(_ texts: [String: String]) -> [SQLStatement] {
        let isTable = SQLiteConnection.isSearchTable
        let names = texts.sorted { $0.key < $1.key }
        return names.filter { !isTable($0.value) }.map { .drop(.trigger($0.key, on: "")) }
            + names.filter { isTable($0.value) }.map { .drop(.table($0.key)) }
    }

    private func run(_ statement: SQLStatement) throws {
        do { try connection.run(statement) } catch let error as SQLiteError {
            if error.message.contains("no such module") { throw Self.missingModule(error) }
            throw error
        }
    }

    static func missingModule(_ error: SQLiteError?) -> any Error {
        NSError.cocoa(
            NSPersistentStoreIncompatibleSchemaError, "This SQLite library can't search texts.",
            reason: "Use a library that was built with SQLITE_ENABLE_FTS5, or open the store without "
                + "NSPersistentStoreFullTextSearchOptionKey.",
            userInfo: error.map { [NSUnderlyingErrorKey: $0] } ?? [:])
    }
}
