import CoreData
import Foundation
import StoreBrowsing

/// What a draft is made from.
package enum DraftSource {
    /// A script of SQL: its statements that make tables.
    case sql(String)
    /// Samples in JSON, or a line each.
    case json([UInt8])

    /// - Parameters:
    ///   - argument: A file, or the URL of a PostgreSQL database.
    /// - Returns: The draft, and a name for the model.
    /// - Throws: ``ToolFailure``.
    package static func draft(_ argument: String) throws -> (draft: ModelDraft, name: String) {
        let place = try StorePlace(argument)
        if case .database(let url, let name) = place {
            let reader = try PostgreSQLTablesReader(argument, name: name)
            var drafter = TableDrafter(reader.tables, mapping: TableMapping(), notes: reader.notes)
            return (drafter.draft(), modelName(url.path))
        }
        guard let data = FileManager.default.contents(atPath: place.url.path) else {
            throw ToolFailure(.missingFile, "There is no file at \(argument) that can be read.")
        }
        let name = modelName(place.url.deletingPathExtension().lastPathComponent)
        if data.starts(with: Data("SQLite format 3\0".utf8)) {
            let reader = try SQLiteTablesReader(place.url)
            var drafter = TableDrafter(reader.tables, notes: reader.notes)
            return (drafter.draft(), name)
        }
        return (try source(data, named: place.url.lastPathComponent).draft(named: place.url.lastPathComponent), name)
    }

    /// A file's contents by its name.
    ///
    /// - Throws: ``ToolFailure`` for a name that says nothing, and for SQL that is no UTF-8.
    package static func source(_ data: Data, named name: String) throws -> DraftSource {
        switch URL(fileURLWithPath: name).pathExtension.lowercased() {
        case "sql", "ddl":
            guard let text = String(validating: data, as: UTF8.self) else {
                throw ToolFailure(.damaged, "\(name) is no text in UTF-8.")
            }
            return .sql(text)
        case "json", "jsonl", "ndjson": return .json([UInt8](data))
        default:
            throw ToolFailure(
                .foreign,
                "\(name) is nothing that a model can be made of: a .sql, a .json or .jsonl with samples, or an SQLite file."
            )
        }
    }

    /// - Parameter name: The file's name, for failures and for the outermost objects of samples.
    /// - Throws: ``ToolFailure``.
    package func draft(named name: String) throws -> ModelDraft {
        switch self {
        case .sql(let text):
            let script = try SQLScript(text, name: name)
            var drafter = TableDrafter(script.tables, notes: script.notes)
            return drafter.draft()
        case .json(let bytes):
            var reader = SampleReader(bytes, name: name)
            let title = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
            return try SampleDrafter.draft(reader.values(), name: title)
        }
    }

    /// A name for a document: what letters and digits of the source's name can be one.
    private static func modelName(_ text: String) -> String {
        let words = DraftName.words(of: text)
        return words.isEmpty ? "Model" : words.map(DraftName.capitalized).joined()
    }
}
