import Foundation

extension SQLiteStore: LoadingStore {
    func makeLookupIndexes() throws {
        try cocoa {
            try connection.write {
                for statement in schema.lookupIndexStatements() { try connection.execute(statement) }
            }
        }
    }

    func finishLoading() throws {
        try cocoa {
            try connection.write {
                for statement in schema.uniquenessStatements() {
                    do { try connection.execute(statement) } catch let error as SQLiteError
                        where error.isUniqueViolation
                    {
                        throw violation(error)
                    }
                }
            }
        }
    }

    private func violation(_ error: SQLiteError) -> NSError {
        NSError.cocoa(
            NSMigrationConstraintViolationError, "Migrated objects violate a uniqueness constraint of the new model.",
            reason: "Several objects have the same values: \(error.message).",
            userInfo: [
                NSFilePathErrorKey: url?.path ?? "",
                NSUnderlyingErrorKey: error.cocoaError(path: url?.path ?? ""),
            ])
    }
}
