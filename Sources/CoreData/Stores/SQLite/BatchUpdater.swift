import Foundation

/// Changes the rows of a batch, inside of its transaction.
struct BatchUpdater {
    private let store: SQLiteStore
    private let files: ExternalFiles
    private let history: HistoryRecorder?

    init(_ store: SQLiteStore, _ files: ExternalFiles, _ history: HistoryRecorder?) {
        (self.store, self.files, self.history) = (store, files, history)
    }

    func run(_ update: StoreBatchUpdate) throws -> StoreBatchResult {
        let entity = update.fetch.entity
        let externals = update.settings.map(\.slot).filter(\.isExternal)
        if !externals.isEmpty {
            let rows = OwnedRows(store)
            try rows.discardFiles(of: try rows.found(by: update.fetch).map(\.key), slots: externals, in: entity, files)
        }
        guard let history else {
            let query = try store.main.translator.translate(update)
            return try store.change(query, entity, wantsReferences: update.wantsReferences)
        }
        let told = StoreBatchUpdate(fetch: update.fetch, settings: update.settings, wantsReferences: true)
        let result = try store.change(try store.main.translator.translate(told), entity, wantsReferences: true)
        let slots = update.settings.map(\.slot.index)
        for row in result.references { try history.noteUpdate(row.key, store.layouts[row.entity], slots) }
        return update.wantsReferences ? result : StoreBatchResult(count: result.count, references: [])
    }
}

/// What a batch has to know of rows beyond its own statement.
struct OwnedRows {
    let store: SQLiteStore

    init(_ store: SQLiteStore) { self.store = store }

    /// The references of the rows that a fetch finds.
    func found(by fetch: StoreFetch) throws -> [ObjectReference] {
        var fetch = fetch
        fetch.output = .references
        guard case .references(let found) = try store.main.fetch(fetch) else { return [] }
        return found
    }

    /// Notes that the files that rows name go away.
    func discardFiles(
        of keys: [Int64], slots: [PropertySlot], in layout: EntityLayout, _ files: ExternalFiles
    ) throws {
        let columns = slots.compactMap { store.schema.column(of: layout, slot: $0.index)?.name }
        var select = SQLSelect(from: .table(store.schema.table(of: layout).name, .only))
        select.columns = columns.map { .own($0) }
        try store.main.forEachRow(keys) { keys in
            select.conditions = [.isKey(.own("Z_PK"), in: keys)]
            return .select(select)
        } _: { row in
            for column in columns.indices where !row.isNull(Int32(column)) {
                files.discard(row.blobBytes(Int32(column)))
            }
        }
    }
}
