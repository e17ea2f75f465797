import CoreData
import Foundation
import PostgreSQLClient

/// Migrates a store in its database: one transaction of SQL, which loads no object.
///
/// The steps are those of ``SQLMigrationPlanner``. Entities keep their numbers, so that rows of unchanged entities stay
/// as they are. Constraints, indexes and triggers over tables that change are made anew.
///
/// Programs that start together migrate once: the others wait for the lock of the metadata. Then they find the store
/// migrated. Where the migration and a save wait for each other, the server may break the migration off. It begins anew
/// then.
struct PostgreSQLMigration {
    let place: PostgreSQLPlace
    let mapping: InferredMapping
    /// The model that the store is to have.
    let model: StoreModel
    /// Whether indexes are left for `finishDeferredLightweightMigration()`.
    let isDeferred: Bool

    init(_ place: PostgreSQLPlace, _ mapping: InferredMapping, _ model: StoreModel, options: [AnyHashable: Any]?) {
        (self.place, self.mapping, self.model) = (place, mapping, model)
        isDeferred =
            (options?[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? NSNumber)?.boolValue ?? false
    }

    /// - Throws: 134190 where rows stand against the migration; 134111 where they break a uniqueness constraint of the
    ///   new model; what the server reports.
    func run() throws {
        try place.connected(isWriting: true) { connection in
            do {
                try PostgreSQLContest.run { try connection.transaction { try migrate(connection) } }
            } catch let error as PostgreSQLError where error.isUniqueViolation {
                throw NSError.cocoa(
                    NSMigrationConstraintViolationError,
                    "Rows of the store violate a uniqueness constraint of the model.",
                    reason: error.detail ?? error.message, userInfo: [NSUnderlyingErrorKey: error])
            }
        }
    }

    /// What ``run()`` would do, but for the store's own tables; nothing if the store is of the version already.
    func forecast() throws -> SQLMigrationForecast {
        try place.connected { connection in
            guard let metadata = try PostgreSQLMetadata.read(connection) else { throw place.missing }
            if try isDone(metadata) { return SQLMigrationForecast(statements: []) }
            let (old, names) = (try PostgreSQLMetadata.names(connection), try PostgreSQLNames(model))
            try old.checkOwner(names)
            let plan = try plan(connection)
            if names.isMapped {
                let views = PostgreSQLViews(connection: connection)
                return SQLMigrationForecast(statements: try views.replacement(names, plan.new))
            }
            try plan.check(connection)
            let indexes = try PostgreSQLSearchIndexes.tables(connection)
            return try plan.forecast(
                connection, after: PostgreSQLSearchIndexes.removal(of: indexes),
                before: indexes.isEmpty ? [] : try PostgreSQLSearchIndexes(plan.new, connection).creation)
        }
    }

    private func migrate(_ connection: PostgreSQLConnection) throws {
        // Another process may have migrated the store since it was looked at.
        try connection.execute(PostgreSQLMetadata.lock)
        guard let metadata = try PostgreSQLMetadata.read(connection) else { throw place.missing }
        if try isDone(metadata) { return }
        // Tables with checks that wait for the commit can't be altered.
        try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
        try write(try changeTables(connection), over: metadata, connection)
    }

    /// - Returns: The store's tables as they are now.
    private func changeTables(_ connection: PostgreSQLConnection) throws -> SQLSchema {
        let (old, names) = (try PostgreSQLMetadata.names(connection), try PostgreSQLNames(model))
        try old.checkOwner(names)
        let plan = try plan(connection)
        if names.isMapped {
            try PostgreSQLViews(connection: connection).replace(names, plan.new)
        } else {
            try plan.check(connection)
            // A store that has indexes for full-text search has those of the new model.
            let indexes = try PostgreSQLSearchIndexes.tables(connection)
            for text in PostgreSQLSearchIndexes.removal(of: indexes) { try connection.execute(text) }
            for step in try plan.steps() { try run(step, connection) }
            if !indexes.isEmpty {
                for text in try PostgreSQLSearchIndexes(plan.new, connection).creation { try connection.execute(text) }
            }
        }
        return plan.new
    }

    private func run(_ step: PostgreSQLMigrationPlan.Step, _ connection: PostgreSQLConnection) throws {
        let result = try connection.execute(step.query.text, step.query.values)
        guard let obstacle = step.obstacle else { return }
        let rows = try result.int(0, 0)
        if rows > 0 { throw obstacle.refusal(rows: rows) }
    }

    private func isDone(_ metadata: PostgreSQLMetadata) throws -> Bool {
        let stored = metadata.values[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        if stored == model.hashes { return true }
        let known = mapping.sourceModel.entityVersionHashesByName
        guard !stored.isEmpty, stored.allSatisfy({ known[$0.key] == $0.value }) else {
            throw NSError.cocoa(
                NSMigrationMissingSourceModelError, "The store was changed by another process before its migration.",
                reason: "It has another version of the model now. Try again.")
        }
        return false
    }

    /// What is to be done to the store.
    func plan(_ connection: PostgreSQLConnection) throws -> PostgreSQLMigrationPlan {
        let numbers = try PostgreSQLMetadata.entities(connection)
        let (stored, names) = (try PostgreSQLMetadata.names(connection), try PostgreSQLNames(model))
        let old = SQLSchema.derived(
            from: mapping.sourceModel.seal(), entities: mapping.sourceEntities,
            naming: try stored.naming(PostgreSQLStamps(connection)), numbers: numbers)
        let new = SQLSchema.derived(
            from: model.layouts, entities: model.entities, naming: names.naming(.all),
            numbers: try newNumbers(numbers, connection))
        try names.check(new)
        let plan = PostgreSQLMigrationPlan(mapping, from: old, to: new, isDeferred: isDeferred)
        for move in plan.moves {
            try stored.checkDistribution(
                of: old.layouts[move.old.root].name, becoming: new.layouts[move.new.root].name, in: names)
        }
        return plan
    }

    /// The numbers of the new model's entities: those that they have, and unused ones for those that are new.
    private func newNumbers(
        _ numbers: [String: Int64], _ connection: PostgreSQLConnection
    ) throws -> [String: Int64] {
        var last = numbers.values.max() ?? 0
        if try connection.execute(PostgreSQLHistoryTables.check).bool(0, 0) == true {
            last = max(last, try connection.execute(PostgreSQLHistoryTables.highestEntity).int(0, 0))
        }
        var found: [String: Int64] = [:]
        for entity in mapping.entities {
            guard let destination = entity.destination else { continue }
            if let source = entity.source, let number = numbers[source.name] {
                found[destination.name] = number
            } else {
                last += 1
                found[destination.name] = last
            }
        }
        return found
    }

    // MARK: The store's own tables

    private func write(
        _ schema: SQLSchema, over metadata: PostgreSQLMetadata, _ connection: PostgreSQLConnection
    ) throws {
        try connection.execute("DELETE FROM \"_coredata_entities\"")
        try connection.execute("DELETE FROM \"_coredata_tables\"")
        try PostgreSQLMetadata.insertEntities(of: schema, connection)
        try PostgreSQLMetadata.insertTables(of: schema, connection)
        if try connection.execute(PostgreSQLHistoryTables.check).bool(0, 0) == true {
            try renameHistory(schema, connection)
        }
        var values = metadata.values
        for (key, value) in model.metadata(type: NSPostgreSQLStoreType) where key != NSStoreTypeKey {
            values[key] = value
        }
        if isDeferred, try !PostgreSQLNames(model).isMapped {
            values[NSPersistentStoreDeferredLightweightMigrationOptionKey] = NSNumber(value: true)
        }
        try PostgreSQLMetadata(identifier: metadata.identifier, values: values).write(connection)
        try PostgreSQLMetadata.write(model: model.archive(), PostgreSQLNames(model), connection)
    }

    /// History names properties: it gets their new names.
    private func renameHistory(_ schema: SQLSchema, _ connection: PostgreSQLConnection) throws {
        for entity in mapping.entities {
            guard let destination = entity.destination, schema.contains(destination),
                let number = schema.number(of: destination)
            else { continue }
            let renamed = entity.properties.compactMap { property in
                property.source.flatMap {
                    $0.name == property.destination.name ? nil : ($0.name, property.destination.name)
                }
            }
            if renamed.isEmpty { continue }
            var parameters = PostgreSQLParameters()
            parameters.append(int32: Int32(number))
            try parameters.append(texts: renamed.map(\.0))
            try parameters.append(texts: renamed.map(\.1))
            try connection.execute(PostgreSQLHistoryTables.renaming, parameters)
        }
    }
}
