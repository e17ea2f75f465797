import Testing

@testable import CoreData

/// A store with fifty players of one team, for tests of the connections that read it.
struct ReaderStack {
    let stack: Stack
    let store: SQLiteStore

    init() throws {
        stack = try Stack(LeagueModel.make())
        store = try #require(stack.coordinator.persistentStores.first as? SQLiteStore)
        try stack.work { context in
            let team = context.insert("Team", ["name": "Celtics"])
            for index in 0..<50 {
                _ = context.insert("Player", ["name": "Player \(index)", "age": index, "team": team])
            }
            try context.save()
        }
    }
}
