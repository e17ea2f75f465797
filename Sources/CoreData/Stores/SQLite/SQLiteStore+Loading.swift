import Foundation

extension SQLiteStore: LoadingStore {
    func makeLookupIndexes() throws {
        try committing { _ in
            for statement in schema.lookupIndexStatements() { try connection.execute(statement) }
        }
    }

    func finishLoading() throws {
        try committing { _ in
            for statement in schema.uniquenessStatements() {
                do { try connection.execute(statement) } catch let error as SQLiteError
                    where error.isUniqueViolation
                {
                    throw violation(error)
                }
            }
            guard isCopy else { return }
            for statement in try schema.derivationStatements() { try connection.execute(statement) }
        }
    }

    /// Whether the store is the destination of a copy.
    private var isCopy: Bool { UnfinishedCopy.source(in: options) != nil }

    private func violation(_ error: SQLiteError) -> NSError {
        NSError.cocoa(
            NSMigrationConstraintViolationError,
            isCopy
                ? "Objects of the source violate a uniqueness constraint of its model."
                : "Migrated objects violate a uniqueness constraint of the new model.",
            reason: "Several objects have the same values: \(error.message).",
            userInfo: [
                NSFilePathErrorKey: url?.path ?? "",
                NSUnderlyingErrorKey: error.cocoaError(path: url?.path ?? ""),
            ])
    }
}
