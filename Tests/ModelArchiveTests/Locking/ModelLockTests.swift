import Foundation
import ModelArchive
import ModelDocument
import Testing

@Suite struct ModelLockTests {
    /// A league: `Person` (abstract) with `Player` below it, and `Team`.
    private static var league: Model {
        var person = Model.Entity(name: "Person")
        person.isAbstract = true
        var name = Model.Attribute(name: "name", type: .string)
        name.isOptional = true
        person.attributes = [name]
        var player = Model.Entity(name: "Player")
        player.parentName = "Person"
        var team = Model.Relationship(name: "team", destinationName: "Team")
        team.inverseName = "players"
        player.relationships = [team]
        var teams = Model.Entity(name: "Team")
        teams.versionHashModifier = "2 \"b\""
        teams.uniquenessConstraints = [["city", "title"]]
        teams.attributes = ["city", "title"].map { Model.Attribute(name: $0, type: .string) }
        var cache = Model.Attribute(name: "cache", type: .string)
        cache.isTransient = true
        teams.attributes.append(cache)
        var players = Model.Relationship(name: "players", destinationName: "Player")
        players.inverseName = "team"
        players.maxCount = 0
        players.isOrdered = true
        teams.relationships = [players]
        return Model(entities: [person, player, teams])
    }

    private func findings(after change: (inout Model) -> Void) throws -> [String] {
        let lock = ModelLock(versions: ["League": try .init(Self.league)])
        var changed = Self.league
        change(&changed)
        return lock.findings(comparedWith: ["League": try .init(changed)]).map { finding in
            [finding.entity, finding.property].compactMap(\.self).joined(separator: ".") + ": " + finding.message
        }
    }

    @Test func theTextIsReadableAndSorted() throws {
        let lock = ModelLock(versions: ["League": try .init(Self.league), "A first one": try .init(Model())])
        let lines = lock.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            line.replacing(#/[0-9a-f]{64}/#, with: "HASH")
        }
        #expect(
            lines == [
                "lock 1", "version A first one", "version League", "  entity Person HASH", "    abstract",
                "    attribute name String, optional", "  entity Player HASH", "    parent Person",
                "    relationship team to one Team, inverse players", "  entity Team HASH",
                "    modifier \"2 \\\"b\\\"\"", "    unique city, title", "    attribute city String",
                "    attribute title String", "    relationship players to many Player, ordered, inverse team",
            ])
    }

    @Test func theHashesAreTheModelsOwn() throws {
        let hashes = try VersionHashes(Self.league).entities
        #expect(try ModelLock.Version(Self.league).entities.mapValues(\.hash) == hashes)
    }

    @Test func whatIsWrittenIsReadAsItWas() throws {
        let lock = ModelLock(versions: ["League": try .init(Self.league), "A first one": try .init(Model())])
        #expect(try ModelLock(text: lock.text) == lock)
        #expect(try ModelLock(text: lock.text.replacing("\n", with: "\n\n# remark\n")) == lock)
    }

    @Test(arguments: Samples.documents)
    func everyDocumentsLockIsReadAsItWasAndFindsNothing(url: URL) throws {
        let document = try ModelDocumentFolder(contentsOf: url)
        var versions: [String: ModelLock.Version] = [:]
        for name in document.versionNames {
            guard let model = try? document.model(version: name) else { continue }
            versions[name] = try .init(model)
        }
        let lock = try ModelLock(text: ModelLock(versions: versions).text)
        #expect(lock.versions == versions)
        #expect(lock.findings(comparedWith: versions).isEmpty)
    }

    @Test func aChangedPropertyIsNamed() throws {
        #expect(
            try findings { $0.entities[2].attributes[0].type = .integer32 } == [
                "Team.city: It was an attribute (String), and is now an attribute (Integer 32)."
            ])
        #expect(
            try findings { $0.entities[2].attributes[2].isTransient = false } == [
                "Team.cache: It is an attribute (String), and was not there or transient."
            ])
        #expect(
            try findings { $0.entities[2].relationships[0].maxCount = 11 } == [
                """
                Team.players: It was a relationship (to many Player, ordered, inverse team), \
                and is now a relationship (to at most 11 Player, ordered, inverse team).
                """
            ])
    }

    @Test func aChangedParentIsNamedForEveryEntityBelow() throws {
        #expect(
            try findings { $0.entities[0].attributes[0].name = "title" } == [
                "Person.name: It was an attribute (String, optional), and is gone, renamed or transient.",
                "Person.title: It is an attribute (String, optional), and was not there or transient.",
                "Player: The entity inherits from Person, which changed.",
            ])
    }

    @Test func whatAnEntityItselfSaysIsNamed() throws {
        #expect(
            try findings {
                $0.entities[2].versionHashModifier = nil
                $0.entities[2].isAbstract = true
                $0.entities[2].uniquenessConstraints = [["title"]]
            } == [
                "Team: It no longer is with the version hash modifier \"2 \\\"b\\\"\".",
                "Team: It no longer is unique by city, title.", "Team: It is now abstract.",
                "Team: It is now unique by title.",
            ])
    }

    @Test func removedAndAddedEntitiesAndVersionsAreNamed() throws {
        #expect(
            try findings { $0.entities[2].name = "Club" } == [
                "Club: The entity was added.", "Team: The entity was removed or renamed.",
            ])
        let lock = ModelLock(versions: ["League": try .init(Self.league)])
        #expect(lock.findings(comparedWith: [:]).map(\.version) == ["League"])
        #expect(lock.findings(comparedWith: ["League": try .init(Self.league), "New": try .init(Model())]).isEmpty)
    }

    @Test func whatIsNotStoredChangesNothing() throws {
        #expect(
            try findings {
                $0.entities[2].attributes[0].defaultValueString = "Rome"
                $0.entities[2].attributes[2].type = .binary
                $0.entities[2].relationships[0].deleteRule = .cascade
            }.isEmpty)
    }

    /// For each kind of change that a hash covers there is a fact that covers it too.
    @Test(
        arguments: [
            { $0.isOptional = true }, { $0.isReadOnly = true }, { $0.type = .binary },
            { $0.allowsExternalBinaryDataStorage = true }, { $0.preservesValueInHistoryOnDeletion = true },
            { $0.versionHashModifier = "x" }, { $0.derivationExpression = "canonical:(title)" },
        ] as [@Sendable (inout Model.Attribute) -> Void])
    func everyChangeOfAnAttributeCanBeTold(change: @Sendable (inout Model.Attribute) -> Void) throws {
        let found = try findings { change(&$0.entities[2].attributes[0]) }
        #expect(found.count == 1 && found[0].hasPrefix("Team.city: It was"))
    }

    @Test(
        arguments: [
            { $0.isOptional = true }, { $0.isReadOnly = true }, { $0.destinationName = "Player" },
            { $0.inverseName = nil }, { $0.minCount = 1 }, { $0.maxCount = 2 }, { $0.isOrdered = true },
            { $0.versionHashModifier = "x" },
        ] as [@Sendable (inout Model.Relationship) -> Void])
    func everyChangeOfARelationshipCanBeTold(change: @Sendable (inout Model.Relationship) -> Void) throws {
        let found = try findings { change(&$0.entities[1].relationships[0]) }
        #expect(found.count == 1 && found[0].hasPrefix("Player.team: It was"))
    }

    @Test(arguments: [
        "", "hello", "lock 2\n", "lock 1\nentity A", "lock 1\nversion A\nentity B 00", "lock 1\nversion A\nversion A",
        "lock 1\nversion", "lock 1\nversion A\nattribute x String",
        "lock 1\nversion A\nentity B 6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798\nsomething else",
        "lock 1\nversion A\nentity B 6B31F4E97B691D16C4C820BAE55F89408D47013BD42151ECFDE1EAC7FE4BE79é",
    ])
    func damagedTextIsRefusedWithASentence(text: String) {
        #expect {
            try ModelLock(text: text)
        } throws: { error in
            (error as? CocoaError)?.code == .fileReadCorruptFile && error.localizedDescription.contains("lock file")
        }
    }
}
