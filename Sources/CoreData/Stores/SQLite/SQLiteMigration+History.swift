import Foundation

extension SQLiteMigration {
    /// Fits a store's history to the new model: entities by number, properties by bit, kept values by column. Changes
    /// of entities that are gone go, too.
    func migrateHistory(_ basis: SQLMigrationBasis, _ connection: SQLiteConnection) throws {
        let tables = SQLiteHistory.tables(among: try connection.columnsByTable())
        guard tables[SQLHistoryTables.changes] != nil else { return }
        let fits = Dictionary(
            uniqueKeysWithValues: mapping.entities.compactMap { pair -> (Int64, HistoryFit)? in
                guard let source = pair.source, let number = basis.old.number(of: source) else { return nil }
                return (number, HistoryFit(pair, basis.new))
            })
        if fits.values.allSatisfy({ $0.isSame }), fits.allSatisfy({ $0.key == $0.value.number }) { return }
        _ = try SQLiteHistory.prepare(connection, basis.new, tables)
        let columns = SQLiteHistory.tables(among: try connection.columnsByTable())[SQLHistoryTables.changes] ?? []
        let kept = (0...).first { !columns.contains(SQLHistoryTables.tombstone($0)) } ?? 0
        let rows = try connection.newStatement(SQLHistoryTables.allChanges(tombstones: kept))
        let update = try connection.newStatement(SQLHistoryTables.changeFit(tombstones: kept))
        let removal = try connection.newStatement(SQLHistoryTables.changeRemoval)
        // The rows are read in the order of their keys, which no update changes.
        while try rows.step() {
            guard let fit = fits[rows.int(1)] else { continue }
            guard let number = fit.number else {
                removal.bind(1, int: rows.int(0))
                try removal.run()
                continue
            }
            update.bind(1, int: number)
            if let mask = rows.blob(2) { update.bind(2, blob: fit.mask(mask)) } else { update.bindNull(2) }
            for place in 0..<kept {
                let index = Int32(place + 3)
                if place < fit.tombstones.count, let old = fit.tombstones[place], old < kept {
                    update.bind(index, copyOf: rows, Int32(old + 3))
                } else {
                    update.bindNull(index)
                }
            }
            update.bind(Int32(kept + 3), int: rows.int(0))
            try update.run()
        }
    }
}

/// How the history of one entity's objects is fitted to a new model.
private struct HistoryFit {
    /// The entity's number in the new store; nil where it is gone.
    let number: Int64?
    /// Which of the old kept values comes to each place; nil: none.
    let tombstones: [Int?]
    private let old: HistoryColumns
    private let new: HistoryColumns?
    /// The properties' new names by their old ones.
    private let names: [String: String]
    private let slots: [String: Int]

    init(_ pair: InferredEntity, _ schema: SQLSchema) {
        number = pair.destination.flatMap { schema.contains($0) ? schema.number(of: $0) : nil }
        old = pair.source.map { HistoryColumns($0) } ?? HistoryColumns()
        new = pair.destination.map { HistoryColumns($0) }
        names = Dictionary(
            pair.properties.compactMap { property in
                property.source.map { ($0.name.topLevelKey, property.destination.name.topLevelKey) }
            }, uniquingKeysWith: { first, _ in first })
        slots = Dictionary(
            (pair.destination?.slots ?? []).map { ($0.name, $0.index) }, uniquingKeysWith: { first, _ in first })
        let (names, places) = (names, old.preserved.map(\.name))
        tombstones = (new?.preserved ?? []).map { slot in
            places.firstIndex { names[$0] == slot.name }
        }
    }

    /// Whether masks and kept values stay as they are.
    var isSame: Bool {
        old.names == new?.names && tombstones == Array(old.preserved.indices)
            && names.allSatisfy { $0.key == $0.value }
    }

    func mask(_ mask: Data) -> Data {
        new?.mask(old.properties(of: mask).compactMap { names[$0].flatMap { slots[$0] } }) ?? mask
    }
}

extension String {
    /// The attribute that a composite's element is of; itself for every other name.
    fileprivate var topLevelKey: String { prefix { $0 != "." }.description }
}
