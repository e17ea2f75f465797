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
        #expect(ModelComparison(from: league(), to: league()).migration == .unneeded)
    }

    @Test("Attributes: what stores have to follow, and what they don't notice")
    func attributes() {
        #expect(
            edit("name") { $0.defaultValueString = "x" } == ["~ attribute Player.name: defaultValueString nothing → x"])
        #expect(
            edit("name") { $0.isOptional = true } == ["~ attribute Player.name: optional nothing → YES [lightweight]"])
        #expect(
            edit("age") { $0.isOptional = false } == [
                "~ attribute Player.age: optional YES → nothing [mapping: required, without a default for objects that have no value]"
            ])
        #expect(
            edit("age") { ($0.isOptional, $0.defaultValueString) = (false, "1") } == [
                "~ attribute Player.age: optional YES → nothing, defaultValueString nothing → 1 [lightweight]"
            ])
        #expect(
            edit("age") { $0.type = .integer64 } == [
                "~ attribute Player.age: attributeType Integer 16 → Integer 64 [lightweight]"
            ])
        #expect(
            edit("name") { $0.type = .uri } == [
                "~ attribute Player.name: attributeType String → URI [mapping: values of the type String don't become URI]"
            ])
        #expect(edit("age") { $0.userInfo = ["k": "v"] } == ["~ attribute Player.age: userInfo.k nothing → v"])
    }

    @Test("Additions and removals")
    func additions() throws {
        var nick = Model.Attribute(name: "nick", type: .string)
        #expect(
            lines { $0[entity: "Player"]?.attributes.append(nick) } == [
                "+ attribute Player.nick: attributeType nothing → String, syncable nothing → YES [mapping: required, without a default for the objects that are there]"
            ])
        nick.isOptional = true
        let optional = lines { $0[entity: "Player"]?.attributes.append(nick) }
        #expect(optional.count == 1 && optional[0].hasSuffix("[lightweight]"))
        nick.isTransient = true
        let transient = lines { $0[entity: "Player"]?.attributes.append(nick) }
        #expect(transient.count == 1 && transient[0].hasSuffix("syncable nothing → YES"))
        let removed = try lines { try $0.removeEntity("Team") }
        #expect(removed.map { $0.prefix(24) } == ["~ relationship Player.te", "- entity Team: syncable "])
        let constrained = lines { $0[entity: "Player"]?.uniquenessConstraints = [["name", "age"]] }
        #expect(constrained == ["+ uniqueness constraint Player.(name, age) [lightweight]"])
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
                "> attribute Player.fullName, was name [lightweight]", "> entity Club, was Team [lightweight]",
            ])
        let unnamed = try lines { try $0.renameProperty("name", of: "Player", to: "fullName") }
        #expect(unnamed.map { $0.prefix(1) } == ["-", "+"] || unnamed.map { $0.prefix(1) } == ["+", "-"])
    }

    @Test("Relationships and hierarchies")
    func relationships() {
        func edit(_ change: (inout Model.Relationship) -> Void) -> ModelComparison.Migration {
            var new = league()
            change(&new.entities[0].relationships[0])
            return ModelComparison(from: league(), to: new).migration
        }
        #expect(edit { $0.maxCount = 0 } == .lightweight)
        #expect(edit { $0.deleteRule = .cascade } == .unneeded)
        #expect(edit { $0.destinationName = "Player" }.name == "mapping")
        #expect(edit { $0.isOptional = false }.name == "mapping")
        var many = league()
        many.entities[0].relationships[0].maxCount = 0
        #expect(ModelComparison(from: many, to: league()).migration.name == "mapping")
        var merged = league()
        merged.entities.append(.init(name: "Thing"))
        merged[entity: "Player"]?.parentName = "Thing"
        #expect(ModelComparison(from: league(), to: merged).migration == .lightweight)
        merged[entity: "Team"]?.parentName = "Thing"
        #expect(ModelComparison(from: league(), to: merged).migration.name == "mapping")
    }

    @Test("A required attribute that moves within its hierarchy has its values already")
    func moves() throws {
        var old = league()
        old.entities.append(.init(name: "Goalkeeper"))
        old[entity: "Goalkeeper"]?.parentName = "Player"
        old[entity: "Player"]?.isAbstract = true
        var new = old
        new[entity: "Goalkeeper"]?.attributes = [.init(name: "name", type: .string)]
        new[entity: "Player"]?[attribute: "name"] = nil
        #expect(ModelComparison(from: old, to: new).migration == .lightweight)
        #expect(ModelComparison(from: new, to: old).migration == .lightweight)
        new[entity: "Goalkeeper"]?.attributes[0].type = .double
        #expect(ModelComparison(from: old, to: new).migration.name == "mapping")
    }
}
