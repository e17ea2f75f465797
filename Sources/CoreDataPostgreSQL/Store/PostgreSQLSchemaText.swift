import CoreData

/// The statements by which a new store makes its tables, as text for readers and for `psql`.
package enum PostgreSQLSchemaText {
    /// The statements in the order in which a store runs them, each without a semicolon at its end.
    ///
    /// The functions of the schema `coredata` are among them where triggers or indexes call one.
    ///
    /// - Throws: 134020 for a model that names tables of another program, for names that no table can have, and for a
    ///   derived attribute that no store can keep; 134091 for one that PostgreSQL can't compute.
    package static func statements(for model: StoreModel) throws -> [String] {
        let names = try PostgreSQLNames(model)
        guard !names.isMapped else {
            throw PostgreSQLNames.refusal(
                "Another program has made the tables of this model. A store makes views over them, and no tables.")
        }
        let schema = SQLSchema.derived(
            from: model.layouts, entities: model.entities, naming: names.naming(.all), numbers: nil)
        try names.check(schema)
        let made = try PostgreSQLCreation.ownTables + PostgreSQLCreation(schema).statements
        let functions = made.contains { $0.contains("coredata.") } ? PostgreSQLFunctions.creation : []
        return functions + made
    }
}
