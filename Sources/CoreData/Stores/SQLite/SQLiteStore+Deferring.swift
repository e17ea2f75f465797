import Foundation

extension SQLiteStore: DeferringStore {
    func finishDeferredMigration(isWhole: Bool) throws {
        guard let pending = metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? NSNumber,
            pending.boolValue
        else { return }
        guard !isReadOnly else {
            throw NSError.cocoa(
                513, "The store “\(url?.lastPathComponent ?? "")” is read-only; its migration can't be finished.",
                userInfo: [NSFilePathErrorKey: url?.path ?? ""])
        }
        try cocoa {
            try connection.write {
                var missing = try missingIndexes()[...]
                while let index = missing.popFirst() {
                    try connection.run(.createIndex(index))
                    if !isWhole { break }
                }
                if missing.isEmpty { try noteFinished() }
            }
        }
        if try missingIndexes().isEmpty {
            metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] = nil
        }
    }

    /// Has the file say that nothing is left to do.
    private func noteFinished() throws {
        let stored = try SQLiteMetadata.read(connection)
        var values = stored.values
        values[NSPersistentStoreDeferredLightweightMigrationOptionKey] = nil
        try SQLiteMetadata.write(values, identifier: stored.identifier ?? token.identifier, to: connection)
    }

    private func missingIndexes() throws -> [SQLIndexDefinition] {
        let known = Set(try connection.catalogue([:]).indexes.map(\.name))
        return schema.allIndexes(connection.dialect).filter { !known.contains($0.name) }
    }
}
