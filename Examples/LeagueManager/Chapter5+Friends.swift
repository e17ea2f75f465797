import CoreData

extension Walk {
    /// Relationships: one to many, many to many, one to itself. Setting one side sets the other.
    func makeFriends() throws {
        narrator.chapter(5, "Relationships, from either side")
        let celtics = try team(named: "Boston Celtics")
        let host = try teamWithRoom()
        let wade = try player(named: "Wade")
        let warner = try player(named: "Warner")
        try trade(wade, from: celtics, to: host)
        try hireACoach(for: celtics)
        try cheer([wade, warner], for: [celtics, host])
        try discoverCousins(wade, warner)
        try context.save()
        try narrator.check("all saved", !context.hasChanges)
    }

    /// Moving a player is one assignment, from either side.
    private func trade(_ player: Player, from home: Team, to other: Team) throws {
        let members = home.players?.count ?? 0
        player.team = other
        try narrator.check(
            "\(player.fullName) traded: \(home.name ?? "") has \(members - 1) players, \(other.name ?? "") has him",
            home.players?.count == members - 1 && other.players?.contains(player) == true)
        home.addToPlayers(player)
        try narrator.check(
            "and back, from the team's side: his team is \(player.team?.name ?? "")",
            player.team == home && other.players?.contains(player) == false && home.players?.count == members)
    }

    private func hireACoach(for team: Team) throws {
        let coach = Coach(context: context)
        coach.name = "Lena Hart"
        coach.seasons = 7
        coach.team = team
        try narrator.check(
            "\(coach.name ?? "") coaches the \(team.name ?? ""): team.coach says so too", team.coach == coach)
    }

    private func cheer(_ fans: [Person], for teams: [Team]) throws {
        for team in teams { team.addToFans(NSSet(array: fans)) }
        try narrator.check(
            "\(fans.count) fans of \(teams.count) teams: each fan has \(fans[0].favourites?.count ?? 0) favourites",
            fans.allSatisfy { $0.favourites == NSSet(array: teams) })
    }

    private func discoverCousins(_ one: Player, _ other: Player) throws {
        one.addToCousins(other)
        try narrator.check(
            "\(one.fullName) and \(other.fullName) are cousins, both ways", other.cousins?.contains(one) == true)
    }
}
