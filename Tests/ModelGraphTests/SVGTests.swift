import Foundation
import ModelDocument
import ModelGraph
import RandomSeeds
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The drawing as a file.
@Suite struct SVGTests {
    @Test func theDrawingIsXMLWithABoxForEachEntityAndATextForEachProperty() throws {
        let svg = Diagram(try Samples.league()).svg(title: "League")
        let document = try XMLDocument(data: Data(svg.utf8))
        let entities = try document.nodes(forXPath: "//*[contains(@class, 'entity')]")
        #expect(entities.count == 5)
        let texts = try document.nodes(forXPath: "//*[local-name() = 'text']").compactMap(\.stringValue)
        for text in ["Team", "players", "uniformColor", "wPlayers", "Decimal"] { #expect(texts.contains(text)) }
        let titles = try document.nodes(forXPath: "//*[local-name() = 'title']").compactMap(\.stringValue)
        #expect(titles.contains { $0.contains("Team.players ⇉ Player (optional, Cascade)") })
    }

    @Test func namesCanNotBecomeMarkup() throws {
        let evil = "</text><script>alert(1)</script>\"'&\u{1}"
        var model = Model(entities: [Model.Entity(name: evil)])
        model.entities[0].attributes = [Model.Attribute(name: evil, type: .string)]
        model.entities[0].relationships = [Model.Relationship(name: evil, destinationName: evil)]
        let document = try XMLDocument(data: Data(Diagram(model).svg(title: evil).utf8))
        #expect(try document.nodes(forXPath: "//*[local-name() = 'script']").isEmpty)
        #expect(!(try document.nodes(forXPath: "//*[local-name() = 'title']").isEmpty))
    }

    @Test(arguments: 0..<20) func randomModelsAreDrawnAsXML(number: Int) throws {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var models = RandomModel(seed: seed)
        let model = models.model(entities: number, relationships: number * 3)
        let document = try XMLDocument(data: Data(Diagram(model).svg(title: "Random").utf8))
        let entities = try document.nodes(forXPath: "//*[contains(@class, 'entity')]")
        #expect(entities.count == number, "seed \(seed)")
    }

    @Test func anEmptyModelIsAnEmptyPage() throws {
        let svg = Diagram(Model()).svg(title: "Nothing")
        #expect(try XMLDocument(data: Data(svg.utf8)).nodes(forXPath: "//*[@class = 'entity']").isEmpty)
    }
}
