import CoreData
import Foundation
import Testing

/// A child's changes that meet its parent's own.
@Suite("Children and what their parents do meanwhile")
struct ChildMeetingTests {
    private let chain: Chain
    private let heat: NSManagedObject
    private let bulls: NSManagedObject
    private let wade: NSManagedObject
    private let shaq: NSManagedObject
    /// The child's objects, which keep what it knows.
    private let held: [NSManagedObject]

    /// Two teams of the root, the players on the first one's bench.
    init() throws {
        chain = try Chain()
        let objects = try chain.root.work { context throws in
            let teams = ["Heat", "Bulls"].map { context.insert("Team", ["name": $0]) }
            let players = ["Wade", "Shaq"].map { context.insert("Player", ["name": $0, "benchOf": teams[0]]) }
            try context.save()
            return teams + players
        }
        (heat, bulls, wade, shaq) = (objects[0], objects[1], objects[2], objects[3])
        held = objects.map { [chain] in chain.child.object(with: $0.objectID) }
    }

    /// The child's object for one of the root's.
    private func own(_ object: NSManagedObject) -> NSManagedObject { chain.child.object(with: object.objectID) }

    @Test("a member of an ordered relationship that went to another owner in the parent stays there")
    func movedMember() throws {
        chain.child.work { _ in
            #expect(own(heat).names("bench") == ["Shaq", "Wade"])
            own(shaq).setValue(nil, forKey: "benchOf")
        }
        chain.root.work { _ in wade.setValue(bulls, forKey: "benchOf") }
        try chain.child.work { context throws in
            #expect(own(heat).names("bench") == ["Wade"])
            try context.save()
        }
        chain.root.work { _ in
            #expect(wade.object("benchOf") === bulls && shaq.object("benchOf") == nil)
            #expect(heat.names("bench") == [] && bulls.names("bench") == ["Wade"])
        }
    }

    @Test(
        "a member that a child gave another owner has that one, though by the store its owner is one with an order that the child changed"
    )
    func givenMember() throws {
        try chain.child.work { context throws in
            own(wade).setValue(nil, forKey: "benchOf")
            own(shaq).setValue(nil, forKey: "benchOf")
            try context.save()
        }
        try chain.root.work { context throws in try context.save() }
        try chain.child.work { context throws in
            own(shaq).setValue(own(heat), forKey: "benchOf")
            #expect(own(heat).names("bench") == ["Shaq"])
            try context.save()
            own(wade).setValue(own(bulls), forKey: "benchOf")
        }
        chain.root.work { $0.reset() }
        try chain.stack.reopened { other throws in
            let players = try other.all("Player", "name == 'Wade'")
            players.first?.setValue(try other.all("Team", "name == 'Heat'").first, forKey: "benchOf")
            try other.save()
        }
        try chain.child.work { context throws in
            own(shaq).setValue(nil, forKey: "benchOf")
            try context.save()
            #expect(own(wade).object("benchOf") === own(bulls))
        }
    }

    /// Deletes an object in the child, which hands the deletion to the root and can undo it.
    private func deleteUndoably(_ object: NSManagedObject) throws {
        let manager = UndoManager()
        manager.groupsByEvent = false
        try chain.child.work { context throws in
            context.undoManager = manager
            try manager.group {
                context.delete(object)
                try context.save()
            }
        }
    }

    @Test(
        "an object that is deleted and comes back in the parent, by itself or by a child's undo, is related from both ends or not at all"
    )
    func deletedAndBack() throws {
        try chain.root.work { root throws in
            heat.setValue(wade, forKey: "captain")
            wade.mutableSetValue(forKey: "favourites").add(heat)
            #expect(heat.names("fans") == ["Wade"])
            root.delete(heat)
            root.processPendingChanges()
            root.insert(heat)
            #expect(!heat.isDeleted && heat.object("captain") == nil && heat.names("fans") == [])
        }
        chain.child.work { _ in #expect(own(wade).object("captainOf") == nil && own(wade).names("favourites") == []) }
        chain.root.work { _ in
            wade.setValue(heat, forKey: "captainOf")
            wade.mutableSetValue(forKey: "favourites").add(heat)
        }
        try deleteUndoably(own(heat))
        chain.root.work { _ in #expect(wade.object("captainOf") == nil && wade.names("favourites") == []) }
        chain.child.work { $0.undo() }
        try chain.saveAll()
        try chain.stack.reopened { other throws in
            let (team, player) = (
                try other.all("Team", "name == 'Heat'").first, try other.all("Player", "name == 'Wade'").first
            )
            #expect(team?.object("captain") == player && player?.object("captainOf") == team)
            #expect(team?.names("fans") == ["Wade"] && player?.names("favourites") == ["Heat"])
        }
    }

    @Test("a deletion that the parent forgot is undone on the object that stands for it by then")
    func forgottenDeletion() throws {
        try deleteUndoably(own(bulls))
        chain.root.work { $0.reset() }
        try chain.child.work { context throws in
            let again = try #require(try context.all("Team", "name == 'Bulls'").first)
            context.undo()
            #expect(!context.hasChanges && !again.isDeleted && again.string("name") == "Bulls")
            #expect(context.registeredObjects.filter { $0.objectID == again.objectID } == [again])
            try context.save()
        }
    }

    @Test("a deletion is undone by the object itself, where a fault that leads nowhere was made in its place")
    func faultInItsPlace() throws {
        let team = own(bulls)
        try deleteUndoably(team)
        try chain.child.work { context throws in
            let fault = context.object(with: team.objectID)
            #expect(fault !== team && fault.string("name") == nil && fault.isDeleted)
            context.undo()
            #expect(team.isInserted && team.string("name") == "Bulls" && context.deletedObjects.isEmpty)
            try context.save()
        }
        try chain.root.work { context throws in
            try context.save()
            #expect(try context.all("Team").count == 2)
        }
    }

    @Test(
        "a row that a child brings back after its parent saved the deletion is not the one that others have seen",
        arguments: [false, true])
    func broughtBack(isSeenUnsaved: Bool) throws {
        let player = chain.root.work { isSeenUnsaved ? $0.insert("Player", ["name": "Zo"]) : wade }
        let own = chain.child.work { child in
            let own = child.object(with: player.objectID)
            #expect(own.string("name") != nil)
            return own
        }
        let other = chain.stack.context()
        let theirs = try chain.root.work { root throws in
            try root.save()
            return other.work { $0.object(with: player.objectID) }
        }
        other.work { _ in #expect(theirs.string("name") != nil) }
        try deleteUndoably(own)
        try chain.root.work { try $0.save() }
        chain.child.work { child in
            child.undo()
            child.undoManager = nil
            own.setValue("Flash", forKey: "name")
        }
        try chain.saveAll()
        let error = other.work { other in
            theirs.setValue(40, forKey: "age")
            return thrown { try other.save() }
        }
        #expect(error?.code == NSManagedObjectMergeError)
    }

    @Test(
        "an object that a child brings back is back in its parent, too, where another child has asked for it since",
        arguments: [false, true])
    func broughtBackMeanwhile(isFoundGone: Bool) throws {
        let id = wade.objectID
        try deleteUndoably(own(wade))
        let standIn = try chain.root.work { root throws in
            try root.save()
            let standIn = root.object(with: id)
            if isFoundGone { #expect(standIn.string("name") == nil && standIn.isDeleted) }
            return standIn
        }
        chain.child.work { $0.undo() }
        try chain.saveAll()
        chain.root.work { _ in
            #expect(standIn.string("name") == "Wade" && !standIn.isDeleted && standIn.object("benchOf") == heat)
        }
        try chain.stack.reopened { other throws in
            let team = try #require(try other.all("Team", "name == 'Heat'").first)
            #expect(Set(team.names("bench")) == ["Wade", "Shaq"])
        }
    }

    @Test("a row that a child's policy brings back is not the one that others have seen")
    func broughtBackByAPolicy() throws {
        let own = try chain.child.work { child throws in
            let own = child.insert("Player", ["name": "Zo"])
            try child.save()
            return own
        }
        let player = try chain.root.work { root throws in
            try root.save()
            return try #require(try root.all("Player", "name == 'Zo'").first)
        }
        let other = chain.stack.context()
        other.work { $0.object(with: player.objectID).setValue(40, forKey: "age") }
        try chain.root.work { root throws in
            root.delete(player)
            try root.save()
        }
        chain.child.work { child in
            child.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            own.setValue("Flash", forKey: "name")
        }
        try chain.saveAll()
        #expect(other.work { other in thrown { try other.save() } }?.code == NSManagedObjectMergeError)
    }

    @Test("letting go of an object that others deleted meanwhile changes nothing in the parent")
    func removalOfWhoIsGone() throws {
        try chain.root.work { context throws in
            wade.mutableSetValue(forKey: "cousins").add(shaq)
            try context.save()
            context.reset()
        }
        try chain.child.work { context throws in
            context.delete(try #require(try context.all("Player", "name == 'Shaq'").first))
            context.processPendingChanges()
        }
        try chain.stack.work { other throws in
            other.delete(try #require(try other.all("Player", "name == 'Shaq'").first))
            try other.save()
        }
        try chain.child.work { context throws in try context.save() }
        chain.root.work { context in #expect(context.updatedObjects.isEmpty && context.deletedObjects.isEmpty) }
    }

    /// The objects that get a relationship to an object with an end that says so already, as far as the child knows.
    enum Relating: String, CaseIterable {
        case captainOf, captain, favourites, fans, benchOf, bench

        /// The other end.
        var inverse: Relating {
            switch self {
            case .captainOf: .captain
            case .captain: .captainOf
            case .favourites: .fans
            case .fans: .favourites
            case .benchOf: .bench
            case .bench: .benchOf
            }
        }

        var isOfATeam: Bool { [.captain, .fans, .bench].contains(self) }

        func leads(_ owner: NSManagedObject, to other: NSManagedObject) -> Bool {
            switch owner.value(forKey: rawValue) {
            case let members as NSSet: members.contains(other)
            case let members as NSOrderedSet: members.contains(other)
            case let object as NSManagedObject: object === other
            default: false
            }
        }
    }

    @Test(
        "a child's object that is related to one that the parent deleted meanwhile is a conflict, whatever else the child knows of that one",
        arguments: Relating.allCases, [false, true])
    func relatedToOneThatIsGone(relating: Relating, isSaved: Bool) throws {
        let owner = relating.isOfATeam ? bulls : wade
        let gone = try chain.root.work { root throws in
            let gone = root.insert(relating.isOfATeam ? "Player" : "Team", ["name": "Gone"])
            if isSaved { try root.save() }
            return gone
        }
        chain.child.work { _ in #expect(!relating.leads(own(owner), to: own(gone))) }
        chain.root.work { _ in owner.relate(relating.rawValue, to: gone) }
        let theirs = chain.child.work { child in
            child.refresh(own(gone), mergeChanges: false)
            let theirs = own(gone)
            #expect(relating.inverse.leads(theirs, to: own(owner)))
            return theirs
        }
        chain.root.work { root in
            root.delete(gone)
            root.processPendingChanges()
        }
        try chain.child.work { child throws in
            own(owner).relate(relating.rawValue, to: theirs)
            let error = thrown { try child.save() }
            #expect(error?.code == NSManagedObjectMergeError)
            let conflicts = try #require(error?.userInfo["conflictList"] as? [NSMergeConflict])
            #expect(conflicts.map(\.sourceObject) == [theirs])
            #expect(relating.leads(own(owner), to: theirs))
        }
        chain.root.work { _ in #expect(!relating.leads(owner, to: gone)) }
        chain.child.work { $0.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump }
        try chain.saveAll()
        chain.child.work { _ in #expect(!relating.leads(own(owner), to: theirs)) }
        try chain.stack.reopened { other throws in
            #expect(try other.all(relating.isOfATeam ? "Player" : "Team", "name == 'Gone'").isEmpty)
            let owner = try #require(
                try other.all(relating.isOfATeam ? "Team" : "Player", "name IN {'Bulls', 'Wade'}").first)
            #expect(
                !(owner.value(forKey: relating.rawValue) is NSManagedObject) && owner.names(relating.rawValue) == [])
        }
    }

    @Test(
        "a child's object that is related to one that the child found gone is a conflict, also where that one is back")
    func relatedToOneThatWasFoundGone() throws {
        let theirs = own(bulls)
        chain.root.work { root in root.delete(bulls) }
        try chain.child.work { child throws in
            #expect(theirs.string("name") == nil && theirs.isDeleted)
            child.processPendingChanges()
            own(wade).setValue(theirs, forKey: "captainOf")
            #expect(thrown { try child.save() }?.code == NSManagedObjectMergeError)
        }
        chain.root.work { root in
            root.processPendingChanges()
            #expect(wade.object("captainOf") == nil)
            root.insert(bulls)
        }
        try chain.child.work { child throws in
            #expect(thrown { try child.save() }?.code == NSManagedObjectMergeError)
            child.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        }
        try chain.saveAll()
        try chain.stack.reopened { other throws in
            let player = try #require(try other.all("Player", "name == 'Wade'").first)
            let team = try #require(try other.all("Team", "name == 'Bulls'").first)
            #expect(player.object("captainOf") == team && team.object("captain") == player)
        }
    }
}
