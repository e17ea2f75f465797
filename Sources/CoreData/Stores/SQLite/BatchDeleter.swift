import Foundation

/// Deletes the rows of a batch from an SQLite file, inside of its transaction.
struct BatchDeleter: BatchDeletionTarget {
    private let sqlite: SQLiteStore
    private let files: ExternalFiles
    private let history: HistoryRecorder?

    init(_ store: SQLiteStore, _ files: ExternalFiles, _ history: HistoryRecorder?) {
        (sqlite, self.files, self.history) = (store, files, history)
    }

    /// - Returns: The rows that the fetch found, and behind them those that rules deleted.
    func run(_ deletion: StoreBatchDeletion) throws -> StoreBatchResult {
        let entity = deletion.fetch.entity
        if history == nil, !entity.selfAndDescendants.contains(where: \.needsCareInDeletions) {
            let query = try sqlite.main.translator.translate(deletion)
            return try sqlite.change(query, entity, wantsReferences: deletion.wantsReferences)
        }
        return try BatchDeletion(self).run(deletion)
    }

    package var store: NSPersistentStore { sqlite }
    package var schema: SQLSchema { sqlite.schema }

    package func references(foundBy fetch: StoreFetch) throws -> [ObjectReference] {
        try OwnedRows(sqlite).found(by: fetch)
    }

    package func run(
        about keys: [Int64], _ tree: (SQLKeyList) -> SQLStatement?, forEachRow body: (any SQLResultRow) throws -> Void
    ) throws {
        try sqlite.main.forEachRow(keys, tree) { try body($0) }
    }

    package func willDelete(_ keys: [Int64], of layout: EntityLayout) throws {
        let slots = layout.slots.filter { $0.isExternal && $0.isStoredInRow }
        if !slots.isEmpty { try OwnedRows(sqlite).discardFiles(of: keys, slots: slots, in: layout, files) }
        if let history { for key in keys { try history.noteDeletion(key, layout) } }
    }
}
