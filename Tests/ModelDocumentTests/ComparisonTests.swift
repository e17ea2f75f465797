import Foundation
import ModelDocument
import Testing

@Suite("Comparing two models")
struct ComparisonTests {
    private func league() -> Model {
        var team = Model.Entity(name: "Team")
        team.attributes = [.init(name: "founded", type: .date)]
        var player = Model.Entity(name: "Player")
        player.attributes = [.init(name: "age", type: .integer16), .init(name: "name", type: .string)]
        player.attributes[0].isOptional = true
        player.relationships = [.init(name: "team", destinationName: "Team")]
        player.relationships[0].isOptional = true
        var model = Model(entities: [player, team])
        model.documentInfo = .newDocument()
        return model
    }

    /// The lines of a comparison.
    private func lines(_ change: (inout Model) throws -> Void) rethrows -> [String] {
        var new = league()
        try change(&new)
        return ModelComparison(from: league(), to: new).changes.map(\.description)
    }

    private func edit(_ name: String, _ change: (inout Model.Attribute) -> Void) -> [String] {
        lines { model in
            guard var attribute = model[entity: "Player"]?[attribute: name] else { return }
            change(&attribute)
            model[entity: "Player"]?[attribute: name] = attribute
        }
    }

    @Test("Equal models have no changes; the program that saved them and the places of boxes don't count")
    func equal() {
        let unnoticed = lines {
            $0.documentInfo?.lastSavedToolsVersion = "1"
            $0.diagramElements = [.init(name: "Player")]
        }
        #expect(unnoticed.isEmpty)
    }

    @Test("Attributes: settings, with what they were")
    func attributes() {
        #expect(
            edit("name") { $0.defaultValueString = "x" } == ["~ attribute Player.name: defaultValueString nothing → x"])
        #expect(
            edit("name") { $0.isOptional = true } == ["~ attribute Player.name: optional nothing → YES"])
        #expect(
            edit("age") { $0.isOptional = false } == [
                "~ attribute Player.age: optional YES → nothing"
            ])
        #expect(
            edit("age") { ($0.isOptional, $0.defaultValueString) = (false, "1") } == [
                "~ attribute Player.age: optional YES → nothing, defaultValueString nothing → 1"
            ])
        #expect(
            edit("age") { $0.type = .integer64 } == [
                "~ attribute Player.age: attributeType Integer 16 → Integer 64"
            ])
        #expect(
            edit("name") { $0.type = .uri } == [
                "~ attribute Player.name: attributeType String → URI"
            ])
        #expect(edit("age") { $0.userInfo = ["k": "v"] } == ["~ attribute Player.age: userInfo.k nothing → v"])
    }

    @Test("Additions and removals")
    func additions() throws {
        var nick = Model.Attribute(name: "nick", type: .string)
        #expect(
            lines { $0[entity: "Player"]?.attributes.append(nick) } == [
                "+ attribute Player.nick: attributeType nothing → String, syncable nothing → YES"
            ])
        nick.isOptional = true
        let optional = lines { $0[entity: "Player"]?.attributes.append(nick) }
        #expect(optional.count == 1 && optional[0].hasSuffix("syncable nothing → YES"))
        nick.isTransient = true
        let transient = lines { $0[entity: "Player"]?.attributes.append(nick) }
        #expect(transient.count == 1 && transient[0].hasSuffix("syncable nothing → YES"))
        let removed = try lines { try $0.removeEntity("Team") }
        #expect(removed.map { $0.prefix(24) } == ["~ relationship Player.te", "- entity Team: syncable "])
        let constrained = lines { $0[entity: "Player"]?.uniquenessConstraints = [["name", "age"]] }
        #expect(constrained == ["+ uniqueness constraint Player.(name, age)"])
        let requested = lines { $0.fetchRequests = [.init(name: "All", entityName: "Player")] }
        #expect(requested == ["+ fetch request All: entity nothing → Player"])
    }

    @Test("A renaming identifier makes a removal and an addition a new name, and what follows is no change")
    func renames() throws {
        let renamed = try lines {
            try $0.renameEntity("Team", to: "Club")
            $0[entity: "Club"]?.renamingIdentifier = "Team"
            try $0.renameProperty("name", of: "Player", to: "fullName")
            $0[entity: "Player"]?[attribute: "fullName"]?.renamingIdentifier = "name"
        }
        #expect(
            renamed == [
                "> attribute Player.fullName, was name", "> entity Club, was Team",
            ])
        let unnamed = try lines { try $0.renameProperty("name", of: "Player", to: "fullName") }
        #expect(unnamed.map { $0.prefix(1) } == ["-", "+"] || unnamed.map { $0.prefix(1) } == ["+", "-"])
    }

    @Test("Names that were passed on are followed")
    func chain() throws {
        let passed = try lines {
            $0[entity: "Player"]?[attribute: "name"] = nil
            try $0.renameProperty("age", of: "Player", to: "years")
            $0[entity: "Player"]?[attribute: "years"]?.renamingIdentifier = "age"
            try $0.renameEntity("Team", to: "Club")
            $0[entity: "Club"]?.renamingIdentifier = "Team"
            try $0.renameEntity("Player", to: "Team")
            $0[entity: "Team"]?.renamingIdentifier = "Player"
        }
        #expect(passed.contains { $0.hasPrefix("> entity Club, was Team") }, "\(passed)")
        #expect(passed.contains { $0.hasPrefix("> entity Team, was Player") }, "\(passed)")
        #expect(passed.contains { $0.hasPrefix("> attribute Team.years, was age") }, "\(passed)")
        #expect(passed.contains { $0.hasPrefix("- attribute Team.name") }, "\(passed)")
    }
}
