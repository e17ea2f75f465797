import CoreData
import Testing

@Suite("Validation")
struct ValidationTests {
    @Test("a required value that is missing fails the save with 1570, and nothing is lost")
    func missingValue() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let player = context.insert("Player", ["age": 30])
            let error = try #require(thrown { try context.save() })
            #expect(error.domain == NSCocoaErrorDomain && error.code == NSValidationMissingMandatoryPropertyError)
            #expect(error.userInfo["NSValidationErrorKey"] as? String == "name")
            #expect(error.userInfo["NSValidationErrorObject"] as? NSManagedObject === player)
            #expect(error.localizedDescription == "name is a required value.")
            #expect(player.isInserted && player.objectID.isTemporaryID)
            player.setValue("Wade", forKey: "name")
            try context.save()
        }
    }

    @Test("several failures come as one 1560 with the details")
    func severalFailures() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            _ = context.insert("Player")
            _ = context.insert("Team")
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSValidationMultipleErrorsError)
            let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
            #expect(details.map(\.code) == [1570, 1570])
        }
    }

    @Test(
        "who is related to an object that is deleted already fails the save with 1550, from any end, and can let go of it",
        arguments: ["captainOf", "benchOf", "favourites", "bench", "captain", "fans"], [false, true])
    func dangling(key: String, inAChild: Bool) throws {
        let stack = try Stack(LeagueModel.make())
        let (root, child) = (stack.context(), NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType))
        child.parent = root
        let ids = try root.work { root throws in
            let objects = [root.insert("Player", ["name": "Wade"]), root.insert("Team", ["name": "Heat"])]
            try root.save()
            return objects.map(\.objectID)
        }
        let context = inAChild ? child : root
        try context.work { context throws in
            let (player, team) = (context.object(with: ids[0]), context.object(with: ids[1]))
            let isOfThePlayer = player.entity.relationshipsByName[key] != nil
            let (owner, gone) = isOfThePlayer ? (player, team) : (team, player)
            let relationship = try #require(owner.entity.relationshipsByName[key])
            let inverse = try #require(relationship.inverseRelationship)
            context.delete(gone)
            context.processPendingChanges()
            if relationship.isToMany {
                gone.setValue(inverse.isToMany ? NSSet(object: owner) : owner, forKey: inverse.name)
            } else {
                owner.setValue(gone, forKey: key)
            }
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSManagedObjectValidationError)
            #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === owner)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key)
            #expect(error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [gone])
            #expect(error.localizedDescription == "\(key) leads to an object that is deleted.")
            #expect(gone.isDeleted && context.hasChanges)
            owner.setValue(nil, forKey: key)
            try context.save()
        }
        try root.work { try $0.save() }
        try stack.reopened { other throws in
            #expect(try other.all("Player").count + other.all("Team").count == 1)
        }
    }

    /// Clubs whose deletion does what a rule says with their members, whom they know or don't.
    private func clubs(_ rule: NSDeleteRule, knowMembers: Bool = true) -> NSManagedObjectModel {
        let (members, club) = (toMany("members", rule: rule), toOne("club"))
        let clubs = entity("Club", [attribute("name", .stringAttributeType)] + (knowMembers ? [members] : []))
        let people = entity("Person", [attribute("name", .stringAttributeType), club])
        if knowMembers { connect(clubs, members, people, club) } else { club.destinationEntity = clubs }
        return model(clubs, people)
    }

    @Test(
        "where a deletion tells nobody, for its rule or for want of an inverse, who was related by this save fails it, and nobody else",
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

    @Test("a denied deletion is told alone, though somebody was related to its object by the same save")
    func deniedAlone() throws {
        try Stack(clubs(.denyDeleteRule)).work { context throws in
            let club = context.insert("Club", ["name": "Chess"])
            try context.save()
            _ = context.insert("Person", ["name": "Ann", "club": club])
            context.delete(club)
            #expect(thrown { try context.save() }?.code == NSValidationRelationshipDeniedDeleteError)
        }
    }

    @Test("too few and too many members fail with 1580 and 1590; none is fine where the relationship is optional")
    func counts() throws {
        let stack = try Stack(LeagueModel.make(players: 3...4))
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            try context.save()
            func add() { _ = context.insert("Player", ["name": "x", "team": team]) }
            add()
            add()
            #expect(thrown { try context.save() }?.code == NSValidationRelationshipLacksMinimumCountError)
            add()
            try context.save()
            add()
            add()
            #expect(thrown { try context.save() }?.code == NSValidationRelationshipExceedsMaximumCountError)
        }
    }

    @Test("a required to-many relationship may be empty, unless it has a minimum count")
    func requiredToMany() throws {
        for minimum in 0...1 {
            let (players, owner) = (toMany("players", optional: false), toOne("team"))
            players.minCount = minimum
            let team = entity("Team", [attribute("name", .stringAttributeType), players])
            let player = entity("Player", [owner])
            connect(team, players, player, owner)
            try Stack(model(team, player)).work { context throws in
                let team = context.insert("Team", ["name": "Heat"])
                if minimum == 1 {
                    #expect(thrown { try context.save() }?.code == NSValidationRelationshipLacksMinimumCountError)
                }
                let player = context.insert("Player", ["team": team])
                try context.save()
                context.delete(player)
                #expect(thrown { try context.save() }?.code == (minimum == 1 ? 1580 : nil))
            }
        }
    }

    @Test("predicates of a property are checked at save, with the code and the sentence that they were given")
    func predicates() throws {
        let email = attribute("email", .stringAttributeType)
        email.setValidationPredicates(
            [NSPredicate(format: "SELF MATCHES %@", ".+@.+"), NSPredicate(format: "length <= 10")],
            withValidationWarnings: ["An email needs an @", "Too long"])
        let stack = try Stack(model(entity("Person", [email])))
        try stack.work { context throws in
            let person = context.insert("Person", ["email": "nobody"])
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSValidationStringPatternMatchingError)
            #expect(error.localizedDescription == "An email needs an @")
            person.setValue("somebody@example.com", forKey: "email")
            #expect(thrown { try context.save() }?.localizedDescription == "Too long")
            person.setValue("a@b.c", forKey: "email")
            try context.save()
        }
    }

    @Test("a text of the wrong form is told without the regular expression, which the error holds for programs")
    func pattern() throws {
        let email = attribute("email", .stringAttributeType)
        let pattern = NSPredicate(format: "SELF MATCHES %@", "[^@]+@[^@]+")
        email.setValidationPredicates([pattern], withValidationWarnings: ["1680"])
        try Stack(model(entity("Person", [email]))).work { context throws in
            _ = context.insert("Person", ["email": "nobody"])
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSValidationStringPatternMatchingError)
            #expect(error.localizedDescription == "email is not in the form that it must have.")
            #expect(error.userInfo[NSValidationPredicateErrorKey] as? NSPredicate == pattern)
        }
    }
}
