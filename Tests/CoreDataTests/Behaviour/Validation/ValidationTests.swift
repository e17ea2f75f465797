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
