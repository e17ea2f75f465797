import CoreData

extension Walk {
    /// What the model refuses, and how a user reads it.
    func makeMistakes() throws {
        narrator.chapter(3, "Mistakes, and what the user reads")
        let celtics = try team(named: "Boston Celtics")
        let host = try teamWithRoom()

        narrator.say("A player without a last name:")
        let nameless = newPlayer("Pelé", nil, in: host)
        try expectRefusal(in: context, with: NSValidationMissingMandatoryPropertyError)
        try narrator.check("rolled back: the player has no context any more", nameless.managedObjectContext == nil)

        narrator.say("A player of no team:")
        _ = newPlayer("Lone", "Ranger", in: nil)
        try expectRefusal(in: context, with: NSValidationMissingMandatoryPropertyError)

        narrator.say("A 16th player for the Celtics, who may have 15:")
        _ = newPlayer("Sixteenth", "Celtic", in: celtics)
        try expectRefusal(in: context, with: NSValidationRelationshipExceedsMaximumCountError)

        narrator.say("An e-mail address that is none:")
        newPlayer("Ada", "Lovelace", in: host).email = "ada at analytical.engine"
        try expectRefusal(in: context, with: NSValidationStringPatternMatchingError)

        narrator.say("A second team of the same name:")
        Team(context: context).name = "Boston Celtics"
        try expectRefusal(in: context, with: NSManagedObjectConstraintMergeError)

        narrator.say("Everything at once:")
        let worst = newPlayer(nil, nil, in: host)
        worst.email = "?"
        worst.salary = -1
        try expectRefusal(
            in: context, with: NSValidationMissingMandatoryPropertyError,
            NSValidationMissingMandatoryPropertyError, NSValidationStringPatternMatchingError,
            NSValidationNumberTooSmallError)
        try narrator.check("the store took none of it", try count("Player") == Roster().entries.count)
    }

    private func newPlayer(_ first: String?, _ last: String?, in team: Team?) -> Player {
        let player = Player(context: context)
        player.firstName = first
        player.lastName = last
        player.team = team
        return player
    }
}
