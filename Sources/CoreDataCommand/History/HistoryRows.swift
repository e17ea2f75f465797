import CoreData
import StoreBrowsing

/// Prints changes of a history as rows, or whole transactions.
struct HistoryRows {
    let renderer: ValueRenderer
    /// Whether a row is a transaction; else it is a change.
    var isByTransaction = false

    private static let transactionColumns = ["transaction", "date", "author", "context", "process"]

    var columns: [RowColumn] {
        let rest =
            isByTransaction
            ? ["bundle", "inserted", "updated", "deleted"] : ["change", "id", "properties", "tombstone"]
        let numbers: Set = ["transaction", "inserted", "updated", "deleted"]
        return (Self.transactionColumns + rest).map { RowColumn(title: $0, isNumeric: numbers.contains($0)) }
    }

    /// What a table counts below its rows.
    var noun: (one: String, many: String) {
        isByTransaction ? ("transaction", "transactions") : ("change", "changes")
    }

    /// Prints a transaction.
    func write(_ shown: HistoryFilter.Shown, to printer: RowPrinter) throws {
        let label = label(shown.transaction)
        if isByTransaction { return try printer.write(label + counts(shown)) }
        for change in shown.changes { try printer.write(label + values(of: change)) }
    }

    private func label(_ transaction: NSPersistentHistoryTransaction) -> [JSONValue] {
        [
            .int(transaction.transactionNumber),
            .string(renderer.date(transaction.timestamp.timeIntervalSinceReferenceDate)),
            .optional(transaction.author), .optional(transaction.contextName), .string(transaction.processID),
        ]
    }

    private func counts(_ shown: HistoryFilter.Shown) -> [JSONValue] {
        let kinds: [NSPersistentHistoryChangeType] = [.insert, .update, .delete]
        let counts = kinds.map { kind in shown.changes.count { $0.changeType == kind } }
        return [.string(shown.transaction.bundleID)] + counts.map { .int(Int64($0)) }
    }

    private func values(of change: NSPersistentHistoryChange) throws -> [JSONValue] {
        let id = change.changedObjectID.shortIdentifier
        let names = change.updatedProperties?.map(\.name).sorted { $0.precedesByCodePoint($1) }
        return [
            .string(change.changeType.word), .string(id),
            names.map { .array($0.map(JSONValue.string)) } ?? .null, try tombstone(of: change, id),
        ]
    }

    private func tombstone(of change: NSPersistentHistoryChange, _ id: String) throws -> JSONValue {
        guard let kept = change.tombstone, !kept.isEmpty else { return .null }
        let values = try kept.map { name, value in
            ("\(name.base)", try renderer.json(value, at: "\(id).\(name.base)"))
        }
        return .object(Dictionary(values) { first, _ in first })
    }
}

extension NSPersistentHistoryChangeType {
    fileprivate var word: String {
        switch self {
        case .insert: "inserted"
        case .update: "updated"
        case .delete: "deleted"
        }
    }
}
