import CoreData
import Foundation
import Testing

@Suite("Merging while a store can't be read")
struct UnreadableRowTests {
    @Test(
        "an object with a row that can't be read just now is not taken for a deleted one: it keeps what was changed in it"
    )
    func merging() throws {
        let stores = try TwoStores()
        try stores.work { context throws in
            let player = context.insert("Player", ["name": "Bosh"])
            context.assign(player, to: stores.first)
            try context.save()
            player.setValue("mine", forKey: "name")
            // An old save. Its deletion has been taken back since.
            let old = Notification(
                name: .NSManagedObjectContextDidSaveObjectIDs, userInfo: [NSDeletedObjectIDsKey: Set([player.objectID])]
            )
            try stores.whileFirstIsLocked { context.mergeChanges(fromContextDidSave: old) }
            #expect(player.managedObjectContext === context && player.isUpdated)
            #expect(player.string("name") == "mine")
            try context.save()
            #expect(try stores.stored(stores.first) == ["mine"])
        }
    }

    /// A context over a team with players and fans, none of which it has read, and the team.
    private func club(_ stores: TwoStores, _ block: (NSManagedObjectContext, NSManagedObject) throws -> Void) throws {
        try stores.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let players = ["Bosh", "Wade"].map { context.insert("Player", ["name": $0]) }
            for player in players {
                player.setValue(team, forKey: "team")
                player.setValue(NSSet(object: team), forKey: "favourites")
            }
            for object in players + [team] { context.assign(object, to: stores.first) }
            try context.save()
        }
        try stores.work { context throws in try block(context, try #require(try context.all("Team").first)) }
    }

    @Test("a save throws what the rules of a deletion can't read, and changes nothing; the next one goes on")
    func deleting() throws {
        for hasUndo in [false, true] {
            let stores = try TwoStores()
            try club(stores) { context, team throws in
                if hasUndo { context.undoManager = UndoManager() }
                let other = context.insert("Team", ["name": "Bulls"])
                context.assign(other, to: stores.second)
                context.delete(team)
                let error = try stores.whileFirstIsLocked { thrown { try context.save() } }
                #expect(error?.domain == NSCocoaErrorDomain)
                #expect(context.deletedObjects == [team] && context.insertedObjects == [other])
                #expect(context.updatedObjects.isEmpty && team.isDeleted)
                #expect(try stores.stored(stores.first) == ["Bosh@Heat", "Wade@Heat"])
                #expect(try stores.stored(stores.second).isEmpty)
                try context.save()
                #expect(try stores.stored(stores.first).isEmpty && stores.stored(stores.second) == ["Bulls"])
            }
        }
    }

    @Test("a save with a deletion after its store is gone throws")
    func deletingWithoutStore() throws {
        let stores = try TwoStores()
        try club(stores) { context, team throws in
            context.delete(team)
            try stores.coordinator.remove(stores.first)
            #expect(thrown { try context.save() } != nil)
            #expect(context.deletedObjects == [team])
            context.rollback()
        }
    }
}
