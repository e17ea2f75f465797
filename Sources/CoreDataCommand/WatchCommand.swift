import ArgumentParser
import CoreData
import Foundation
import StoreBrowsing

/// `coredata watch STORE [ENTITY]`: what other programs change, as it happens.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Print what other programs change in a store, as they save it.",
        discussion: """
            A row is the change of an object, as coredata history prints it. The command ends at Ctrl-C, or after --limit \
            transactions. With --where it prints the changes of objects that the predicate is true for now, or was true \
            for before.

            The store needs history: its app opens it with NSPersistentHistoryTrackingKey. The command opens the store \
            as a program does that only reads. SQLite may put an index and a log beside it.

            EXAMPLES
              coredata watch League.sqlite
              coredata watch League.sqlite Player --where 'age > 40' --format jsonl
              coredata watch League.sqlite --since 385 --limit 1
            """)

    @OptionGroup var target: StoreTarget

    @Argument(help: "Only changes of objects of this entity and its subentities.")
    var entity: String?

    @Option(name: .customLong("where"), help: "Only changes of objects of ENTITY that this predicate is true for.")
    var predicate: String?

    @Option(help: "First print what came after this transaction, by its number, or after this date.")
    var since: HistoryPlace?

    @Option(help: "End after that many transactions.")
    var limit: Int?

    @OptionGroup var rows: RowOptions

    @OptionGroup var values: WatchValueOptions

    func validate() throws {
        if predicate != nil, entity == nil {
            throw ValidationError("--where needs an entity: a predicate speaks of one entity's keys.")
        }
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
        if rows.format == .table { throw ValidationError("A table waits for the last row; --format tsv does not.") }
    }

    func run() throws {
        let place = try target.look()
        guard place.hasHistory else { throw CommandFailure.withoutHistory(place.store) }
        let filter = HistoryFilter(entity: try entity.map { try place.entity(named: $0) })
        let store = try LiveStore(place, for: .watching)
        let list = HistoryRows(renderer: ValueRenderer(dates: values.dates))
        let printer = try rows.printer(list.columns, standard: .tsv, table: "history", stores: [target.store])
        let bell = ChangeBell(of: store.coordinator)
        var watch = try HistoryWatch(store, filter, predicate.map(QuerySession.predicate), since: since)
        report("watching \(place.store.shownName(of: target.store))")
        var left = limit ?? .max
        repeat {
            for shown in try watch.next().prefix(left) {
                try list.write(shown, to: printer)
                left -= 1
            }
            try printer.flush()
        } while left > 0 && bell.wait()
        try printer.finish()
    }
}

/// How the values of watched changes are shown.
struct WatchValueOptions: ParsableArguments {
    @Option(help: "Dates in UTC, or in local time with its offset from UTC.")
    var dates = DateStyle.utc
}
