import CoreData

extension Walk {
    /// What the model itself knows to fetch: a template and a fetched property.
    func askTheModel() throws {
        narrator.chapter(4, "Requests that live in the model")
        try fetchTheGreenTeams()
        try readTheFetchedProperty()
    }

    private func fetchTheGreenTeams() throws {
        guard let template = league.managedObjectModel.fetchRequestTemplate(forName: "GreenTeams") else {
            throw Surprise("the model has no template GreenTeams")
        }
        let names = try context.fetch(template).compactMap { ($0 as? Team)?.name }.sorted()
        narrator.say(
            "The template GreenTeams, \(template.predicate?.description ?? "–"), finds \(names.joined(separator: " and "))."
        )
        try narrator.check("the Boston Celtics are among them", names.contains("Boston Celtics"))
    }

    private func readTheFetchedProperty() throws {
        let celtics = try team(named: "Boston Celtics")
        func names() -> String { (celtics.wPlayers ?? []).map(\.fullName).joined(separator: ", ") }
        narrator.say("The fetched property wPlayers: \(names()).")
        try narrator.check("Dwyane Wade and Tyson Warner, by last name", names() == "Dwyane Wade, Tyson Warner")

        let newcomer = Player(context: context)
        newcomer.firstName = "Wanda"
        newcomer.lastName = "Westbrook"
        newcomer.team = try teamWithRoom()
        try context.save()
        try narrator.check("Wanda Westbrook joins; what was fetched stays", celtics.wPlayers?.count == 2)
        context.refresh(celtics, mergeChanges: true)
        try narrator.check("until the team is refreshed: \(names())", celtics.wPlayers?.count == 3)
        context.delete(newcomer)
        try context.save()
    }
}
