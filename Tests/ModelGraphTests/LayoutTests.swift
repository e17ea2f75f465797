import ModelDocument
import ModelGraph
import RandomSeeds
import Testing

/// Boxes never overlap, whatever the model, and the layout keeps its promises on what is near what.
@Suite struct LayoutTests {
    @Test(arguments: 0..<60) func boxesOfRandomModelsNeverOverlap(number: Int) {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var models = RandomModel(seed: seed)
        let model = models.model(entities: number, relationships: number * Int(seed % 5))
        let diagram = Diagram(model)
        #expect(diagram.overlaps.isEmpty, "seed \(seed)")
        #expect(diagram.boxes.map(\.name) == model.entities.map(\.name))
    }

    @Test func theSameModelIsAlwaysLaidOutAlike() {
        let model = {
            var models = RandomModel(seed: 7); return models.model(entities: 40, relationships: 80)
        }()
        #expect(Diagram(model).boxes == Diagram(model).boxes)
    }

    @Test func aHundredAndFiftyEntitiesFitAPageOfTheShapeOfAScreen() {
        var models = RandomModel(seed: 42)
        let model = models.model(entities: 150, relationships: 400)
        let start = ContinuousClock.now
        let diagram = Diagram(model)
        let time = ContinuousClock.now - start
        print("150 entities and 400 relationships: \(time)")
        #if DEBUG
            #expect(time < .seconds(5))
        #else
            #expect(time < .seconds(1))
        #endif
        #expect(diagram.overlaps.isEmpty)
        let size = diagram.bounds.size
        #expect((0.5...4).contains(size.width / size.height))
    }

    @Test func aParentStandsLeftOfItsSubentities() throws {
        let diagram = Diagram(try Samples.league())
        let frames = Dictionary(uniqueKeysWithValues: diagram.boxes.map { ($0.name, $0.frame) })
        let person = try #require(frames["Person"])
        let (player, coach) = (try #require(frames["Player"]), try #require(frames["Coach"]))
        #expect(person.maxX < player.minX)
        #expect(person.maxX < coach.minX)
    }

    @Test func entitiesWithoutLinksAreDrawnToo() {
        let diagram = Diagram(Model(entities: ["A", "B", "C"].map { Model.Entity(name: $0) }))
        #expect(diagram.boxes.count == 3)
        #expect(diagram.overlaps.isEmpty)
        #expect(diagram.links.isEmpty)
    }

    @Test func aModelThatIsWrongInEveryWayIsDrawn() {
        var twin = Model.Entity(name: "Twin")
        twin.parentName = "Twin"
        twin.relationships = [
            Model.Relationship(name: "lost", destinationName: "Nowhere"), Model.Relationship(name: "none"),
        ]
        var (hen, egg) = (Model.Entity(name: "Hen"), Model.Entity(name: "Egg"))
        (hen.parentName, egg.parentName) = ("Egg", "Hen")
        let diagram = Diagram(Model(entities: [twin, twin, hen, egg]))
        #expect(diagram.overlaps.isEmpty)
        #expect(diagram.links.count == 2)
    }

    @Test(.enabled(if: Samples.hasCollection)) func everyDocumentOfTheCollectionIsDrawnWithoutOverlaps() throws {
        let documents = try Samples.documents()
        #expect(documents.count > 300)
        for (path, model) in documents {
            #expect(Diagram(model).overlaps.isEmpty, "\(path)")
            #expect(Diagram(model, placement: .automatic).overlaps.isEmpty, "\(path)")
        }
    }
}
