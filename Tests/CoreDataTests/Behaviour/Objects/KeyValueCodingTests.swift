import CoreData
import Foundation
import Testing

@Suite("Key-value coding of managed objects")
struct KeyValueCodingTests {
    @Test("every managed object answers for its state")
    func state() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let player = context.insert("Player", ["name": "Wade"])
            func flags(_ keys: String...) -> [Bool?] { keys.map { player.value(forKey: $0) as? Bool } }
            #expect(flags("isInserted", "inserted", "isUpdated", "updated") == [true, true, false, false])
            #expect(flags("isFault", "fault", "hasChanges") == [false, false, true])
            try context.save()
            player.setValue(7, forKey: "age")
            #expect(flags("isInserted", "isUpdated", "hasPersistentChangedValues") == [false, true, true])
            context.refresh(player, mergeChanges: false)
            #expect(flags("isFault", "fault", "hasChanges") == [true, true, false])
            #expect(player.value(forKey: "faultingState") as? Int == 1)
            context.delete(player)
            #expect(flags("isDeleted", "deleted") == [true, true])
            #expect(player.value(forKey: "managedObjectContext") as? NSManagedObjectContext === context)
            #expect(player.value(forKey: "entity") as? NSEntityDescription === player.entity)
            #expect(player.value(forKey: "description") as? String == player.description)
            #expect(player.value(forKey: "hash") as? Int == player.hash)
            #expect(player.value(forKeyPath: "objectID.isTemporaryID") as? Bool == false)
        }
    }

    @Test("an object ID answers for its URI, entity, store and whether it is temporary")
    func objectID() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let player = context.insert("Player", ["name": "Wade"])
            #expect(player.objectID.value(forKey: "isTemporaryID") as? Bool == true)
            try context.save()
            let id = player.objectID
            #expect(id.value(forKey: "URIRepresentation") as? URL == id.uriRepresentation())
            #expect(id.value(forKey: "entity") as? NSEntityDescription === player.entity)
            #expect(id.value(forKey: "persistentStore") as? NSPersistentStore === stack.coordinator.persistentStores[0])
            #expect(player.value(forKeyPath: "objectID.URIRepresentation") as? URL == id.uriRepresentation())
        }
    }

    @Test("predicates in memory ask for the state of objects")
    func predicates() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let players = ["A", "B", "C"].map { context.insert("Player", ["name": $0]) }
            try context.save()
            context.delete(players[1])
            players[2].setValue(3, forKey: "age")
            func names(_ format: String) -> [String] {
                players.filter { NSPredicate(format: format).evaluate(with: $0) }.compactMap { $0.string("name") }
            }
            #expect(names("isDeleted == NO") == ["A", "C"] && names("deleted == YES") == ["B"])
            #expect(names("hasChanges == YES AND isUpdated == YES") == ["C"])
            #expect(names("objectID.isTemporaryID == NO").count == 3)
        }
    }

    /// What a player must not be given, and what is said of it.
    static let wrong: [(what: String, key: String, value: @Sendable (NSManagedObjectContext) -> Any, words: [String])] =
        [
            (
                "NSNull for text", "name", { _ in NSNull() },
                ["attribute: property = \"name\"", "NSString; given type = NSNull; value = <null>"]
            ),
            (
                "text for a number", "age", { _ in "7" },
                ["attribute: property = \"age\"", "NSNumber; given type = String; value = 7"]
            ),
            (
                "NSNull for an object", "team", { _ in NSNull() },
                ["to-one relationship: property = \"team\"", "given type = NSNull"]
            ),
            (
                "a set for an object", "team", { _ in NSSet() },
                ["to-one relationship: property = \"team\"", "given type = NSSet"]
            ),
            (
                "an array for a set", "favourites", { [$0.insert("Team")] },
                ["to-many relationship: property = \"favourites\"", "desired type = NSSet"]
            ),
            (
                "an ordered set for a set", "favourites", { NSOrderedSet(object: $0.insert("Team")) },
                ["desired type = NSSet; given type = NSOrderedSet"]
            ),
            (
                "text in a set", "favourites", { _ in NSSet(object: "Heat") },
                ["property = \"favourites\"", "desired type = NSSet"]
            ),
            ("NSNull for a set", "favourites", { _ in NSNull() }, ["desired type = NSSet; given type = NSNull"]),
        ]

    @Test("values of wrong classes are refused", arguments: wrong.indices)
    func wrongClasses(index: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [index] in
            try withSavedPlayer { context, player in
                let wrong = KeyValueCodingTests.wrong[index]
                player.setValue(wrong.value(context), forKey: wrong.key)
            }
        }
        for part in Self.wrong[index].words { #expect(words(result).contains(part), "\(words(result))") }
        #expect(words(result).contains("Unacceptable type of value for"))
    }

    @Test("a set for an ordered relationship is refused, NSNull by its primitive value too")
    func wrongSets() async {
        let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSavedPlayer { context, player in
                context.insert("Team").setValue(NSSet(object: player), forKey: "bench")
            }
        }
        #expect(words(set).contains("property = \"bench\"; desired type = NSOrderedSet; given type = NSSet"))
        let null = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSavedPlayer { _, player in player.setPrimitiveValue(NSNull(), forKey: "name") }
        }
        #expect(words(null).contains("property = \"name\"; desired type = NSString; given type = NSNull"))
    }

    @Test("setValuesForKeys takes NSNull for nil, and Swift sets are sets")
    func right() throws {
        try withSavedPlayer { context, player in
            let team = context.insert("Team", ["name": "Heat"])
            player.setValuesForKeys(["age": NSNull(), "team": team])
            #expect(player.value(forKey: "age") == nil && player.object("team") === team)
            player.setValuesForKeys(["team": NSNull(), "favourites": Set([team])])
            #expect(player.object("team") == nil && player.names("favourites") == ["Heat"])
        }
    }

    @Test("a class without entity is said to be one")
    func entities() async {
        let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSavedPlayer { _, _ in _ = Strangers.self.entity() }
        }
        #expect(words(none).contains("No entity has the class Strangers"))
    }
}

final class Strangers: NSManagedObject {}
