import Foundation

extension SQLiteMigration {
    /// Fits a store's history to the new model: properties by bit, kept values by column. The entities have their new
    /// numbers already.
    func migrateHistory(_ basis: SQLMigrationBasis, _ connection: SQLiteConnection) throws {
        let tables = SQLiteHistory.tables(among: try connection.columnsByTable())
        guard tables[SQLHistoryTables.changes] != nil else { return }
        let fits = Dictionary(
            uniqueKeysWithValues: mapping.entities.compactMap { pair -> (Int64, HistoryFit)? in
                guard let source = pair.source, let destination = pair.destination, basis.new.contains(destination),
                    let number = basis.new.number(of: destination)
                else { return nil }
                let fit = HistoryFit(pair, from: source, to: destination)
                return fit.isSame ? nil : (number, fit)
            })
        if fits.isEmpty { return }
        let columns = try SQLiteHistory.prepare(connection, basis.new, tables)[SQLHistoryTables.changes]
        let kept = SQLHistoryTables.tombstones(among: columns)
        let rows = try connection.newStatement(SQLHistoryTables.allChanges(tombstones: kept))
        let update = try connection.newStatement(SQLHistoryTables.changeFit(tombstones: kept))
        // The rows are read in the order of their keys, which no update changes.
        while try rows.step() {
            guard let fit = fits[rows.int(1)] else { continue }
            if let mask = rows.blob(2) { update.bind(1, blob: fit.mask(mask)) } else { update.bindNull(1) }
            for place in 0..<kept {
                let index = Int32(place + 2)
                if place < fit.tombstones.count, let old = fit.tombstones[place], old < kept {
                    update.bind(index, copyOf: rows, Int32(old + 3))
                } else {
                    update.bindNull(index)
                }
            }
            update.bind(Int32(kept + 2), int: rows.int(0))
            try update.run()
        }
    }
}

/// How the history of one entity's objects is fitted to a new model.
private struct HistoryFit {
    /// Which of the old kept values comes to each place; nil: none.
    let tombstones: [Int?]
    private let old: HistoryColumns
    private let new: HistoryColumns
    /// The properties' new names by their old ones.
    private let names: [String: String]
    private let destination: EntityLayout

    init(_ pair: InferredEntity, from source: EntityLayout, to destination: EntityLayout) {
        self.destination = destination
        (old, new) = (HistoryColumns(source), HistoryColumns(destination))
        names = Dictionary(
            pair.properties.compactMap { property in
                property.source.map { ($0.name.topLevelKey, property.destination.name.topLevelKey) }
            }, uniquingKeysWith: { first, _ in first })
        let (names, places) = (names, old.preserved.map(\.name))
        tombstones = new.preserved.map { slot in places.firstIndex { names[$0] == slot.name } }
    }

    /// Whether masks and kept values stay as they are.
    var isSame: Bool {
        old.names == new.names && tombstones == Array(old.preserved.indices)
            && names.allSatisfy { $0.key == $0.value }
    }

    func mask(_ mask: Data) -> Data {
        new.mask(old.properties(of: mask).compactMap { names[$0].flatMap { destination.indexByName[$0] } })
    }
}

extension String {
    /// The attribute that a composite's element is of; itself for every other name.
    fileprivate var topLevelKey: String { prefix { $0 != "." }.description }
}
