import ArgumentParser
import CoreData
import Foundation
import StoreBrowsing

/// `coredata history STORE`: what was changed, when and by which program.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List the persistent history of a store: its transactions and their changes.",
        discussion: """
            A row is the change of an object: the transaction's number, date, author, context and program, what \
            happened, the object, the properties that were updated, and what was kept of a deleted object. With \
            --transactions a row is a transaction, with the numbers of its changes.

            --since takes the number of a transaction that is known already, or a date. The number of the last row is \
            what the next --since takes. A store without history is an error: history needs NSPersistentHistoryTrackingKey \
            when the app opens the store.

            EXAMPLES
              coredata history League.sqlite
              coredata history League.sqlite --since 385 --format jsonl
              coredata history League.sqlite --since 2026-11-25T08:00Z --author widget
              coredata history League.sqlite --transactions --limit 10
            """)

    @OptionGroup var source: StoreSource

    @Option(help: "Only what came after this transaction, by its number, or after this date, as 2026-11-25T08:00Z.")
    var since: HistoryPlace?

    @Option(help: "Only changes of objects of this entity and its subentities.")
    var entity: String?

    @Option(help: "Only transactions of this author; an empty text: of none.")
    var author: String?

    @Option(help: "List the changes of that many transactions at most: the first ones.")
    var limit: Int?

    @Flag(help: "List the transactions with the numbers of their changes.")
    var transactions = false

    @OptionGroup var rows: RowOptions

    @OptionGroup var values: ValueOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
    }

    func run() throws {
        try source.look { store in
            guard try store.hasHistory() else { throw CommandFailure.withoutHistory(store.place) }
            let session = try QuerySession(store)
            let filter = HistoryFilter(author: author, entity: try entity.map { try session.entity(named: $0) })
            var renderer = try values.renderer(for: store)
            renderer.abbreviatesData = (rows.format ?? .table).isForTheEye
            let list = HistoryRows(renderer: renderer, isByTransaction: transactions)
            let found = try session.perform { try $0.history(since: since) }
            tellGap(before: found)
            let printer = try rows.printer(list.columns, standard: .table, table: "history", stores: [source.store])
            for shown in found.lazy.compactMap(filter.shown).prefix(limit ?? .max) {
                try list.write(shown, to: printer)
            }
            try printer.finish(counting: list.noun)
        }
    }

    /// Says so where transactions after the one that is known are gone.
    private func tellGap(before found: [NSPersistentHistoryTransaction]) {
        guard case .transaction(let number)? = since, let first = found.first?.transactionNumber, first > number + 1
        else { return }
        report("warning: the transactions from \(number + 1) to \(first - 1) were purged")
    }
}

extension CommandFailure {
    /// A store in which no changes are recorded.
    static func withoutHistory(_ store: StorePlace) -> CommandFailure {
        CommandFailure(
            .other,
            """
            \(store.name) has no persistent history. An app that opens it with the option \
            NSPersistentHistoryTrackingKey records what it changes from then on.
            """)
    }
}
