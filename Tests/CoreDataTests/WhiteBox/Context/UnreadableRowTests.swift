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
}
