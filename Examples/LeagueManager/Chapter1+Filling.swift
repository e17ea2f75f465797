import CoreData

extension Walk {
    /// Reads the players' file in a background context, saving every hundred players.
    func fillTheLeague() throws {
        narrator.chapter(1, "Filling the league from a file")
        let roster = try Roster()
        let bar = ProgressBar(label: "Players.csv", total: roster.entries.count)
        let background = league.newBackgroundContext()
        try background.performAndWait {
            var teams: [String: Team] = [:]
            for (index, entry) in roster.entries.enumerated() {
                let team = teams[entry.team] ?? Team(entry, in: background)
                teams[entry.team] = team
                team.addToPlayers(Player(entry, in: background))
                if (index + 1) % 100 == 0 { try background.save() }
                bar.show(index + 1)
            }
            try background.save()
        }
        let teams = try count("Team")
        let players = try count("Player")
        try narrator.check(
            "\(teams) teams and \(players) players are in the store", players == roster.entries.count && teams == 24)
        try narrator.check("and \(players) persons: a player is one", try count("Person") == players)
    }
}

extension Team {
    /// A new team with the name and colour of a line of the roster.
    fileprivate convenience init(_ entry: Roster.Entry, in context: NSManagedObjectContext) {
        self.init(context: context)
        name = entry.team
        uniformColor = entry.uniformColor
    }
}

extension Player {
    /// A new player with what a line of the roster says of it.
    fileprivate convenience init(_ entry: Roster.Entry, in context: NSManagedObjectContext) {
        self.init(context: context)
        firstName = entry.firstName
        lastName = entry.lastName
        dateOfBirth = entry.dateOfBirth
        email = entry.email
        salary = entry.salary
    }
}
