import CoreData
import CoreDataPostgreSQL
import ModelDocument
import StoreBrowsing
import StoreInspection

/// The statements that make the tables of a new store, as a script.
///
/// They come from the store's own code. A store runs the same statements.
struct SchemaScript {
    let text: String

    /// - Throws: 134020 and its like, with a sentence, for a model that no store can have.
    init(sqlite model: Model, title: String) throws {
        let store = try Self.storeModel(model)
        let schema = SQLSchema.derived(from: store.layouts, entities: store.entities)
        text = Self.script("\(title): the tables of a store in an SQLite file", try schema.creationStatements())
    }

    /// - Throws: As above. A model that names tables of another program has none of its own.
    init(postgreSQL model: Model, title: String) throws {
        let statements = try PostgreSQLSchemaText.statements(for: Self.storeModel(model))
        text = Self.script("\(title): the tables of a store in a PostgreSQL database", statements)
    }

    private static func storeModel(_ model: Model) throws -> StoreModel {
        try NSManagedObjectModel(document: model.withoutClasses).storeModel(configuration: nil)
    }

    private static func script(_ heading: String, _ statements: [String]) -> String {
        (["-- \(SafeText.singleLine(heading))", "-- A store makes them by itself."] + statements.map { $0 + ";" })
            .joined(separator: "\n") + "\n"
    }
}
