import CoreData
import Foundation
import Testing

@Suite("Merge policies")
struct MergePolicyTests {
    static let all: [NSMergePolicyType] = [
        .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
        .overwriteMergePolicyType, .rollbackMergePolicyType,
    ]

    private static func favoursObject(_ type: NSMergePolicyType) -> Bool {
        type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    }

    // MARK: Rows

    /// A player of a team, changed by `mine` in a context of this policy after `theirs` saved a change of its own, seen
    /// by a third party after the save.
    private func conflict(
        _ policy: NSMergePolicy, fromOutside: Bool, mine: (NSManagedObject) -> Void,
        theirs: (NSManagedObject) throws -> Void,
        check: (NSManagedObject, NSManagedObjectContext) throws -> Void, after: ([NSManagedObject]) -> Void
    ) throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let player = context.insert("Player", ["name": "Wade", "age": 30, "team": team])
            try context.save()
            return player.objectID
        }
        let context = stack.context()
        context.mergePolicy = policy
        try context.performAndWait {
            let object = context.object(with: id)
            mine(object)
            let change = { (other: NSManagedObjectContext) throws in
                let player = try #require(try other.all("Player").first)
                try theirs(player)
                try other.save()
            }
            if fromOutside { try stack.reopened(change) } else { try stack.work(change) }
            try context.save()
            #expect(!context.hasChanges)
            try check(object, context)
        }
        try stack.reopened { context throws in after(try context.all("Player")) }
    }

    @Test(
        "a row that both sides changed: by property the policy's side wins where both did, all or nothing otherwise",
        arguments: all, [false, true])
    func bothChanged(type: NSMergePolicyType, fromOutside: Bool) throws {
        let name = Self.favoursObject(type) ? "mine" : "theirs"
        let age = type == .overwriteMergePolicyType ? 30 : 40
        let mood = type == .rollbackMergePolicyType ? nil : Decimal(7)
        func check(_ object: NSManagedObject) {
            #expect(object.string("name") == name)
            #expect(object.value(forKey: "age") as? Int == age)
            #expect((object.value(forKey: "salary") as? NSDecimalNumber)?.decimalValue == mood)
            #expect(object.object("team")?.string("name") == "Heat")
        }
        try conflict(
            NSMergePolicy(merge: type), fromOutside: fromOutside,
            mine: { object in
                object.setValue("mine", forKey: "name")
                object.setValue(NSDecimalNumber(7), forKey: "salary")
            },
            theirs: { object in
                object.setValue("theirs", forKey: "name")
                object.setValue(40, forKey: "age")
            },
            check: { object, _ in check(object) },
            after: { players in
                #expect(players.count == 1)
                players.forEach(check)
            })
    }

    @Test("the other side of a relationship that is given up is told", arguments: all)
    func relationships(type: NSMergePolicyType) throws {
        let expected = Self.favoursObject(type) ? "Mine" : "Theirs"
        try conflict(
            NSMergePolicy(merge: type), fromOutside: false,
            mine: { object in
                let team = object.managedObjectContext?.insert("Team", ["name": "Mine"])
                object.setValue(team, forKey: "team")
            },
            theirs: { object in
                let team = object.managedObjectContext?.insert("Team", ["name": "Theirs"])
                object.setValue(team, forKey: "team")
            },
            check: { object, context throws in
                #expect(object.object("team")?.string("name") == expected)
                for team in try context.all("Team") {
                    #expect(team.names("players") == (team.string("name") == expected ? ["Wade"] : []))
                }
            },
            after: { #expect($0.first?.object("team")?.string("name") == expected) })
    }

    @Test("an object that is changed here and deleted there goes, or comes back whole", arguments: all, [false, true])
    func deletedThere(type: NSMergePolicyType, fromOutside: Bool) throws {
        try conflict(
            NSMergePolicy(merge: type), fromOutside: fromOutside,
            mine: { $0.setValue("mine", forKey: "name") },
            theirs: { $0.managedObjectContext?.delete($0) },
            check: { object, context throws in
                #expect((object.managedObjectContext === context) == Self.favoursObject(type))
                #expect(try context.all("Player").count == (Self.favoursObject(type) ? 1 : 0))
            },
            after: { players in
                #expect(players.map { $0.string("name") } == (Self.favoursObject(type) ? ["mine"] : []))
                #expect(players.allSatisfy { $0.value(forKey: "age") as? Int == 30 })
                #expect(players.allSatisfy { $0.object("team")?.string("name") == "Heat" })
            })
    }

    @Test("a context that saw a row before it was deleted and brought back is told that it changed")
    func broughtBack() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.work { context throws in
            let player = context.insert("Player", ["name": "Wade", "age": 30])
            try context.save()
            return player.objectID
        }
        let (keeper, onlooker) = (stack.context(), stack.context())
        keeper.mergePolicy = NSMergePolicy.overwrite
        func change(_ context: NSManagedObjectContext, _ values: [String: Any]) {
            context.performAndWait { values.forEach { context.object(with: id).setValue($1, forKey: $0) } }
        }
        change(keeper, ["name": "mine"])
        change(onlooker, ["age": 31])
        try stack.work { context throws in
            context.delete(context.object(with: id))
            try context.save()
        }
        try keeper.performAndWait { try keeper.save() }
        let error = onlooker.performAndWait { thrown { try onlooker.save() } }
        #expect(error?.code == NSManagedObjectMergeError)
        try stack.reopened { context throws in
            #expect(try context.all("Player").map { $0.value(forKey: "age") as? Int } == [30])
        }
    }

    @Test("an object that is deleted here and changed there goes, or stays as they have it", arguments: all)
    func deletedHere(type: NSMergePolicyType) throws {
        try conflict(
            NSMergePolicy(merge: type), fromOutside: false,
            mine: { object in
                // A fault has no values that another context could have changed meanwhile.
                #expect(object.string("name") == "Wade")
                object.managedObjectContext?.delete(object)
            },
            theirs: { $0.setValue("theirs", forKey: "name") },
            check: { object, context throws in
                #expect(!object.isDeleted && (object.managedObjectContext == nil) == Self.favoursObject(type))
                let team = try #require(try context.all("Team").first)
                #expect(team.names("players") == (Self.favoursObject(type) ? [] : ["theirs"]))
            },
            after: { #expect($0.map { $0.string("name") } == (Self.favoursObject(type) ? [] : ["theirs"])) })
    }

    @Test("an object that both sides deleted is gone", arguments: all)
    func deletedTwice(type: NSMergePolicyType) throws {
        try conflict(
            NSMergePolicy(merge: type), fromOutside: false,
            mine: { $0.managedObjectContext?.delete($0) }, theirs: { $0.managedObjectContext?.delete($0) },
            check: { object, _ in #expect(object.managedObjectContext == nil) }, after: { #expect($0.isEmpty) })
    }

    @Test(
        "snapshots show what changed the row: a context of the coordinator, or another program",
        arguments: [false, true])
    func snapshots(fromOutside: Bool) throws {
        let policy = RecordingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try conflict(
            policy, fromOutside: fromOutside,
            mine: { $0.setValue("mine", forKey: "name") }, theirs: { $0.setValue("theirs", forKey: "name") },
            check: { object, _ in
                let conflict = try #require(policy.rows.first)
                #expect(policy.rows.count == 1 && conflict.sourceObject === object)
                #expect(conflict.objectSnapshot?["name"] as? String == "mine")
                #expect(
                    conflict.objectSnapshot?["team"] is NSManagedObjectID && conflict.objectSnapshot?["fans"] == nil)
                #expect(conflict.cachedSnapshot?["name"] as? String == (fromOutside ? "Wade" : "theirs"))
                #expect(conflict.persistedSnapshot?["name"] as? String == (fromOutside ? "theirs" : nil))
                #expect(conflict.objectSnapshot?["salary"] is NSNull)
                #expect(conflict.newVersionNumber == conflict.oldVersionNumber + 1)
            }, after: { #expect($0.map { $0.string("name") } == ["mine"]) })
    }

    @Test("a subclass settles a conflict by hand, and what it sets is saved over the new row")
    func subclass() throws {
        final class Joining: NSMergePolicy, @unchecked Sendable {
            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
                for conflict in list {
                    let theirs = conflict.persistedSnapshot ?? conflict.cachedSnapshot
                    let names = [conflict.objectSnapshot, theirs].map { $0?["name"] as? String ?? "" }
                    conflict.sourceObject.setValue(names.joined(separator: " and "), forKey: "name")
                }
            }
        }
        try conflict(
            Joining(merge: .errorMergePolicyType), fromOutside: true,
            mine: { $0.setValue("mine", forKey: "name") },
            theirs: { object in
                object.setValue("theirs", forKey: "name")
                object.setValue(40, forKey: "age")
            },
            check: { object, _ in #expect(object.string("name") == "mine and theirs") },
            after: { players in
                #expect(players.first?.string("name") == "mine and theirs")
                #expect(players.first?.value(forKey: "age") as? Int == 40)
            })
    }

    @Test("a policy's error is the save's, and nothing is written")
    func failingPolicy() throws {
        final class Failing: NSMergePolicy, @unchecked Sendable {
            override func resolve(mergeConflicts list: [Any]) throws { throw CocoaError(.userCancelled) }
        }
        let stack = try Stack(Self.teams())
        try stack.work { context throws in
            _ = context.insert("Team", ["name": "Heat"])
            try context.save()
            context.mergePolicy = Failing(merge: .overwriteMergePolicyType)
            _ = context.insert("Team", ["name": "Heat"])
            #expect(thrown { try context.save() }?.code == CocoaError.userCancelled.rawValue)
            #expect(context.insertedObjects.count == 1)
        }
        try stack.reopened { context throws in #expect(try context.all("Team").count == 1) }
    }

    @Test("a policy that settles nothing does not keep a save from ending")
    func idlePolicy() throws {
        final class Idle: NSMergePolicy, @unchecked Sendable {
            override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {}
        }
        let stack = try Stack(Self.teams())
        try stack.work { context throws in
            context.mergePolicy = Idle(merge: .overwriteMergePolicyType)
            for _ in 0..<2 { _ = context.insert("Team", ["name": "Heat"]) }
            #expect(thrown { try context.save() }?.code == NSManagedObjectConstraintMergeError)
        }
    }

    // MARK: Constraints

    /// Teams with unique names, their players, and a city that needs no value.
    private static func teams() -> NSManagedObjectModel {
        let (players, ofTeam, fans, favourites) = (
            toMany("players"), toOne("team"), toMany("fans"), toMany("favourites")
        )
        let rivalOf = toOne("rival")
        let team = entity(
            "Team",
            [
                attribute("name", .stringAttributeType), attribute("city", .stringAttributeType),
                attribute("isActive", .booleanAttributeType, default: true),
                attribute("wins", .integer64AttributeType, default: 0), players, fans,
            ])
        team.uniquenessConstraints = [["name"]]
        let player = entity("Player", [attribute("name", .stringAttributeType), ofTeam, favourites, rivalOf])
        connect(team, players, player, ofTeam)
        connect(team, fans, player, favourites)
        // Its rival is not known here.
        rivalOf.destinationEntity = team
        return model(team, player)
    }

    /// The Heat of Miami, with Wade, and a context of the policy.
    private func heat(
        _ type: NSMergePolicyType, _ body: (NSManagedObjectContext, NSManagedObjectID) throws -> Void,
        after: (NSManagedObjectContext) throws -> Void
    ) throws {
        let stack = try Stack(Self.teams())
        let id = try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat", "city": "Miami", "isActive": false, "wins": 3])
            _ = context.insert("Player", ["name": "Wade", "team": team])
            try context.save()
            return team.objectID
        }
        let context = stack.context()
        context.mergePolicy = NSMergePolicy(merge: type)
        try context.performAndWait { try body(context, id) }
        try stack.reopened(after)
    }

    @Test("a new object with a stored one's unique value becomes it, or gives way to it", arguments: all)
    func duplicate(type: NSMergePolicyType) throws {
        try heat(type) { context, id in
            let new = context.insert("Team", ["name": "Heat", "wins": 5])
            let bird = context.insert("Player", ["name": "Bird", "team": new, "rival": new])
            _ = context.insert("Player", ["name": "Fan", "favourites": NSSet(object: new)])
            try context.save()
            let isNew = Self.favoursObject(type)
            #expect((new.managedObjectContext === context) == isNew)
            #expect(bird.object("team")?.objectID == id && bird.object("rival")?.objectID == id)
            #expect((bird.object("team") === new) == isNew)
            #expect(bird.object("team")?.names("players") == ["Bird", "Wade"])
            guard isNew else { return }
            // It is the stored object now, and goes on as such.
            new.setValue("Florida", forKey: "city")
            try context.save()
        } after: { context throws in
            let teams = try context.all("Team")
            let heat = try #require(teams.first)
            #expect(teams.count == 1)
            #expect(heat.names("players") == ["Bird", "Wade"] && heat.names("fans") == ["Fan"])
            let isNew = Self.favoursObject(type)
            #expect(heat.string("city") == (isNew ? "Florida" : "Miami"))
            #expect(heat.value(forKey: "wins") as? Int == (isNew ? 5 : 3))
            // It was not set on the new object: only overwriting counts its default.
            #expect(heat.value(forKey: "isActive") as? Bool == (type == .overwriteMergePolicyType))
            #expect(try context.all("Player", "rival == team AND name == 'Bird'").count == 1)
        }
    }

    @Test("what is set to its default was set")
    func explicitDefault() throws {
        try heat(.mergeByPropertyObjectTrumpMergePolicyType) { context, _ in
            let new = context.insert("Team", ["name": "Heat"])
            context.processPendingChanges()
            new.setValue(true, forKey: "isActive")
            try context.save()
            #expect(new.string("city") == "Miami" && new.value(forKey: "isActive") as? Bool == true)
        } after: { context throws in
            let heat = try #require(try context.all("Team").first)
            #expect(heat.value(forKey: "isActive") as? Bool == true && heat.value(forKey: "wins") as? Int == 3)
        }
    }

    @Test("the stored object that a new one takes the place of leaves the context, which says so")
    func formerObject() throws {
        try heat(.mergeByPropertyObjectTrumpMergePolicyType) { context, id in
            let former = try context.existingObject(with: id)
            former.setValue("Key Biscayne", forKey: "city")
            let told = Collector(.NSManagedObjectContextObjectsDidChange, of: context)
            let new = context.insert("Team", ["name": "Heat", "wins": 9])
            try context.save()
            #expect(former.managedObjectContext == nil && former.objectID == id)
            #expect(new.objectID == id && context.object(with: id) === new)
            #expect(new.string("city") == "Key Biscayne")
            #expect(told.objects(NSDeletedObjectsKey).contains(former))
        } after: { context throws in
            let heat = try #require(try context.all("Team").first)
            #expect(heat.string("city") == "Key Biscayne" && heat.value(forKey: "wins") as? Int == 9)
        }
    }

    @Test(
        "of several new objects with one unique value the last stays, or the first, with what the others had",
        arguments: all)
    func duplicatesAmongNew(type: NSMergePolicyType) throws {
        try heat(type) { context, _ in
            for (index, city) in ["Boston", "Quincy", nil].enumerated() {
                let team = context.insert("Team", ["name": "Celtics", "wins": index + 1])
                if let city { team.setValue(city, forKey: "city") }
                _ = context.insert("Player", ["name": "Player \(index)", "team": team])
            }
            try context.save()
            #expect(try context.all("Team", "name == 'Celtics'").count == 1)
        } after: { context throws in
            let celtics = try context.all("Team", "name == 'Celtics'")
            #expect(celtics.map { $0.names("players") } == [["Player 0", "Player 1", "Player 2"]])
            #expect(celtics.first?.value(forKey: "wins") as? Int == (Self.favoursObject(type) ? 3 : 1))
            let city: String? =
                switch type {
                case .mergeByPropertyObjectTrumpMergePolicyType: "Quincy"
                case .overwriteMergePolicyType: nil
                default: "Boston"
                }
            #expect(celtics.first?.string("city") == city)
        }
    }

    @Test("a stored object that takes another's unique value has it deleted, or gets its own back", arguments: all)
    func renamed(type: NSMergePolicyType) throws {
        try heat(type) { context, id in
            let celtics = context.insert("Team", ["name": "Celtics", "city": "Boston"])
            try context.save()
            celtics.setValue("Heat", forKey: "name")
            celtics.setValue("Cambridge", forKey: "city")
            try context.save()
            #expect(celtics.string("name") == (Self.favoursObject(type) ? "Heat" : "Celtics"))
        } after: { context throws in
            let cities = try context.all("Team", sortedBy: "city").map { $0.string("city") }
            switch type {
            case .rollbackMergePolicyType: #expect(cities == ["Boston", "Miami"])
            case .mergeByPropertyStoreTrumpMergePolicyType: #expect(cities == ["Cambridge", "Miami"])
            default:
                #expect(cities == ["Cambridge"])
                // Wade's team went, by the rule of its relationship.
                #expect(try context.all("Player").first?.object("team") == nil)
            }
        }
    }

    @Test(
        "two stored objects that get one unique value: neither goes; the changes are taken back, or the save fails",
        arguments: all)
    func renamedAlike(type: NSMergePolicyType) throws {
        try heat(type) { context, _ in
            let teams = ["Celtics", "Bulls"].map { context.insert("Team", ["name": $0]) }
            try context.save()
            teams.forEach { $0.setValue("Bucks", forKey: "name") }
            let error = thrown { try context.save() }
            #expect((error?.code == NSManagedObjectConstraintMergeError) == Self.favoursObject(type))
            if error != nil { context.rollback() }
        } after: { context throws in
            #expect(
                try context.all("Team", sortedBy: "name").map { $0.string("name") } == ["Bulls", "Celtics", "Heat"])
        }
    }

    @Test("within a context the conflict names all objects and no stored one")
    func conflictWithin() throws {
        let stack = try Stack(Self.teams())
        try stack.work { context throws in
            let teams = (0..<3).map { context.insert("Team", ["name": "Heat", "wins": $0]) }
            let error = try #require(thrown { try context.save() })
            let conflicts = try #require(error.userInfo["conflictList"] as? [NSConstraintConflict])
            let conflict = try #require(conflicts.first)
            #expect(conflicts.count == 1 && conflict.databaseObject == nil && conflict.databaseSnapshot == nil)
            #expect(conflict.conflictingObjects == teams && conflict.constraint == ["name"])
            #expect(conflict.conflictingSnapshots.map { $0["wins"] as? Int } == [0, 1, 2])
        }
    }

    @Test("a thousand duplicates of a hundred values are settled in one save, and the last of each stays")
    func manyDuplicates() throws {
        let stack = try Stack(Self.teams())
        try stack.work { context throws in
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            for index in 0..<100 { _ = context.insert("Team", ["name": "Team \(index)", "city": "old"]) }
            try context.save()
            for index in 0..<1000 { _ = context.insert("Team", ["name": "Team \(index % 100)", "wins": index]) }
            try context.save()
        }
        try stack.reopened { context throws in
            let teams = try context.all("Team", sortedBy: "wins")
            #expect(teams.map { $0.value(forKey: "wins") as? Int } == (900..<1000).map { $0 })
            #expect(teams.allSatisfy { $0.string("city") == "old" })
        }
    }
}

/// Notes what it is asked, and does what its type says.
private final class RecordingPolicy: NSMergePolicy, @unchecked Sendable {
    var rows: [NSMergeConflict] = []

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        rows += list
        try super.resolve(optimisticLockingConflicts: list)
    }
}

@Suite("Conflicts over objects that a context leaves as they are")
struct ConflictDetectionTests {
    @Test(
        "a save that relies on an object fails if another context changed or deleted it, once",
        arguments: [false, true])
    func detecting(deletes: Bool) throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            try context.save()
            try stack.work { other throws in
                let same = other.object(with: team.objectID)
                if deletes { other.delete(same) } else { same.setValue("Bulls", forKey: "name") }
                try other.save()
            }
            _ = context.insert("Player", ["name": "Wade"])
            context.detectConflicts(for: team)
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSManagedObjectMergeError)
            #expect((error.userInfo["conflictList"] as? [NSMergeConflict])?.map(\.sourceObject) == [team])
            #expect(context.insertedObjects.count == 1)

            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            #expect(!context.hasChanges && (team.managedObjectContext == nil) == deletes)
            if !deletes { #expect(team.string("name") == "Bulls") }
            context.mergePolicy = NSMergePolicy.error
            _ = context.insert("Player", ["name": "Bosh"])
            try context.save()
        }
        try stack.reopened { context throws in #expect(try context.all("Player").count == 2) }
    }

    @Test("an object without changes stands in no context's way")
    func untouched() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            try context.save()
            context.detectConflicts(for: team)
            team.setValue("Bulls", forKey: "name")
            try context.save()
            context.detectConflicts(for: team)
            _ = context.insert("Player", ["name": "Wade"])
            try context.save()
        }
    }
}
