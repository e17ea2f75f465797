import Foundation
import ModelDocument
import Testing

@Suite("Editing a model keeps what refers to what")
struct EditingTests {
    /// Team ⇄ Player, Goalkeeper a Player.
    private func league() throws -> Model {
        var team = Model.Entity(name: "Team")
        team.attributes = [.init(name: "name", type: .string)]
        team.relationships = [.init(name: "players", destinationName: "Player")]
        team.uniquenessConstraints = [["name"]]
        var player = Model.Entity(name: "Player")
        player.attributes = [.init(name: "number", type: .integer16), .init(name: "salary", type: .decimal)]
        player.relationships = [.init(name: "team", destinationName: "Team")]
        player.fetchIndexes = [
            .init(name: "byTeam", elements: [.init(propertyName: "team"), .init(propertyName: "number")]),
            .init(name: "bySalary", elements: [.init(propertyName: "salary")]),
        ]
        player.fetchedProperties = [
            .init(name: "mates", fetchRequest: .init(name: "mates", entityName: "Player"))
        ]
        var goalkeeper = Model.Entity(name: "Goalkeeper")
        goalkeeper.parentName = "Player"
        goalkeeper.uniquenessConstraints = [["team", "number"]]
        goalkeeper.compoundIndexes = [["number"]]
        var model = Model(entities: [team, player, goalkeeper])
        model.fetchRequests = [.init(name: "all", entityName: "Player")]
        model.configurations = [.init(name: "Main", entityNames: ["Team", "Player"])]
        model.diagramElements = [.init(name: "Player"), .init(name: "Team")]
        try model.setInverse("team", ofRelationship: "players", of: "Team")
        model[entity: "Team"]?[relationship: "players"]?.isOptional = true
        model[entity: "Player"]?[relationship: "team"]?.isOptional = true
        return model
    }

    @Test("Access by name reads, changes, adds and removes")
    func subscripts() throws {
        var model = try league()
        model[entity: "Team"]?[attribute: "name"]?.isOptional = true
        #expect(model.entities[0].attributes[0].isOptional)
        model[entity: "Team"]?[attribute: "founded"] = .init(name: "founded", type: .date)
        #expect(model.entities[0].propertyNames == ["name", "founded", "players"])
        model[entity: "Team"]?[attribute: "name"] = nil
        model[entity: "Nobody"] = nil
        model[entity: "Nobody"]?.isAbstract = true
        #expect(model.entities[0].propertyNames == ["founded", "players"] && model.entities.count == 3)
        #expect(model[configuration: "Main"]?.entityNames.count == 2 && model[fetchRequest: "all"] != nil)
    }

    @Test("A renamed entity is renamed wherever it is named")
    func renamedEntity() throws {
        var model = try league()
        try model.renameEntity("Player", to: "Athlete")
        #expect(model.entities.map(\.name) == ["Team", "Athlete", "Goalkeeper"])
        #expect(model[entity: "Goalkeeper"]?.parentName == "Athlete")
        let players = model[entity: "Team"]?[relationship: "players"]
        #expect(players?.destinationName == "Athlete" && players?.inverseEntityName == "Athlete")
        #expect(model[entity: "Athlete"]?.fetchedProperties[0].fetchRequest?.entityName == "Athlete")
        #expect(model.fetchRequests[0].entityName == "Athlete")
        #expect(model.configurations[0].entityNames == ["Team", "Athlete"])
        #expect(model.diagramElements.map(\.name) == ["Athlete", "Team"])
        #expect(model.diagnostics.isEmpty)
        let text = String(decoding: try model.contents(), as: UTF8.self)
        #expect(!text.contains("Player\""))
    }

    @Test("A removed entity leaves nothing behind that names it")
    func removedEntity() throws {
        var model = try league()
        try model.removeEntity("Player")
        #expect(model.entities.map(\.name) == ["Team", "Goalkeeper"])
        #expect(model[entity: "Goalkeeper"]?.parentName == nil)
        let players = try #require(model[entity: "Team"]?[relationship: "players"])
        #expect(players.destinationName == nil && players.inverseName == nil && players.inverseEntityName == nil)
        #expect(model.fetchRequests.isEmpty && model.configurations[0].entityNames == ["Team"])
        #expect(model.diagramElements.map(\.name) == ["Team"])
        #expect(!String(decoding: try model.contents(), as: UTF8.self).contains("Player"))
    }

    @Test("A renamed property is renamed in its inverse, in constraints and indexes, inherited ones too")
    func renamedProperty() throws {
        var model = try league()
        try model.renameProperty("team", of: "Player", to: "club")
        #expect(model[entity: "Team"]?[relationship: "players"]?.inverseName == "club")
        #expect(model[entity: "Player"]?.fetchIndexes[0].elements.map(\.propertyName) == ["club", "number"])
        #expect(model[entity: "Goalkeeper"]?.uniquenessConstraints == [["club", "number"]])
        try model.renameProperty("number", of: "Player", to: "shirt")
        #expect(model[entity: "Goalkeeper"]?.compoundIndexes == [["shirt"]])
        try model.renameProperty("mates", of: "Player", to: "friends")
        #expect(model[entity: "Player"]?.propertyNames == ["shirt", "salary", "club", "friends"])
        try model.renameProperty("name", of: "Team", to: "title")
        #expect(model[entity: "Team"]?.uniquenessConstraints == [["title"]])
        #expect(model.diagnostics.isEmpty)
    }

    @Test("A removed property leaves its inverse free, and constraints and indexes without it")
    func removedProperty() throws {
        var model = try league()
        try model.removeProperty("team", of: "Player")
        #expect(model[entity: "Team"]?[relationship: "players"]?.inverseName == nil)
        #expect(model[entity: "Team"]?[relationship: "players"]?.inverseEntityName == nil)
        #expect(model[entity: "Player"]?.fetchIndexes[0].elements.map(\.propertyName) == ["number"])
        #expect(model[entity: "Goalkeeper"]?.uniquenessConstraints == [["number"]])
        try model.removeProperty("salary", of: "Player")
        #expect(model[entity: "Player"]?.fetchIndexes.map(\.name) == ["byTeam"])
    }

    @Test("An inverse is set on both sides, and frees those that were bound before")
    func inverse() throws {
        var model = try league()
        model[entity: "Team"]?.relationships.append(.init(name: "squad", destinationName: "Goalkeeper"))
        try model.setInverse("team", ofRelationship: "squad", of: "Team")
        // The destination inherits the relationship from its parent, which documents name as the inverse's entity.
        #expect(model[entity: "Team"]?[relationship: "squad"]?.inverseEntityName == "Player")
        #expect(model[entity: "Player"]?[relationship: "team"]?.inverseName == "squad")
        #expect(model[entity: "Team"]?[relationship: "players"]?.inverseName == nil)
        try model.setInverse(nil, ofRelationship: "team", of: "Player")
        #expect(model.entities.flatMap(\.relationships).allSatisfy { $0.inverseName == nil })
    }

    @Test("A relationship can be its own inverse")
    func reflexive() throws {
        var model = Model(entities: [.init(name: "Person")])
        model.entities[0].relationships = [.init(name: "friends", destinationName: "Person")]
        model.entities[0].relationships[0].isOptional = true
        try model.setInverse("friends", ofRelationship: "friends", of: "Person")
        #expect(model.entities[0].relationships[0].inverseName == "friends" && model.diagnostics.isEmpty)
        try model.renameProperty("friends", of: "Person", to: "pals")
        #expect(model.entities[0].relationships[0].inverseName == "pals" && model.diagnostics.isEmpty)
    }

    @Test("An edit of what is not there, or to a name that is taken, is refused and changes nothing")
    func refused() throws {
        let original = try league()
        var model = original
        let attempts: [(inout Model) throws -> Void] = [
            { try $0.renameEntity("None", to: "Some") }, { try $0.renameEntity("Team", to: "Player") },
            { try $0.removeEntity("None") }, { try $0.renameProperty("name", of: "None", to: "title") },
            { try $0.renameProperty("none", of: "Team", to: "title") },
            { try $0.renameProperty("name", of: "Team", to: "players") },
            { try $0.removeProperty("none", of: "Team") },
            { try $0.setInverse("team", ofRelationship: "none", of: "Team") },
            { try $0.setInverse("none", ofRelationship: "players", of: "Team") },
        ]
        for attempt in attempts {
            let error = #expect(throws: ModelDocumentError.self) { try attempt(&model) }
            #expect(error?.code == .invalidEdit)
        }
        #expect(model == original)
    }
}
