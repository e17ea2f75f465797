import ModelDocument
import ModelGraph
import Testing

/// Relationships as links, with what is to be seen at each end.
@Suite struct LinkTests {
    private func diagram(_ configure: (inout Model.Relationship, inout Model.Relationship) -> Void) -> Diagram {
        var (team, player) = (Model.Entity(name: "Team"), Model.Entity(name: "Player"))
        var players = Model.Relationship(name: "players", destinationName: "Player")
        var home = Model.Relationship(name: "team", destinationName: "Team")
        (players.inverseName, players.inverseEntityName) = ("team", "Player")
        (home.inverseName, home.inverseEntityName) = ("players", "Team")
        configure(&players, &home)
        team.relationships = [players]
        player.relationships = [home]
        return Diagram(Model(entities: [team, player]))
    }

    @Test func aRelationshipAndItsInverseAreOneLinkWithAnArrowAtEachEnd() throws {
        let diagram = diagram { players, _ in
            players.maxCount = 0
            players.isOptional = true
            players.deleteRule = .cascade
        }
        #expect(diagram.links.count == 1)
        let link = try #require(diagram.links.first)
        #expect(link.target.arrow?.isToMany == true)
        #expect(link.target.arrow?.isOptional == true)
        #expect(link.source.arrow?.isToMany == false)
        #expect(link.source.arrow?.isOptional == false)
        #expect(link.source.departure?.deleteRule == .cascade)
        #expect(link.target.departure?.name == "team")
    }

    @Test func aRelationshipWithoutInverseHasNoArrowAtItsStart() throws {
        let diagram = diagram { players, home in
            (players.inverseName, players.inverseEntityName) = (nil, nil)
            (home.inverseName, home.inverseEntityName) = (nil, nil)
        }
        #expect(diagram.links.count == 2)
        #expect(diagram.links.allSatisfy { $0.source.arrow == nil && $0.target.departure == nil })
    }

    @Test func anInverseThatDoesNotReferBackIsNoPair() {
        let diagram = diagram { _, home in home.inverseName = nil }
        #expect(diagram.links.count == 2)
    }

    @Test func aRelationshipThatIsItsOwnInverseIsALoop() throws {
        var person = Model.Entity(name: "Person")
        var cousins = Model.Relationship(name: "cousins", destinationName: "Person")
        (cousins.inverseName, cousins.inverseEntityName) = ("cousins", "Person")
        person.relationships = [cousins]
        let diagram = Diagram(Model(entities: [person]))
        #expect(diagram.links.count == 1)
        #expect(try #require(diagram.links.first).isLoop)
    }

    @Test func theLeagueHasItsLinks() throws {
        let diagram = Diagram(try Samples.league())
        #expect(diagram.links.filter { $0.kind == .inheritance }.count == 2)
        #expect(diagram.links.filter { $0.kind == .relationship }.count == 4)
    }

    @Test func linksGoRoundTheBoxesBetween() {
        var model = Model(entities: ["A", "B", "C"].map { Model.Entity(name: $0) })
        model.entities[0].relationships = [Model.Relationship(name: "c", destinationName: "C")]
        model.diagramElements = [
            Model.DiagramElement(name: "A", positionX: 0, positionY: 0),
            Model.DiagramElement(name: "B", positionX: 300, positionY: 0),
            Model.DiagramElement(name: "C", positionX: 600, positionY: 0),
        ]
        let diagram = Diagram(model)
        let route = diagram.routes()[0]
        let middle = diagram.boxes[1].frame
        #expect(route.bends.count == 4)
        #expect(route.bends[1...2].allSatisfy { $0.y < middle.minY || $0.y > middle.maxY })
    }
}
