import CoreData
import PostgreSQLClient

/// Makes a store one of another version of the model, as it is: the option ``NSIgnorePersistentStoreVersioningOption``
/// asks for it.
struct PostgreSQLAdoption {
    private let connection: PostgreSQLConnection
    private let place: PostgreSQLPlace
    /// The types of the columns of all tables and views, by the names that the database has.
    private let types: [String: [String: String]]

    init(_ connection: PostgreSQLConnection, _ place: PostgreSQLPlace) throws {
        (self.connection, self.place) = (connection, place)
        let found = try connection.execute(
            """
            SELECT relname::text, attname::text, format_type(atttypid, NULL) \
            FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid \
            WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) \
            AND relkind IN ('r', 'p', 'v') AND attnum > 0 AND NOT attisdropped
            """)
        var types: [String: [String: String]] = [:]
        for row in 0..<found.rowCount {
            types[try found.text(row, 0), default: [:]][try found.text(row, 1)] = try found.text(row, 2)
        }
        self.types = types
    }

    /// Gives the store the hashes, the archive and the names of a model, and the triggers that its derived attributes
    /// lack.
    ///
    /// - Throws: 134020 where the tables lack something of the model: what is saved to it would be lost.
    func adopt(_ model: StoreModel, _ names: PostgreSQLNames, _ schema: SQLSchema) throws -> PostgreSQLMetadata {
        try connection.transaction {
            try connection.execute(PostgreSQLMetadata.lock)
            guard let stored = try PostgreSQLMetadata.read(connection) else { throw place.missing }
            if names.isMapped {
                try requireEntities(of: schema)
                try replaceViews(names, schema)
            } else {
                try require(missingParts(of: schema))
                try makeTriggers(schema)
            }
            var values = stored.values
            for (key, value) in model.metadata(type: NSPostgreSQLStoreType) where key.hasPrefix("NSStoreModel") {
                values[key] = value
            }
            values[NSPersistentStoreModelVersionChecksumKey] = model.checksum
            let metadata = PostgreSQLMetadata(identifier: stored.identifier, values: values)
            try metadata.write(connection)
            try PostgreSQLMetadata.write(model: model.archive(), names, connection)
            return metadata
        }
    }

    /// The schema of a store that is only read: what it lacks has no place in it.
    func fitted(_ schema: SQLSchema) -> SQLSchema {
        schema.withoutPlaces { layout, slot in
            schema.number(of: layout) == nil || missingPart(slot, of: layout, in: schema) != nil
        }
    }

    private func makeTriggers(_ schema: SQLSchema) throws {
        let found = try connection.execute(
            """
            SELECT tgname::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE NOT tgisinternal \
            AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
            """)
        let known = Set(try (0..<found.rowCount).map { try found.text($0, 0) })
        for part in try PostgreSQLParts(schema).all
        where part.kind == .trigger && !known.contains(PostgreSQLDialect.shortened(part.name)) {
            try connection.execute(part.text)
        }
    }

    /// The tables that the views are over belong to another program. A view that the model asks for is made from what
    /// they have now.
    private func replaceViews(_ names: PostgreSQLNames, _ schema: SQLSchema) throws {
        try PostgreSQLViews(connection: connection).replace(names, schema)
        try connection.execute("DELETE FROM \"_coredata_tables\"")
        try PostgreSQLMetadata.insertTables(of: schema, connection)
    }

    // MARK: What is missing

    private func require(_ missing: [String]) throws {
        if missing.isEmpty { return }
        throw NSError.cocoa(
            NSPersistentStoreIncompatibleSchemaError, "The store \(place.name) lacks parts of the model.",
            reason: missing.joined(separator: "; ") + ".",
            userInfo: [
                NSLocalizedRecoverySuggestionErrorKey:
                    "Migrate the store, or open it with NSReadOnlyPersistentStoreOption, too: then the rest is read."
            ])
    }

    private func requireEntities(of schema: SQLSchema) throws {
        try require(
            schema.layouts.layouts.filter { schema.contains($0) && schema.number(of: $0) == nil }.map {
                "\($0.name): there is no such entity in the store"
            })
    }

    /// What of the model has no place in the tables, or one for values of another type, in a sentence each.
    private func missingParts(of schema: SQLSchema) -> [String] {
        schema.layouts.layouts.filter { schema.contains($0) }.flatMap { layout -> [String] in
            guard schema.number(of: layout) != nil, types[Self.name(schema.table(of: layout).name)] != nil else {
                return ["\(layout.name): there is no such entity in the store"]
            }
            let own = layout.slots[(layout.parent?.slots.count ?? 0)...]
            return own.compactMap { missingPart($0, of: layout, in: schema) }
        }
    }

    private func missingPart(_ slot: PropertySlot, of layout: EntityLayout, in schema: SQLSchema) -> String? {
        let name = "\(layout.name).\(slot.name)"
        if slot.kind.isToMany, !slot.isTransient {
            guard let link = schema.link(of: layout, slot: slot.index), has(link.sourceColumn, in: link.table),
                has(link.targetColumn, in: link.table)
            else { return "\(name): no table or column holds it" }
            guard slot.kind == .orderedToMany else { return nil }
            let hasOrder = link.orderColumn.map { has($0, in: link.table) } ?? false
            return hasOrder ? nil : "\(name): its order has no column"
        }
        guard slot.isStoredInRow, let column = schema.column(of: layout, slot: slot.index) else { return nil }
        let table = schema.table(of: layout).name
        guard let type = types[Self.name(table)]?[Self.name(column.name)] else {
            return "\(name): there is no column for it"
        }
        if let side = [column.entityColumn, column.orderColumn].compactMap(\.self).first(where: { !has($0, in: table) })
        {
            return "\(name): there is no column “\(side)”"
        }
        let wanted = PostgreSQLType(slot.kind).rawValue
        return type == wanted ? nil : "\(name): its column is of the type \(type), not \(wanted)"
    }

    private func has(_ column: String, in table: String) -> Bool {
        types[Self.name(table)]?[Self.name(column)] != nil
    }

    /// A name as the database has it.
    private static func name(_ name: String) -> String {
        PostgreSQLDialect.shortened(PostgreSQLNaming.systemColumns[name] ?? name)
    }
}
