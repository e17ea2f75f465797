import CoreData

/// Teams, players and their fans: every kind of relationship that the tests of the graph need.
enum LeagueModel {
    /// A new model each time: a model that a coordinator uses can't be shared with tests that change it.
    static func make(teamRule: NSDeleteRule = .cascadeDeleteRule, players: ClosedRange<Int>? = nil)
        -> NSManagedObjectModel
    {
        let roster = toMany("players", players, rule: teamRule)
        let team = toOne("team")
        let favourites = toMany("favourites")
        let fans = toMany("fans")
        let cousins = toMany("cousins")
        let captain = toOne("captain")
        let captainOf = toOne("captainOf")
        let benched = toMany("bench", ordered: true)
        let benchOf = toOne("benchOf")
        let teamEntity = entity(
            "Team", [attribute("name", .stringAttributeType, optional: false), roster, fans, captain, benched])
        let player = entity(
            "Player",
            [
                attribute("name", .stringAttributeType, optional: false), attribute("age", .integer16AttributeType),
                attribute("salary", .decimalAttributeType), attribute("mood", .stringAttributeType, transient: true),
                team, favourites,
                cousins, captainOf, benchOf,
            ])
        connect(teamEntity, roster, player, team)
        connect(teamEntity, fans, player, favourites)
        connect(teamEntity, captain, player, captainOf)
        connect(teamEntity, benched, player, benchOf)
        connect(player, cousins, player, cousins)
        return model(teamEntity, player)
    }
}
