import CoreData
import Foundation
import Testing

/// Nothing that is saved leads to what the same save deletes, unless the model says that it may.
@Suite("Relationships to deleted objects")
struct DanglingTests {
    /// A relationship that is made when the object that it leads to is deleted already.
    struct Late: CustomTestStringConvertible {
        /// A relationship of a player, or of a team.
        let key: String
        let inAChild: Bool
        /// Whether it was there before the deletion, by which it went.
        let wasThere: Bool
        /// Whether the deleted object is told, and not the one that stays.
        let fromTheDeleted: Bool

        var testDescription: String {
            "\(key)\(inAChild ? ", in a child" : "")\(wasThere ? ", again" : "")\(fromTheDeleted ? ", from the deleted" : "")"
        }

        static var all: [Late] {
            ["captainOf", "benchOf", "favourites", "captain", "fans"].flatMap { key in
                [false, true].flatMap { inAChild in
                    [(false, false), (true, false), (false, true)].map {
                        Late(key: key, inAChild: inAChild, wasThere: $0, fromTheDeleted: $1)
                    }
                }
            }
        }

        func relate(_ owner: NSManagedObject, to other: NSManagedObject) throws {
            guard fromTheDeleted else { return owner.relate(key, to: other) }
            let description = try #require(owner.entity.relationshipsByName[key])
            other.relate(try #require(description.inverseRelationship).name, to: owner)
        }
    }

    @Test(
        "an object that comes to be related to a deleted one fails the save with 1550, and can let go of it",
        arguments: Late.all)
    func late(late: Late) throws {
        let chain = try Chain()
        let ids = try chain.root.work { root throws in
            let (player, team) = (root.insert("Player", ["name": "Wade"]), root.insert("Team", ["name": "Heat"]))
            let isOfThePlayer = player.entity.relationshipsByName[late.key] != nil
            let (owner, other) = isOfThePlayer ? (player, team) : (team, player)
            if late.wasThere { try late.relate(owner, to: other) }
            try root.save()
            return [owner, other].map(\.objectID)
        }
        try (late.inAChild ? chain.child : chain.root).work { context throws in
            let (owner, gone) = (context.object(with: ids[0]), context.object(with: ids[1]))
            context.delete(gone)
            context.processPendingChanges()
            try late.relate(owner, to: gone)
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSManagedObjectValidationError)
            #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === owner)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == late.key)
            #expect(error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [gone])
            #expect(error.localizedDescription == "\(late.key) leads to an object that is deleted.")
            #expect(gone.isDeleted && context.hasChanges)
            owner.setValue(nil, forKey: late.key)
            try context.save()
        }
        try chain.saveAll()
        try chain.stack.reopened { other throws in
            #expect(try other.all("Player").count + other.all("Team").count == 1)
        }
    }

    @Test("a deleted object that gets another owner leaves nothing behind", arguments: [false, true])
    func deletedMember(isDeletedFirst: Bool) throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let (wade, heat) = (context.insert("Player", ["name": "Wade"]), context.insert("Team", ["name": "Heat"]))
            try context.save()
            if isDeletedFirst {
                context.delete(wade)
                context.processPendingChanges()
                wade.setValue(heat, forKey: "benchOf")
            } else {
                wade.setValue(heat, forKey: "benchOf")
                context.refresh(wade, mergeChanges: false)
                context.delete(wade)
            }
            try context.save()
            #expect(heat.names("bench") == [] && !context.hasChanges)
        }
        try stack.reopened { other throws in
            #expect(try other.all("Player").isEmpty && other.all("Team").first?.names("bench") == [])
        }
    }

    /// Clubs. Their deletion does what a rule says with their members, known or unknown to the club.
    private func clubs(_ rule: NSDeleteRule, knowMembers: Bool = true) -> NSManagedObjectModel {
        let (members, club) = (toMany("members", rule: rule), toOne("club"))
        let clubs = entity("Club", [attribute("name", .stringAttributeType)] + (knowMembers ? [members] : []))
        let people = entity("Person", [attribute("name", .stringAttributeType), club])
        if knowMembers { connect(clubs, members, people, club) } else { club.destinationEntity = clubs }
        return model(clubs, people)
    }

    @Test(
        "if a deletion changes no related object, for its rule or for want of an inverse, objects related by this save fail it, and no others",
        arguments: [false, true], [false, true])
    func leftBehind(isNew: Bool, knowsMembers: Bool) throws {
        try Stack(clubs(.noActionDeleteRule, knowMembers: knowsMembers)).work { context throws in
            let club = context.insert("Club", ["name": "Chess"])
            let person = context.insert("Person", ["name": "Ann"])
            if !isNew { person.setValue(club, forKey: "club") }
            try context.save()
            person.setValue(club, forKey: "club")
            context.delete(club)
            #expect(thrown { try context.save() }?.code == (isNew ? NSManagedObjectValidationError : nil))
            #expect(context.hasChanges == isNew)
        }
    }

    @Test("a denied deletion is told alone, though another object was related to its object by the same save")
    func deniedAlone() throws {
        try Stack(clubs(.denyDeleteRule)).work { context throws in
            let club = context.insert("Club", ["name": "Chess"])
            try context.save()
            _ = context.insert("Person", ["name": "Ann", "club": club])
            context.delete(club)
            #expect(thrown { try context.save() }?.code == NSValidationRelationshipDeniedDeleteError)
        }
    }

    @Test("what validation deletes is forgotten by objects that were related to it by the same save")
    func deletedByValidation() throws {
        let model = clubs(.nullifyDeleteRule)
        let people = try #require(model.entitiesByName["Person"])
        people.managedObjectClassName = "CoreDataTests.Member"
        people.properties.append(attribute("email", .stringAttributeType))
        try Stack(model).work { context throws in
            let club = context.insert("Club", ["name": "Chess"])
            let person = try #require(context.insert("Person", ["name": "Ann"]) as? Member)
            try context.save()
            person.setValue(club, forKey: "club")
            person.whenValidated = { context.delete(club) }
            try context.save()
            #expect(person.object("club") == nil && !context.hasChanges)
            #expect(try context.all("Club").isEmpty)
        }
    }

    private func savedPersonAndClub(_ context: NSManagedObjectContext) throws -> (NSManagedObject, NSManagedObject) {
        try context.work { context throws in
            let objects = (context.insert("Person", ["name": "Ann"]), context.insert("Club", ["name": "Chess"]))
            try context.save()
            return objects
        }
    }

    @Test(
        "a child's object that is related, by a relationship without inverse, to one that its parent has deleted is a conflict, told once",
        arguments: [false, true])
    func oneWayInAChild(isReliedOn: Bool) throws {
        let chain = try Chain(clubs(.nullifyDeleteRule, knowMembers: false))
        let (person, club) = try savedPersonAndClub(chain.root)
        try chain.child.work { child throws in
            let (own, theirs) = (child.object(with: person.objectID), child.object(with: club.objectID))
            #expect(theirs.string("name") == "Chess")
            if isReliedOn { child.detectConflicts(for: theirs) }
            chain.root.work { $0.delete(club) }
            own.setValue(theirs, forKey: "club")
            let error = try #require(thrown { try child.save() })
            #expect(error.code == NSManagedObjectMergeError)
            #expect((error.userInfo["conflictList"] as? [NSMergeConflict])?.map(\.sourceObject) == [theirs])
            child.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        }
        try chain.saveAll()
        chain.root.work { _ in #expect(person.object("club") == nil) }
    }

    @Test("a transient relationship to an object that a child's parent has deleted is no conflict")
    func transient() throws {
        let (guests, host) = (toMany("guests"), toOne("host"))
        (guests.isTransient, host.isTransient) = (true, true)
        let clubs = entity("Club", [attribute("name", .stringAttributeType), guests])
        let people = entity("Person", [attribute("name", .stringAttributeType), host])
        connect(clubs, guests, people, host)
        let chain = try Chain(model(clubs, people))
        let (person, club) = try savedPersonAndClub(chain.root)
        try chain.child.work { child throws in
            let (own, theirs) = (child.object(with: person.objectID), child.object(with: club.objectID))
            own.setValue(theirs, forKey: "host")
            try child.save()
            chain.root.work { $0.delete(club) }
            own.setValue("Bea", forKey: "name")
            try child.save()
        }
        try chain.saveAll()
        try chain.stack.reopened { other throws in
            #expect(try other.all("Person").first?.string("name") == "Bea" && other.all("Club").isEmpty)
        }
    }
}
