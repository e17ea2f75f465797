import CoreData
import ModelDocument

/// What a model can be written as, for other tools.
package enum ModelLanguage: String, Sendable, CaseIterable {
    /// The language of dbdiagram.io and its like.
    case dbml
    /// An entity relationship diagram of Mermaid, which code hosts draw in articles.
    case mermaid
    /// The tables that a store in an SQLite file has.
    case sql
    /// The tables that a store in a PostgreSQL database has.
    case postgresql

    /// The ending of a file's name.
    package var pathExtension: String {
        switch self {
        case .dbml: "dbml"
        case .mermaid: "mmd"
        case .sql, .postgresql: "sql"
        }
    }

    /// A model in this language, with a line end behind the last line.
    ///
    /// - Parameter title: What the text calls the model.
    /// - Throws: An error with a sentence where the model makes no store: SQL says what one has.
    package func text(of model: Model, title: String) throws -> String {
        switch self {
        case .dbml: DBMLWriter(model, title: title).text
        case .mermaid: MermaidWriter(model).text
        case .sql: try SchemaScript(sqlite: model, title: title).text
        case .postgresql: try SchemaScript(postgreSQL: model, title: title).text
        }
    }
}
