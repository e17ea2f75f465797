import Foundation
import SQLSamples
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// The statements of batches, for two databases. `COREDATA_RECORD=1` records them anew.
@Suite("Statements of batches")
struct BatchStatementTests {
    private let dialects: [any SQLDialect] = [SQLiteDialect(hasJSON: true), PostgreSQLDialect()]

    private func fetch(_ format: String, limit: Int = 0) -> StoreFetch {
        var fetch = StoreFetch(entity: SQLTestModel.layout("Player"), output: .references)
        fetch.predicate = NSPredicate(format: format)
        if limit > 0 { fetch.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)] }
        fetch.limit = limit
        return fetch
    }

    private func setting(_ key: String, _ value: BatchSetting.Content) throws -> BatchSetting {
        BatchSetting(slot: try #require(SQLTestModel.layout("Player").slot(named: key)), value: value)
    }

    @Test("one table is changed by its own conditions, and all else by a select of keys")
    func statements() throws {
        var lines: [String] = []
        func add(_ title: String, _ query: (SQLTranslator) throws -> SQLQuery) throws {
            lines.append("-- " + title)
            for dialect in dialects {
                let translator = SQLTranslator(
                    schema: SQLTestModel.schema, dialect: dialect, store: SQLTestModel.store)
                lines.append(try query(translator).text + ";")
            }
        }
        let formats = ["age > 20", "team.name == 'Heat'", "ANY team.players.age < 18"]
        for format in formats {
            let settings = [
                try setting("age", .expression(NSExpression(format: "age + 1"))), try setting("name", .constant("x")),
            ]
            for wantsReferences in [false, true] {
                try add("update where \(format), \(wantsReferences ? "IDs" : "count")") {
                    try $0.translate(
                        StoreBatchUpdate(fetch: fetch(format), settings: settings, wantsReferences: wantsReferences))
                }
            }
            try add("delete where \(format)") {
                try $0.translate(StoreBatchDeletion(fetch: fetch(format), wantsReferences: true))
            }
        }
        try add("a value of a related row") {
            let setting = try setting("name", .expression(NSExpression(format: "team.name")))
            return try $0.translate(
                StoreBatchUpdate(fetch: fetch("TRUEPREDICATE"), settings: [setting], wantsReferences: false))
        }
        try add("no team") {
            let setting = try setting("team", .constant(nil))
            return try $0.translate(
                StoreBatchUpdate(fetch: fetch("age > 20"), settings: [setting], wantsReferences: false))
        }
        try add("the five youngest") {
            try $0.translate(StoreBatchDeletion(fetch: fetch("age > 20", limit: 5), wantsReferences: false))
        }
        try RecordedText.compare(lines, with: "batches.sql")
    }
}
