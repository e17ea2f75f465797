import Foundation

extension SQLiteMetadata {
    /// Makes a store one of another version of the model, as it is: the option
    /// ``NSIgnorePersistentStoreVersioningOption`` asks for it.
    ///
    /// - Throws: 134020 where the tables lack something of the model: what is saved to it would be lost.
    mutating func adopt(
        _ model: StoreModel, _ schema: SQLSchema, _ tables: SQLiteTables, _ connection: SQLiteConnection
    ) throws {
        if values[NSStoreModelVersionHashesKey] as? [String: Data] == model.hashes { return }
        let missing = schema.missingParts(in: tables.columns)
        guard missing.isEmpty else { throw Self.incompatible(connection.path, missing) }
        var values = values
        for (key, value) in model.metadata(type: NSSQLiteStoreType) where key.hasPrefix("NSStoreModel") {
            values[key] = value
        }
        values[NSPersistentStoreModelVersionChecksumKey] = model.checksum
        try connection.write {
            try SQLiteMetadata.write(values, identifier: identifier ?? "", to: connection)
            if tables.columns["Z_MODELCACHE"] != nil {
                try connection.run(SQLStoreTables.modelRemoval)
                try SQLiteMetadata.writeModelCache(model.archive(), to: connection)
            }
        }
        self = SQLiteMetadata(identifier: identifier, values: values)
    }

    private static func incompatible(_ path: String, _ missing: [String]) -> NSError {
        .cocoa(
            NSPersistentStoreIncompatibleSchemaError,
            "The store “\((path as NSString).lastPathComponent)” lacks parts of the model.",
            reason: missing.joined(separator: "; ") + ".",
            userInfo: [
                NSFilePathErrorKey: path,
                NSLocalizedRecoverySuggestionErrorKey:
                    "Migrate the store, or open it with NSReadOnlyPersistentStoreOption, too: then the rest is read.",
            ])
    }
}

extension SQLSchema {
    /// What of the model has no place in a store's tables, or one for values of another type, in a sentence each.
    fileprivate func missingParts(in tables: [String: [SQLTableColumn]]) -> [String] {
        layouts.layouts.filter { contains($0) }.flatMap { layout -> [String] in
            guard number(of: layout) != nil, let columns = tables[table(of: layout).name] else {
                return ["\(layout.name): there is no such entity in the store"]
            }
            let types = Dictionary(columns.map { ($0.name, $0.type.uppercased()) }) { first, _ in first }
            let own = layout.slots[(layout.parent?.slots.count ?? 0)...]
            return own.compactMap { missingPart($0, of: layout, types) }
        }
    }

    private func missingPart(_ slot: PropertySlot, of layout: EntityLayout, _ types: [String: String]) -> String? {
        let name = "\(layout.name).\(slot.name)"
        if slot.kind.isToMany, !slot.isTransient {
            guard let link = link(of: layout, slot: slot.index) else { return "\(name): no table or column holds it" }
            return slot.kind == .orderedToMany && link.orderColumn == nil ? "\(name): its order has no column" : nil
        }
        guard slot.isStoredInRow else { return nil }
        guard let column = column(of: layout, slot: slot.index) else { return "\(name): there is no column for it" }
        let (type, wanted) = (types[column.name] ?? "", slot.kind.columnType.uppercased())
        return type == wanted ? nil : "\(name): its column is of the type \(type), not \(wanted)"
    }
}
