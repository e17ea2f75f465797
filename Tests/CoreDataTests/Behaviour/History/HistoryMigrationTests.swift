import CoreData
import Foundation
import Testing

@Suite("Persistent history: migration")
struct HistoryMigrationTests {
    private static var tracking: [AnyHashable: Any] { MigratedStore.automatic.merging(HistoryStack.options) { $1 } }

    /// Players of teams. The newer version has other names, one more entity and fewer attributes.
    private static func league(isNew: Bool) -> NSManagedObjectModel {
        let team = entity(isNew ? "Club" : "Team", [attribute("name", .stringAttributeType)])
        let name = attribute(isNew ? "label" : "name", .stringAttributeType)
        let code = attribute("code", .integer32AttributeType)
        for attribute in [name, code] { attribute.preservesValueInHistoryOnDeletion = true }
        let player = entity("Player", [name, attribute("age", .integer16AttributeType)] + (isNew ? [] : [code]))
        let (players, own) = (toMany("players"), toOne("team"))
        connect(team, players, player, own)
        team.properties.append(players)
        player.properties.append(own)
        guard isNew else { return model(team, player, entity("Scout", [attribute("name", .stringAttributeType)])) }
        team.renamingIdentifier = "Team"
        name.renamingIdentifier = "name"
        return model(entity("Agent", [attribute("name", .stringAttributeType)]), team, player)
    }

    @Test("a lightweight migration fits the history to the new model")
    func fit() throws {
        let store = try MigratedStore(Self.league(isNew: false))
        try store.use(Self.league(isNew: false), Self.tracking) { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let players = (1...3).map { context.insert("Player", ["name": "P\($0)", "code": $0]) }
            let scout = context.insert("Scout", ["name": "S"])
            try context.save()
            players[0].setValue("Wade", forKey: "name")
            players[0].setValue(30, forKey: "age")
            players[1].setValue(team, forKey: "team")
            players[2].setValue(7, forKey: "code")
            scout.setValue("T", forKey: "name")
            try context.save()
            context.delete(players[0])
            context.delete(scout)
            try context.save()
        }
        try store.use(Self.league(isNew: true), Self.tracking) { context throws in
            let found = try context.transactions(.fetchHistory(after: Date.distantPast))
            let story = found.map { ($0.changes ?? []).map(\.short).sorted() }
            #expect(
                story == [
                    ["insert Club 1", "insert Player 1", "insert Player 2", "insert Player 3"],
                    ["update Club 1 players", "update Player 1 age,label", "update Player 2 team", "update Player 3 "],
                    ["delete Player 1"],
                ])
            let tombstone = found.last?.changes?.first?.tombstone
            #expect(tombstone?["label"] as? String == "Wade" && tombstone?.count == 1)
            // Recording goes on, and an object that others know keeps its ID.
            let player = try #require(try context.all("Player", sortedBy: "label").first)
            player.setValue(31, forKey: "age")
            try context.save()
            let last = try context.transactions(.fetchHistory(after: found.last)).last
            #expect(last?.changes?.map(\.short) == ["update Player 2 age"])
            #expect(last?.transactionNumber == 4)
        }
    }

    @Test("a new attribute to keep gets its column, and old deletions have no value for it")
    func moreKept() throws {
        func notes(isNew: Bool) -> NSManagedObjectModel {
            let (a, b) = (attribute("a", .stringAttributeType), attribute("b", .stringAttributeType))
            b.preservesValueInHistoryOnDeletion = true
            a.preservesValueInHistoryOnDeletion = isNew
            return model(entity("Note", [a, b]))
        }
        let store = try MigratedStore(notes(isNew: false))
        func delete(_ context: NSManagedObjectContext, _ a: String, _ b: String) throws {
            let note = context.insert("Note", ["a": a, "b": b])
            try context.save()
            context.delete(note)
            try context.save()
        }
        try store.use(notes(isNew: false), Self.tracking) { try delete($0, "a1", "b1") }
        try store.use(notes(isNew: true), Self.tracking) { context throws in
            try delete(context, "a2", "b2")
            let changes = try context.changes(.fetchHistory(after: Date.distantPast))
            let kept = changes.compactMap { $0.tombstone as? [String: String] }
            #expect(kept == [["b": "b1"], ["a": "a2", "b": "b2"]])
        }
    }

    @Test("a store without history gets none by a migration")
    func none() throws {
        let store = try MigratedStore(Self.league(isNew: false))
        try store.use(Self.league(isNew: true)) { context throws in
            #expect(context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil) == nil)
        }
    }
}
