import CoreData
import Foundation

extension Scenario {
    /// A save with external data in each journal mode that an app can ask for, and with each way of synchronizing.
    static let journalModes = [
        journalMode("DELETE", "NORMAL"), journalMode("DELETE", "FULL"), journalMode("DELETE", "EXTRA"),
        journalMode("TRUNCATE", "FULL"), journalMode("PERSIST", "FULL"), journalMode("WAL", "FULL"),
    ]

    private static func journalMode(_ mode: String, _ synchronous: String) -> Scenario {
        let options = ["journal_mode": mode, "synchronous": synchronous]
        return saving("save with journal \(mode), synchronous \(synchronous)", options: options) { context in
            try replaceCover(context)
            try addCovers(context)
            context.delete(try Library.find("Book", "book 2.2", in: context))
            Library.add("Tag", "new tag", to: context)
        }.with {
            $0.isDurable = synchronous == "EXTRA" || mode == "WAL"
            // SQLite reports an error where all is committed, and only the end of the journal was not synchronized.
            $0.mayFailLate = mode != "WAL"
            $0.mayLeaveOrphans = mode != "WAL"
            $0.prepare = { try Library.fill($0, Library.storeName, options: pragmas(options)) }
        }
    }
}
