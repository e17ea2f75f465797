import CoreData
import Foundation

/// Which transactions of a history are shown, and which of their changes.
struct HistoryFilter {
    /// Only those with this author.
    var author: String?
    /// Only changes of objects of this entity and its subentities.
    var entity: NSEntityDescription?

    /// A transaction with the changes that are shown.
    typealias Shown = (transaction: NSPersistentHistoryTransaction, changes: [NSPersistentHistoryChange])

    /// - Returns: Nil for a transaction that is not shown.
    func shown(_ transaction: NSPersistentHistoryTransaction) -> Shown? {
        if let author, transaction.author ?? "" != author { return nil }
        let all = transaction.changes ?? []
        guard let entity else { return (transaction, all) }
        let changes = all.filter { $0.changedObjectID.entity.isKindOf(entity: entity) }
        return changes.isEmpty ? nil : (transaction, changes)
    }
}

extension NSManagedObjectContext {
    /// The transactions after a place in the store's history, by number.
    func history(since place: HistoryPlace?) throws -> [NSPersistentHistoryTransaction] {
        switch place {
        case nil:
            return try history(NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?))
        case .date(let seconds):
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            return try history(NSPersistentHistoryChangeRequest.fetchHistory(after: date))
        case .transaction(let number):
            guard let fetch = NSPersistentHistoryTransaction.fetchRequest else { return [] }
            fetch.predicate = NSPredicate(format: "transactionNumber > %@", NSNumber(value: number))
            return try history(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch))
        }
    }

    /// The transactions after a token.
    func history(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
        try history(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
    }

    private func history(_ request: NSPersistentHistoryChangeRequest) throws -> [NSPersistentHistoryTransaction] {
        request.resultType = .transactionsAndChanges
        let result = try execute(request) as? NSPersistentHistoryResult
        let found = result?.result as? [NSPersistentHistoryTransaction] ?? []
        return found.sorted { $0.transactionNumber < $1.transactionNumber }
    }
}
