import Foundation
import ModelDocument
import Testing

@testable import ModelExchange

@Suite("Models in the languages of other tools")
struct WritingTests {
    @Test("the league is written as it was looked at", arguments: [ModelLanguage.dbml, .mermaid, .sql, .postgresql])
    func expected(language: ModelLanguage) throws {
        let text = try language.text(of: ExchangeSamples.league(), title: "League")
        let name = "Expected/League.\(language == .postgresql ? "postgresql.sql" : language.pathExtension)"
        if ProcessInfo.processInfo.environment["COREDATA_RECORD"] == "1" {
            try Data(text.utf8).write(to: ExchangeSamples.fixtures.appendingPathComponent(name))
        }
        #expect(try text == ExchangeSamples.fixture(name))
    }

    // MARK: DBML

    @Test("hostile names are one token each in DBML, and come back as they are")
    func namesInDBML() throws {
        let tokens = try DBMLToken.all(
            of: ModelLanguage.dbml.text(of: ExchangeSamples.hostileModel(), title: "it's a \"title\"\n"))
        for name in ExchangeSamples.hostileNames {
            let isNamed = tokens.contains(.name(name)) || tokens.contains(.word(name))
            #expect(isNamed, "\(name)")
            #expect(tokens.contains(.text(name)), "the default \(name)")
        }
        #expect(tokens.contains(.name("it's a \"title\"\n")))
        // Brackets outside of quotes are those of the writer: each closes what was opened.
        var open: [Character] = []
        for case .sign(let sign) in tokens {
            if "[{(".contains(sign) { open.append(sign) }
            guard let opening = ["]": "[", "}": "{", ")": "("][sign] else { continue }
            #expect(open.popLast() == Character(opening))
        }
        #expect(open.isEmpty)
    }

    @Test("cardinalities and delete rules are those of both sides")
    func references() throws {
        let text = try ModelLanguage.dbml.text(of: ExchangeSamples.league(), title: "League")
        let references = text.components(separatedBy: "\n").filter { $0.hasPrefix("Ref ") }
        #expect(
            references == [
                "Ref \"Coach.team\": Team._key - Coach.team [delete: set null]",
                "Ref \"Person.cousins\": Person._key <> Person._key",
                "Ref \"Person.favourites\": Person._key <> Team._key",
                "Ref \"Player.team\": Player.team > Team._key [delete: cascade]",
            ])
        #expect(text.contains("_key key [pk, ref: - Person._key, note: 'Player inherits from Person']"))
    }

    @Test("a to-many without inverse has a column in its destination")
    func lonelyToMany() throws {
        var (team, player) = (Model.Entity(name: "Team"), Model.Entity(name: "Player"))
        var players = Model.Relationship(name: "players", destinationName: "Player")
        (players.maxCount, players.deleteRule) = (0, .deny)
        team.relationships = [players]
        player.attributes = [.init(name: "name", type: .string)]
        let text = try ModelLanguage.dbml.text(of: Model(entities: [player, team]), title: "T")
        #expect(text.contains("\"Team.players\" key [note: "))
        #expect(text.contains("Ref \"Team.players\": Team._key < Player.\"Team.players\" [delete: restrict]"))
    }

    // MARK: Mermaid

    @Test("hostile names are read by Mermaid's grammar, and drawn as they are")
    func namesInMermaid() throws {
        let diagram = try MermaidDiagram(
            ModelLanguage.mermaid.text(of: ExchangeSamples.hostileModel(), title: ""))
        let names = ExchangeSamples.hostileNames.map { $0.replacing("\u{0}", with: "\u{FFFD}") }
        #expect(Set(diagram.entities.keys) == Set(names))
        for name in names {
            let attributes = try #require(diagram.entities[name])
            #expect(attributes.count == names.count)
            // The name stands in the comment where the word is another one.
            for (attribute, other) in zip(attributes, names) {
                #expect(attribute[1] == other || attribute[3].contains(other), "\(attribute) for \(other)")
            }
            #expect(diagram.links.contains { $0.from == name && $0.label == "to " + name })
        }
    }

    @Test("the marks of a line tell how many objects are at each end")
    func marks() throws {
        let diagram = try MermaidDiagram(ModelLanguage.mermaid.text(of: ExchangeSamples.league(), title: ""))
        #expect(
            Set(diagram.links) == [
                .init(from: "Coach", marks: "|o..||", to: "Person", label: "is"),
                .init(from: "Player", marks: "|o..||", to: "Person", label: "is"),
                .init(from: "Coach", marks: "|o--o|", to: "Team", label: "team / coach"),
                .init(from: "Person", marks: "}o--o{", to: "Person", label: "cousins / cousins"),
                .init(from: "Person", marks: "}o--o{", to: "Team", label: "favourites / fans"),
                .init(from: "Player", marks: "}o--||", to: "Team", label: "team / players"),
            ])
    }

    // MARK: All

    @Test(
        "every model of the collection is written in every language that it can have",
        .enabled(if: ExchangeSamples.hasCollection))
    func collection() throws {
        let files = try DocumentFile.files(at: ExchangeSamples.collection).filter { $0.kind == .model }
        #expect(files.count >= 400)
        for file in files {
            let model = try Model(contents: Data(contentsOf: file.url))
            _ = try DBMLToken.all(of: ModelLanguage.dbml.text(of: model, title: "M"))
            let diagram = try MermaidDiagram(ModelLanguage.mermaid.text(of: model, title: "M"))
            #expect(Set(diagram.entities.keys) == Set(model.entities.map(\.name)), "\(file.url.path)")
        }
    }
}
