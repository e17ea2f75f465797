import Foundation
import ModelDocument
import RandomSeeds
import Testing

@Suite("The model resource of a build")
struct ModelBundleFileTests {
    private func sample() throws -> ModelBundleFile {
        let document = try Samples.document("alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld")
        return try ModelBundleFile(document: document, moduleName: "App")
    }

    @Test("It holds every version of a document, and comes back equal")
    func roundTrip() throws {
        let resource = try sample()
        let copy = try ModelBundleFile(data: resource.data())
        #expect(copy == resource)
        #expect(copy.name == "SampleModel3" && copy.moduleName == "App")
        #expect(copy.versions.keys.sorted() == ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"])
        let document = try Samples.document("alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld")
        for version in document.versionNames {
            #expect(try copy.model(version: version) == document.model(version: version))
        }
    }

    @Test("The same model gives the same bytes, whatever order its versions came in")
    func reproducible() throws {
        let resource = try sample()
        var shuffled = resource
        shuffled.versions = Dictionary(uniqueKeysWithValues: resource.versions.map { ($0, $1) }.reversed())
        #expect(shuffled.data() == resource.data())
    }

    @Test("A damaged or foreign file is refused")
    func damage() throws {
        let data = try sample().data()
        for bad in [
            Data(), Data("hello".utf8), data.prefix(data.count / 2),
            try PropertyListSerialization.data(
                fromPropertyList: ["a": 1], format: .binary, options: 0),
        ] {
            let error = #expect(throws: ModelDocumentError.self) { try ModelBundleFile(data: bad) }
            #expect(error?.code == .damagedBundleFile)
        }
    }

    @Test("Random damage ends in an error or in a value, never in a crash")
    func randomDamage() throws {
        let original = Array(try sample().data())
        let seed = SeededGenerator.seed
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Kinds and counts stand at the start, the table and the trailer at the end.
                let distance = Int.random(in: 1...200, using: &random)
                let place = Bool.random(using: &random) ? distance : bytes.count - distance
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            do { _ = try ModelBundleFile(data: Data(bytes)) } catch {
                #expect(error is ModelDocumentError, "seed \(seed): \(error)")
            }
        }
    }

    @Test("A file of a later format is refused as such")
    func laterFormat() throws {
        let later = try PropertyListSerialization.data(
            fromPropertyList: ["swift-coredata model", 99] as [Any], format: .binary, options: 0)
        let error = #expect(throws: ModelDocumentError.self) { try ModelBundleFile(data: later) }
        #expect(error?.code == .newerBundleFile)
    }
}

@Suite("Diagnostics of a model")
struct DiagnosticsTests {
    private func model(_ first: (inout Model.Relationship) -> Void, _ second: (inout Model.Relationship) -> Void)
        -> Model
    {
        var team = Model.Entity(name: "Team")
        var player = Model.Entity(name: "Player")
        var players = Model.Relationship(name: "players", destinationName: "Player")
        var back = Model.Relationship(name: "team", destinationName: "Team")
        (players.isOptional, back.isOptional) = (true, true)
        first(&players)
        second(&back)
        team.relationships = [players]
        player.relationships = [back]
        return Model(entities: [team, player])
    }

    @Test("Mutual inverses give no warning")
    func mutual() {
        #expect(model({ $0.inverseName = "team" }, { $0.inverseName = "players" }).diagnostics.isEmpty)
    }

    @Test("A relationship without inverse is one finding, at the relationship")
    func noInverse() {
        let diagnostics = model({ _ in }, { _ in }).diagnostics
        #expect(
            diagnostics.map(\.description) == [
                "warning: Team.players has no inverse: objects of Player that are deleted leave it dangling [no-inverse]",
                "warning: Player.team has no inverse: objects of Team that are deleted leave it dangling [no-inverse]",
            ])
        #expect(
            diagnostics.map(\.path)
                == [("Team", "players"), ("Player", "team")].map { entity, property in
                    model({ _ in }, { _ in }).path(ofEntity: entity, property: property)
                })
    }

    @Test("A one-sided inverse is a finding for each side that is wrong")
    func oneSided() {
        let diagnostics = model({ $0.inverseName = "team" }, { _ in }).diagnostics
        #expect(diagnostics.map(\.propertyName) == ["players", "team"])
        #expect(diagnostics.map(\.code) == [.oneSidedInverse, .noInverse])
    }

    @Test("A relationship that is its own inverse, and an inverse inherited by the destination, are right")
    func reflexiveAndInherited() {
        var person = Model.Entity(name: "Person")
        var cousins = Model.Relationship(name: "cousins", destinationName: "Person")
        cousins.inverseName = "cousins"
        var club = Model.Relationship(name: "club", destinationName: "Club")
        club.inverseName = "members"
        (cousins.isOptional, club.isOptional) = (true, true)
        person.relationships = [cousins, club]
        var player = Model.Entity(name: "Player")
        player.parentName = "Person"
        var members = Model.Relationship(name: "members", destinationName: "Player")
        members.inverseName = "club"
        members.isOptional = true
        var clubEntity = Model.Entity(name: "Club")
        clubEntity.relationships = [members]
        #expect(Model(entities: [person, player, clubEntity]).diagnostics.isEmpty)
    }

    @Test("A sample from the wild")
    func wild() throws {
        let model = try Samples.document("magicalpanda-MagicalRecord-TestModel/TestModel.xcdatamodeld").model()
        #expect(!model.diagnostics.isEmpty)
        #expect(
            model.diagnostics.allSatisfy { finding in
                finding.message.hasPrefix("\(finding.entityName ?? "").\(finding.propertyName ?? "")")
            })
    }
}
